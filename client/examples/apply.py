"""Applies what changed in the service to a SQLite database.

    brand-integration follow --state products.state --exec 'python3 apply.py shop.db'

It gets one page of lines at a time. All of them are one transaction: if this program fails or is killed, nothing of the
page is done, and `follow` sends it again. A line may come twice: the second time it changes nothing.
"""

import json
import sqlite3
import sys

TABLE = """
CREATE TABLE IF NOT EXISTS products (
    id TEXT PRIMARY KEY,
    sku TEXT,
    title TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    currency_code TEXT NOT NULL
)
"""


def apply(database, lines):
    """Applies lines in one transaction, all or none."""
    with database:
        database.execute(TABLE)
        for line in lines:
            event = json.loads(line)
            if "deleted" in event:
                database.execute("DELETE FROM products WHERE id = ?", [event["deleted"]])
                continue
            product = event["changed"]
            fields = ("id", "sku", "title", "priceCents", "currencyCode")
            values = [product[field] for field in fields]
            database.execute("INSERT OR REPLACE INTO products VALUES (?, ?, ?, ?, ?)", values)


if __name__ == "__main__":
    # Somebody else may be writing to the database: wait for a minute.
    shop = sqlite3.connect(sys.argv[1], timeout=60)
    apply(shop, sys.stdin.buffer)
    shop.close()
