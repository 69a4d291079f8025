import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { temporaryFolder } from '../../../test/node/processes.ts';
import { item, items } from '../items.ts';
import { shop } from './command-shop.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

const HOUR = 3_600_000;

it.each([
  ['26h', 25, 0, ''],
  ['2d', 47, 0, ''],
  ['26h', 27, 1, 'was written 27 hours ago, and --max-age is 26h: the export may have stopped.'],
  ['90m', 24 * 21, 1, 'was written 21 days ago, and --max-age is 90m: the export may'],
  ['60s', 0.1, 1, 'was written 6 minutes ago, and --max-age is 60s'],
])(
  '`sync --max-age` refuses a file that is too old: %s of a file that is %d hours old',
  async (age, hours, expected, sentence) => {
    const { command, skus } = await shop();
    const path = join(folder.path, 'a.json');
    await writeFile(path, JSON.stringify(items(1)));
    const time = new Date(Date.now() - hours * HOUR);
    await utimes(path, time, time);
    const { code, stderr } = await command(['sync', path, '--match', 'sku', '--max-age', age]);
    expect([code, stderr]).toEqual([
      expected,
      sentence === '' ? '' : expect.stringContaining(`error: ${path} ${sentence}`),
    ]);
    expect(await skus()).toHaveLength(expected === 0 ? 1 : 0);
  },
);

it('`sync --max-age` looks at --read-at if that is given', async () => {
  const { sync, command, skus } = await shop();
  const path = join(folder.path, 'new.json');
  await writeFile(path, JSON.stringify(items(1)));
  const old = ['--read-at', new Date(Date.now() - 2 * HOUR).toISOString(), '--max-age', '1h'];
  for (const { code, stderr } of [
    await command(['sync', path, '--match', 'sku', ...old]),
    await sync(items(1), ['--match', 'sku', ...old]),
  ]) {
    expect([code, stderr]).toEqual([
      1,
      'error: What --read-at names was 2 hours ago, and --max-age is 1h: the export may have stopped. Nothing was changed.\n',
    ]);
  }
  expect(await skus()).toEqual([]);
});

/** Lines of an export of WooCommerce. */
function woocommerce(...lines: readonly string[]): string {
  return ['ID,Type,SKU,Name,Published,Parent,Regular price', ...lines, ''].join('\n');
}

const file = woocommerce('11,simple,A,Rope,1,,1', '12,simple,B,Mat,1,,2');
const before = [
  { title: 'Rope', sku: 'A', priceCents: 1, source: 'WOOCOMMERCE' },
  { title: 'Mat', sku: 'B', priceCents: 2, source: 'WOOCOMMERCE' },
];

it('A sync of a store whose products have no ids changes nothing, and names the match that gives them their ids, once', async () => {
  const { sync, client, products } = await shop();
  await client.products.createMany(before);
  const sent: unknown[] = [];
  const refused = await sync(file, ['--delete'], {
    fetch: (url, init) => {
      sent.push(init?.method);
      return fetch(url, init);
    },
  });
  expect([refused.code, sent]).toEqual([1, ['GET']]);
  expect(refused.stderr).toBe(
    'error: The service has 2 products without storeVariantId, and none that matches: nothing was changed. Run it once with --match handle or --match sku, which gives them their ids.\n',
  );
  expect(await products()).toHaveLength(2);
  expect((await sync(file, ['--match', 'sku'])).code).toBe(0);
  const { code, stdout } = await sync(file, ['--delete', '--currency', 'USD']);
  expect([code, stdout]).toEqual([0, '0 created, 0 updated, 2 unchanged, 0 deleted.\n']);
  expect((await products()).map(({ storeVariantId }) => storeVariantId)).toEqual(['11', '12']);
});

it.each([
  ['of all of which only one may be deleted', ['--only', 'sku=A'], before],
  ['none of which may be deleted', ['--only', 'sku=C'], before],
  ['beside one of another source', [], [...before, { title: 'By hand', priceCents: 3 }]],
])(
  'A sync of a store whose products have no ids changes nothing, whatever may be deleted: products %s',
  async (_, words, existing) => {
    const { sync, client, products } = await shop();
    await client.products.createMany(existing);
    const { code, stdout, stderr } = await sync(file, ['--delete', ...words]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The service has 2 products without storeVariantId, and none that');
    expect(await products()).toHaveLength(existing.length);
  },
);

it.each([
  ['the match was chosen', ['--match', 'storeVariantId'], before],
  ['they are of another source', [], before.map((one) => ({ ...one, source: 'API' }))],
  ['there are none', [], []],
])(
  'A sync of a store whose products have no ids goes on if that is meant, or does not matter: %s',
  async (_, words, existing) => {
    const { sync, client } = await shop();
    if (existing.length > 0) {
      await client.products.push(
        existing.map((one) => ({ handle: crypto.randomUUID(), ...one })),
        { match: 'handle' },
      );
    }
    const { code, stdout } = await sync(file, words);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/[12] created/)]);
  },
);

it('The report of a sync says what nothing can match, and what to do about it', async () => {
  const { sync, client } = await shop([item('S-0'), item('S-1')]);
  await client.products.create({ title: 'No SKU', priceCents: 1 });
  const own = await sync(items(2));
  expect([own.code, own.stdout]).toEqual([
    0,
    '1 of the products in the service has no sku, so no item matches. This sync leaves it alone.\n0 created, 0 updated, 2 unchanged.\n',
  ]);
  // What is skipped has a key.
  const odd = JSON.stringify([item('S-0'), item('S-1'), { sku: 'S-2', deleted: true }]);
  for (const text of [items(2), odd]) {
    const { stdout } = await sync(text, ['--match', 'sku', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ unmatched: 1 });
  }
});

it('The report of a sync numbers items as a person counts them in the file', async () => {
  const { sync } = await shop();
  const lines = [item('Q1'), item('Q2'), { title: 'No SKU' }, item('Q2', 7)];
  const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
  const { stdout } = await sync(`${stdin}\n`);
  expect(stdout).toContain('refused: Q2: sku: line 2 and line 4 have the value "Q2"\n');
});

it('The report of a sync tells what nobody can help from what somebody must look at', async () => {
  const { sync } = await shop();
  const rows = ['11,simple,A,Rope,1,,1', '12,grouped,B,Set,1,,', '13,simple,C,Mat,1,,free'];
  const file = (count: number): string =>
    ['ID,Type,SKU,Name,Published,Parent,Regular price', ...rows.slice(0, count), ''].join('\n');
  const helpless = await sync(file(2), []);
  expect([helpless.code, helpless.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^unsupported: 12: .+\nThe file does not name its currency, so its prices are read as USD\. .+\n1 created, 0 updated, 0 unchanged, 1 unsupported\.\n$/,
    ),
  ]);
  const problem = await sync(file(3), ['--json']);
  expect([problem.code, JSON.parse(problem.stdout)]).toMatchObject([
    1,
    {
      unchanged: 1,
      skipped: [
        { key: '12', kind: 'unsupported' },
        { key: '13', kind: 'problem' },
      ],
    },
  ]);
});

it.each([
  ['', 1, 1, /no line end, so the file may have been cut off\. .*--whole\.\n.*incomplete/],
  ['\n', 0, 0, /^(?:delete: S-1: Product S-1)?$/],
  ['--whole', 0, 0, /^(?:delete: S-1: Product S-1)?$/],
])(
  'The report of a sync says why a file withholds deletions: %j at its end',
  async (end, code, kept, text) => {
    const { sync, skus } = await shop(items(2));
    const words = ['--match', 'sku', '--delete', ...(end === '--whole' ? [end] : [])];
    const file = `sku,title,priceCents\nS-0,Product S-0,1${end === '\n' ? end : ''}`;
    for (const special of [[], ['--json']]) {
      const done = await sync(file, [...words, ...special, '--dry-run']);
      const said = special.length === 0 ? done.stdout.split('\n').slice(0, -2) : [done.stderr];
      expect([done.code, said.join('\n')]).toEqual([code, expect.stringMatching(text)]);
    }
    await sync(file, words);
    expect(await skus()).toHaveLength(1 + kept);
  },
);

it('The report of a sync names no limit where only a key that nobody can read withholds deletions', async () => {
  const { sync, client } = await shop(items(3));
  const keyless = { title: 'No SKU', priceCents: 1 };
  await client.products.createMany(Array.from({ length: 20 }, () => keyless));
  const { code, stdout } = await sync(
    [item('S-0'), item('\u0007')],
    ['--match', 'sku', '--delete'],
  );
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(
      '2 of 3 products are missing from the file, but some of its items may mean them: nothing was deleted. Correct the items, and run it again.\n',
    ),
  ]);
});

it('The report of a sync says nothing of --only on the first sync, whose items have its value', async () => {
  const { sync } = await shop(items(2));
  const words = ['--match', 'sku', '--delete', '--only', 'source=SAME'];
  const mine = { ...item('N'), source: 'SAME' };
  expect(await sync([mine], words)).toEqual({
    code: 0,
    stdout: '1 created, 0 updated, 0 unchanged, 0 deleted.\n',
    stderr: '',
  });
});

it.each([
  [['-', '--max-age', '26h'], /--max-age needs --read-at: standard input has no time/],
  [['--from', 'shopify', '--max-age', '1h'], /--max-age needs --read-at: a store has no time/],
  [['-', '--max-age', '26'], /an age such as 26h/],
  [['-', '--max-age', '0h'], /an age such as 26h/],
  [['-', '--read-at', '2026-01-31T09:30:00Z'], /--read-at needs --delete, --max-age or --record/],
  [
    ['--from', 'woocommerce', '--decimal-comma'],
    /--decimal-comma cannot be used with --from: the store says/,
  ],
  [['--from', 'woocommerce', '--whole'], /--whole cannot be used with --from: the store says/],
  [['a.csv', '--from', 'woocommerce'], /Only one source can be read/],
  [[], /What is to be read\?/],
])('A sync refuses options that do not fit: %j', async (words, sentence) => {
  const { command } = await shop();
  const { code, stdout, stderr } = await command(['sync', '--match', 'sku', ...words]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)]);
});
