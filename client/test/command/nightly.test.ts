import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Profile } from '../../src/index.ts';
import type { Finished, TemporaryFolder } from '../../../test/node/processes.ts';
import { runWith, temporaryFolder } from '../../../test/node/processes.ts';
import { item, items } from '../items.ts';
import { shop } from './command-shop.ts';

let home: TemporaryFolder;

beforeAll(async () => {
  home = await temporaryFolder();
});

afterAll(() => home.remove());

const CODES = [{ code: 'TEN', discountPercent: 10 }];

/** A night of the script, with these exports. An export that is undefined is missing. */
async function night(
  products: readonly unknown[] | undefined,
  { isLater = false, codes = CODES, alert = 'cat' } = {},
): Promise<Finished & { readonly connection: Profile['connection'] }> {
  const { brand, client } = await shop(items(30));
  const script = await readFile('client/examples/nightly.sh', 'utf8');
  const path = join(home.path, 'nightly.sh');
  const own = script
    .replace(/^alert\(\) .*$/m, `alert() { ${alert}; }`)
    .replace(
      /^nightly products .*$/m,
      'nightly products "$HOME/products.json" --match sku --max-age 26h --delete',
    )
    .replace(/^nightly coupon-codes .*$/m, 'nightly coupon-codes "$HOME/codes.json" --match code');
  await writeFile(path, own);
  await chmod(path, 0o700);
  const environment = {
    BRAND_API_URL: brand.baseUrl,
    BRAND_API_KEY: brand.apiKey,
    PATH: `${dirname(inject('command'))}:$PATH`,
  };
  const lines = Object.entries(environment).map(([name, value]) => `export ${name}="${value}"\n`);
  await writeFile(join(home.path, 'brand-api.env'), lines.join(''));
  await writeFile(join(home.path, 'codes.json'), JSON.stringify(codes));
  // What was changed after the file was written is kept, and a clock may differ by two seconds.
  if (isLater) await setTimeout(3000);
  const file = join(home.path, 'products.json');
  await rm(file, { force: true });
  if (products !== undefined) await writeFile(file, JSON.stringify(products));
  const finished = await runWith({ HOME: home.path }, path);
  return { ...finished, connection: (await client.profile.get()).data.connection };
}

it('The nightly script prints nothing after a good night, and records it', async () => {
  const { connection, ...finished } = await night(items(30));
  expect(finished).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(connection.lastSyncError).toBeNull();
  expect(connection.lastProductsSyncAt).not.toBeNull();
  expect(connection.lastDiscountsSyncAt).not.toBeNull();
});

it('The nightly script says what is refused, twenty of a kind, and lets nobody write lines of their own into the alert', async () => {
  const bad = items(30).map((one) => ({ ...one, priceCents: -1 }));
  const sku = 'x\u001b[2J\u202e\nrefused: all is well';
  const { stdout, connection } = await night([{ ...item(sku), priceCents: -1 }, ...bad]);
  expect(connection.lastSyncError).toMatch(/^products: .*31 refused/);
  const lines = stdout.split('\n');
  const refused = lines.filter((line) => line.startsWith('refused: '));
  expect(refused).toHaveLength(20);
  expect(refused[0]).toContain(String.raw`x\u{1b}[2J\u{202e}\u{a}refused: all is well: title`);
  expect(lines).toContain('... and 11 more');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

it('The nightly script says that a store has no codes, and what to do about it', async () => {
  const { code, stdout } = await night(items(30), { codes: [] });
  expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
    1,
    [
      'The sync of coupon-codes needs somebody (exit code 1):',
      'error: The file has no coupon codes. If that is right, leave out this sync until there are some.',
    ],
  ]);
});

it.each([
  ['is skipped', [...items(30), 7], /^skipped: Item 31 is not/m, /1 skipped/, {}],
  [
    'is withheld',
    items(15),
    /^error: 15 of 30 products are missing/m,
    /15 deletions withheld/,
    { isLater: true },
  ],
  [
    'is missing, also if the chat that is to have the alert is down',
    undefined,
    /^error: .*products\.json: there is no such file/m,
    /no such file/,
    { alert: 'cat > /dev/null; false' },
  ],
] as const)(
  'The nightly script says what was not done of the products, and goes on with the codes: what %s',
  async (_, products, said, recorded, options) => {
    const { code, stdout, stderr, connection } = await night(products, options);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^The sync of products needs somebody \(exit code 1\):\n/);
    expect(stdout).toMatch(said);
    expect(stdout.match(/needs somebody/g)).toHaveLength(1);
    expect(connection.lastSyncError).toMatch(/^products: /);
    expect(connection.lastSyncError).toMatch(recorded);
    expect(connection.lastDiscountsSyncAt).not.toBeNull();
  },
);
