<?php

// Applies what changed in the service to a SQLite database.
//
//     brand-integration follow --state products.state --exec 'php apply.php shop.db'
//
// It gets one page of lines at a time. All of them are one transaction: if this program fails or is killed, nothing of
// the page is done, and `follow` sends it again. A line may come twice: the second time it changes nothing.

declare(strict_types=1);

// Every error is thrown, and ends the program with an exit code that is not 0. Somebody else may be writing to the
// database: wait for a minute.
$shop = new PDO('sqlite:' . $argv[1], options: [
    PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
    PDO::ATTR_TIMEOUT => 60,
]);
$shop->exec('CREATE TABLE IF NOT EXISTS products (
    id TEXT PRIMARY KEY,
    sku TEXT,
    title TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    currency_code TEXT NOT NULL
)');

$shop->beginTransaction();
$save = $shop->prepare('INSERT OR REPLACE INTO products VALUES (?, ?, ?, ?, ?)');
$delete = $shop->prepare('DELETE FROM products WHERE id = ?');
while (($line = fgets(STDIN)) !== false) {
    $event = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    if (isset($event['deleted'])) {
        $delete->execute([$event['deleted']]);
        continue;
    }
    $product = $event['changed'];
    $save->execute([
        $product['id'],
        $product['sku'],
        $product['title'],
        $product['priceCents'],
        $product['currencyCode'],
    ]);
}
$shop->commit();
