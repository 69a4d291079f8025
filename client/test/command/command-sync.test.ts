import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../src/command/command.ts';
import { item, items } from '../items.ts';
import { shop, shopify } from './command-shop.ts';
import { commandOf } from './commanded.ts';
import { all } from '../outcomes.ts';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { temporaryFolder } from '../../../test/node/processes.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

it.each([
  ['ndjson', /^$/],
  ['json', /^\{ "products": \[\] \}\n$/],
  ['csv', /^id,title,[A-Za-z,]+\n$/],
])('`list` prints no products in each format, too: %s', async (format, printed) => {
  const { command } = await shop();
  const { code, stdout } = await command(['list', '--format', format]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(printed)]);
});

it.each(['ndjson', 'json', 'csv'])(
  'A sync of what `list` prints changes nothing: %s',
  async (format) => {
    const { client, products, command, sync } = await shop();
    await client.products.createMany([
      { title: '=1+1', priceCents: 1, sku: 'A', description: ' two\nlines, "quoted"\t' },
      { title: 'ü', priceCents: 0, storeProductId: 'gid://shopify/Product/1', featured: true },
      { title: 'B', priceCents: 9, imageUrls: ['https://e.org/a,b', 'https://e.org/c'] },
    ]);
    await client.couponCodes.create({ code: '-TEN', discountPercent: 10.25, active: false });
    const before = [await products(), await all(client.couponCodes.list())];
    for (const words of [[], ['--collection', 'coupon-codes']]) {
      const { stdout } = await command(['list', '--format', format, ...words]);
      const result = await sync(stdout, ['--match', 'id', '--delete', ...words]);
      const count = words.length === 0 ? 3 : 1;
      expect(result).toEqual({
        code: 0,
        stdout: `0 created, 0 updated, ${count} unchanged, 0 deleted.\n`,
        stderr: '',
      });
    }
    expect([await products(), await all(client.couponCodes.list())]).toEqual(before);
  },
);

it('A sync creates, updates and deletes, and reports in a dry run what it would do', async () => {
  const { sync, skus } = await shop(items(5));
  const wanted = [...items(4, 2).slice(1), item('N')];
  const words = ['--match', 'sku', '--delete'];
  const counts = '1 created, 3 updated, 0 unchanged, 2 deleted.\n';
  const dry = await sync(wanted, [...words, '--dry-run']);
  const changes = ['create: N: Product N', 'delete: S-0: Product S-0'].map((line) => `${line}\n`);
  expect([dry.code, dry.stderr]).toEqual([0, '']);
  for (const text of [...changes, `\nWould be: ${counts}`]) expect(dry.stdout).toContain(text);
  expect(await skus()).toHaveLength(5);
  expect(await sync(wanted, words)).toEqual({ code: 0, stdout: counts, stderr: '' });
  expect(await skus()).toEqual(['S-1', 'S-2', 'S-3', 'N']);
});

const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, withheld: 0, unmatched: 0 };
const lists = { kept: [], skipped: [], refused: [] };
const unreadable: unknown = expect.stringMatching(/^priceCents: .*free/);
const untitled: unknown = expect.stringMatching(/^title: it is "#N\/A"/);
const refusal: unknown = expect.stringMatching(/^priceCents: expected /);
const expected: unknown = expect.stringMatching(/^expected /);
const priceProblem = { path: 'priceCents', message: expected };

it.each([
  ['json', JSON.stringify({ products: items(2) }), 'sku', 0, { created: 2 }],
  [
    'ndjson',
    items(2)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
    'sku',
    0,
    { created: 2 },
  ],
  ['csv', 'sku,title,priceCents\nA,B,1\n', 'sku', 0, { created: 1 }],
  ['shopify', shopify('a,A,S,1.50'), undefined, 0, { created: 1 }],
  [
    'shopify',
    shopify('a,A,S,1.50', 'b,B,T,free'),
    'sku',
    1,
    { created: 1, skipped: [{ key: 'T', reason: unreadable, kind: 'problem' }] },
  ],
  [
    'shopify',
    JSON.stringify({
      products: ['', 'B'].map((title, id) => ({
        id: id + 1,
        title,
        handle: `h-${id}`,
        variants: [{ id: 11 + id, price: '1' }],
      })),
    }),
    'handle',
    1,
    { created: 1, skipped: [{ key: 'h-0', reason: 'title: it has none', kind: 'problem' }] },
  ],
  [
    'woocommerce',
    'ID,Type,SKU,Name,Regular price\n1,simple,A,#N/A,1\n2,simple,B,B,1\n',
    undefined,
    1,
    { created: 1, skipped: [{ key: '1', reason: untitled, kind: 'problem' }] },
  ],
  [
    'json',
    JSON.stringify([item('A'), item('B', -1)]),
    'sku',
    1,
    { created: 1, refused: [{ key: 'B', error: refusal, problems: [priceProblem] }] },
  ],
])(
  '`sync --json` reports what it did: %s, %s',
  async (format, content, match, exitCode, report) => {
    const { sync } = await shop();
    const words = match === undefined ? [] : ['--match', match];
    const { code, stdout, stderr } = await sync(content, ['--json', ...words]);
    expect([code, stderr]).toEqual([exitCode, '']);
    const document: unknown = JSON.parse(stdout);
    expect(document).toEqual({ format, dryRun: false, ...none, ...lists, ...report });
  },
);

it('`sync --json` prints nothing beside the document, because cron would mail it', async () => {
  const { sync } = await shop();
  const header = 'Handle,Title,Variant SKU,Variant Price,Variant Compare At Price';
  const { code, stdout, stderr } = await sync(`${header}\na,A\u0099,S,1.50,2.00\n`, ['--json']);
  expect([code, JSON.parse(stdout), stderr]).toEqual([
    0,
    { format: 'shopify', dryRun: false, ...none, ...lists, created: 1 },
    '',
  ]);
});

it('A sync keeps the exit code if nobody reads its report', async () => {
  const { brand, skus } = await shop();
  const path = join(folder.path, 'one.json');
  await writeFile(path, JSON.stringify([item('A'), item('B', -1)]));
  const closed = new Writable({
    write: (_chunk, _encoding, done) => {
      done(Object.assign(new Error('closed'), { code: 'EPIPE' }));
    },
  });
  const code = await runCommand(['sync', path, '--match', 'sku'], {
    env: { BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl },
    stores: [],
    openStdin: () => process.stdin,
    stdout: closed,
    stderr: closed,
    signal: new AbortController().signal,
  });
  expect([code, await skus()]).toEqual([1, ['A']]);
});

const json = JSON.stringify(items(1));

it.each([
  [json, [], 2, /Which field identifies products\? Use --match with one of id, /],
  [json, ['--match', 'colour'], 2, /--match is one of id, /],
  [json, ['--match', 'sku', '--max-delete', '5'], 2, /--max-delete needs --delete/],
  [json, ['--match', 'sku', '--only', 'sku=A'], 2, /--only needs --delete/],
  [json, ['--match', 'sku', '--read-at', '2026-01-31T09:30:00Z'], 2, /--read-at needs --delete/],
  [json, ['--match', 'sku', '--currency', 'EUR'], 2, /--currency is for exports.* is JSON/],
  ['sku\nA', ['--match', 'sku', '--decimal-comma'], 2, /--decimal-comma is for exp.* is CSV/],
  [json, ['--match', 'sku', '--variants', 'first'], 2, /--variants is for exports/],
  [json, ['--currency', 'euro'], 2, /a currency code such as EUR/],
  [json, ['--delete', '--max-delete', '101%'], 2, /a share such as 10%/],
  [json, ['--delete', '--max-delete', '-1'], 2, /a number such as 25/],
  [json, ['--delete', '--max-delete', 'many'], 2, /a number such as 25/],
  [json, ['--delete', '--match', 'sku', '--only', 'color=red'], 2, /have no such field/],
  [json, ['--delete', '--read-at', '2026-01-31'], 2, /a time in the past such as/],
  [json, ['--delete', '--read-at', '2126-01-31T00:00:00Z'], 2, /a time in the past such as/],
  [json, ['--delete', '--read-at', '2026-02-31T00:00:00Z'], 2, /a time in the past such as/],
  [json, ['--delete', '--read-at', '2026-01-31T24:00:00Z'], 2, /a time in the past such as/],
  [json, ['--delete', '--read-at', '2026-01-31T09:30:00'], 2, /a time in the past such as/],
  ['Good morning', ['--match', 'sku'], 1, /The file is neither JSON/],
  ['[{"sku":', ['--match', 'sku'], 1, /is not valid JSON/],
  ['sku,title\nA,"a', ['--match', 'sku'], 1, /valid CSV: Quote Not Closed: [^:]+\.\n$/],
] as const)(
  'A sync refuses wrong options and items: %j with %j',
  async (stdin, words, expected, sentence) => {
    const nowhere = commandOf({ apiKey: `bik_${'0'.repeat(49)}`, baseUrl: 'http://127.0.0.1:4' });
    const { code, stdout, stderr } = await nowhere(['sync', '-', ...words], { stdin });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^error: [^\n]+\n(?:\([^\n]+\)\n)*$/);
    expect([code, stdout]).toEqual([expected, '']);
  },
);

it.each([
  ['nowhere.csv', 'there is no such file or folder'],
  ['.', 'it is a folder'],
  ['file/products.csv', 'a part of its path is no folder'],
  ['loop', 'its links lead back to themselves'],
  ['x'.repeat(300), 'its name is too long'],
])('A sync refuses a file that it cannot read: %s', async (name, reason) => {
  const { command } = await shop();
  await writeFile(join(folder.path, 'file'), '');
  await symlink('loop', join(folder.path, 'loop')).catch(() => undefined);
  const path = join(folder.path, name);
  const refused = { code: 1, stdout: '', stderr: `error: ${path}: ${reason}.\n` };
  expect(await command(['sync', path])).toEqual(refused);
});

it('A sync refuses a dry run that npm kept for itself', async () => {
  const { command } = await shop();
  const env = { npm_config_dry_run: 'true' };
  const kept = await command(['sync', '-', '--match', 'sku'], { env, stdin: json });
  expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('npm kept --dry-run')]);
});
