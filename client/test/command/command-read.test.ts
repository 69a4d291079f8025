import { expect, it } from 'vitest';
import { listOf } from '../../../common/list-of.ts';
import { TESTED_STORES } from '../fixtures/stores.ts';
import { items } from '../items.ts';
import { shop, shopify } from './command-shop.ts';
import { commandOf } from './commanded.ts';
import { jq } from './jq.ts';

const STORES = TESTED_STORES.map(({ name }) => name);

/** It needs no key and no service. */
const command = commandOf({ apiKey: '', baseUrl: '' });

it('`read` prints the items that a sync would take, one JSON object a line', async () => {
  const stdin = JSON.stringify({ products: items(2) });
  expect(await command(['read', '-'], { stdin })).toEqual({
    code: 0,
    stdout: items(2)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
    stderr: '',
  });
});

it('`read` prints what is skipped as an item with its key alone, and says why', async () => {
  const { client, sync, products } = await shop();
  await client.products.createMany(
    ['in-file', 'unreadable', 'gone'].map((title) => ({ title, priceCents: 1 })),
  );
  const stdin = `${shopify('in-file,in-file,,0.01', 'unreadable,A,,1', 'unreadable,B,,1')}\n`;
  const { code, stdout, stderr } = await command(['read', '-'], { stdin });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^skipped: unreadable: .*titles/)]);
  const lines = stdout.split('\n');
  expect(lines.slice(1)).toEqual(['{"handle":"unreadable"}', '']);
  const words = ['--match', 'handle', '--delete', '--max-delete', '1'];
  expect((await sync(stdout, words)).code).toBe(0);
  expect((await products()).map(({ handle }) => handle)).toEqual(['in-file', 'unreadable']);
});

it.each([
  ['NDJSON', '{"sku":"A"}', /^Line 1, the last one, has no line end.*--whole/],
  ['NDJSON within a line', '{"sku":"A"}\n{"sku":"B', /^skipped: Line 2 is not valid JSON/],
  ['CSV', 'sku,title\nA,Product A', /^Row 2, the last one, has no line end.*--whole/],
  ['CSV within a row', 'sku,title\nA,Product A\nB', /^skipped: The file ends within row 3\./],
  ['a CSV of a store', shopify('a,A,A,1').trimEnd(), /^Row 2, the last one, has no line end/],
  [
    'JSON lines of a store',
    '{"id":"gid://shopify/Product/1","title":"A","handle":"a"}\n{"id":"gid://shopify/ProductVariant/2","__parentId":"gid://shopify/Product/1","price":"1.00"}',
    /^Line 2, the last one, has no line end/m,
  ],
])('`read` prints nothing of a file that may have been cut off: %s', async (_, stdin, sentence) => {
  const { code, stdout, stderr } = await command(['read', '-', '--match', 'sku'], { stdin });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
  const last = 'error: The file may have been cut off, so nothing was printed.\n';
  expect(stderr).toMatch(last);
});

it('`read` prints what may have been cut off if somebody says that it is whole', async () => {
  const words = ['read', '-', '--match', 'sku', '--whole'];
  const finished = await command(words, { stdin: '{"sku":"A"}' });
  expect(finished).toEqual({ code: 0, stdout: '{"sku":"A"}\n', stderr: '' });
});

const known = items(12).slice(1);
const rows = known.map(({ sku, title }) => `${sku.toLowerCase()},${title},${sku},0.01`);
const own = known.map((one) => JSON.stringify(one));
// Each source lacks S-0, and may mean it.
it.each([
  ['an item without its key', 'sku', [...own, '{"title":"?","priceCents":1}'], ['{}']],
  ['items whose keys are numbers', 'sku', [...own, '{"sku":1}', '{"sku":2}'], ['{}', '{}']],
  ['an empty item', 'sku', [...own, '{}'], ['{}']],
  ['a line that is not JSON', 'sku', [...own, 'error'], ['{}']],
  ['a row without its handle', 'handle', [...rows.slice(0, 5), ',,?,1', ...rows.slice(5)], ['{}']],
  ['a row of too many values', 'handle', ['a,b,c,1,2,3', ...rows], ['{}']],
  [
    'a quotation mark out of place',
    'handle',
    [...rows.slice(0, -1), 's-11,A 2" pipe,S-11,1'],
    ['{}'],
  ],
  ['a row that is skipped', 'handle', [...rows, 's-0,A,S-0,1', 's-0,B,,1'], ['{"handle":"s-0"}']],
])('`read` lets a doubt survive a pipe: %s', async (_, match, lines, printed) => {
  const { sync, products } = await shop();
  await sync(shopify('s-0,Product S-0,S-0,0.01', ...rows));
  const stdin = match === 'handle' ? shopify(...lines) : `${lines.join('\n')}\n`;
  const { code, stdout } = await command(['read', '-', '--match', match], { stdin });
  expect(code).toBe(1);
  const filtered = await jq('.', stdout);
  expect(filtered.split('\n').filter((line) => printed.includes(line))).toEqual(printed);
  const csv = await jq(`[.${match}, .title, .priceCents] | @csv`, stdout);
  const words = ['--match', match, '--delete'];
  for (const content of [stdin, filtered, `${match},title,priceCents\n${csv}`]) {
    const report = await sync(content, words);
    expect(report.stdout).not.toMatch(/[1-9]\d* deleted/);
    expect(await products()).toHaveLength(12);
  }
});

it('`read` needs no empty item for what the service cannot hold', async () => {
  const grouped = { id: 2, name: 'G', type: 'grouped', sku: '', regular_price: '' };
  const simple = { id: 1, name: 'A', type: 'simple', sku: 'A', regular_price: '1.00' };
  const stdin = JSON.stringify([simple, grouped]);
  const { code, stdout, stderr } = await command(['read', '-', '--match', 'sku'], { stdin });
  const lines = [expect.stringContaining('"sku":"A"'), '{"storeVariantId":"2"}', ''];
  expect([code, stdout.split('\n')]).toEqual([0, lines]);
  expect(stderr).toContain('unsupported: product 2: its type is "grouped"');
});

it.each([
  [
    ['read'],
    '',
    2,
    new RegExp(`What is to be read\\? Name a file, .* ${listOf(STORES, 'disjunction')}\\.`),
  ],
  [['read', '-', '--from', 'shopify'], '', 2, /Only one source can be read/],
  [
    ['read', '--from', 'shopify', '--currency', 'EUR'],
    '',
    2,
    /--currency cannot be used with --from: the store says this itself\.\n/,
  ],
  [['read', '--from', 'magento'], '', 2, new RegExp(`Allowed choices are ${STORES.join(', ')}`)],
  [['read', '-', '--currency', 'EUR'], '[{"sku":"A"}]', 2, /this file is JSON\./],
  [['read', '-', '--collection', 'coupon-codes', '--variants', 'all'], '', 2, /is for products/],
  [
    ['read', '-', '--decimal-comma'],
    '{"products":[{"id":1,"title":"A","variants":[{"id":2,"price":"1.00"}]}]}',
    2,
    /--decimal-comma is for CSV/,
  ],
  [['read', '-', '--match', 'colour'], '', 2, /--match is one of id, /],
  [['read', '-'], '', 1, /The file is empty/],
  [['read', '-'], '[{"sku":', 1, /is not valid JSON/],
  [['read', '/nowhere/a.csv'], '', 1, /there is no such file/],
  [['read', '-'], '[]', 1, /^The file has no products\.\n$/],
  [['read', '-'], 'Handle,Title,Variant Price\n', 1, /^The file has no products\.\n$/],
  [
    ['read', '-', '--collection', 'coupon-codes'],
    'code,discountPercent\n',
    1,
    /^The file has no coupon codes\.\n$/,
  ],
] as const)(
  '`read` prints nothing of what it does not take: %j, %j',
  async (words, stdin, expected, sentence) => {
    const { code, stdout, stderr } = await command(words, { stdin });
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr.replace(/^error: /, '')).toMatch(sentence);
  },
);
