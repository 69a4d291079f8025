import { describe, expect, it } from 'vitest';
import { shop } from './command-shop.ts';
import { connectedStore } from './woocommerce-shop.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

// A product whose type the service cannot hold any more, as when a variable product becomes a subscription: its variations are
// still in the store, so they stay in the service, whatever they are matched by.

const MATCHES = ['storeVariantId', 'sku', 'handle'];

/** How the items of a source come into the service. */
const WAYS = ['sync', 'read | sync', 'read | read | sync'];

const DELETE = ['--delete', '--max-delete', '100%'];

const ways = MATCHES.flatMap((match) => WAYS.map((way) => [way, match] as const));

const TITLES = ['Griff 1', 'Kletterschuh 25 - 38', 'Kletterschuh 25 - 39'];

/** Returns what the API gives: a product that stays, one that goes, and one with variations of a type. */
function answer(type: string, isBefore: boolean): object[] {
  return [
    product(1),
    ...(isBefore ? [product(2)] : []),
    variableProduct(25, [27, 28], { type }),
    ...(isBefore ? [variation(27, 25, '38'), variation(28, 25, '39')] : []),
  ];
}

const HEADER =
  'ID,Type,SKU,Name,Published,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)';

/** Returns the same as an export, with both variations. They have no names of their own. */
function table(type: string, ofVariation: string, isBefore: boolean): string {
  return [
    HEADER,
    '1,simple,HN-1,Griff 1,1,,8.5,,,',
    ...(isBefore ? ['2,simple,HN-2,Griff 2,1,,8.5,,,'] : []),
    `25,${type},HN-25,Kletterschuh 25,1,,,,Size,"38, 39"`,
    `27,${ofVariation},HN-V-27,Kletterschuh 25,1,2,99.9,id:25,Size,38`,
    `28,${ofVariation},HN-V-28,Kletterschuh 25,1,2,99.9,id:25,Size,39`,
    '',
  ].join('\n');
}

/** Returns an export without a column. */
function without(column: string, text: string): string {
  const at = HEADER.split(',').indexOf(column);
  return text.replace(/^.+$/gm, (row) =>
    row
      .split(/,(?! )/)
      .toSpliced(at, 1)
      .join(','),
  );
}

/** The same files before and after: the second product is gone, and the third has another type. */
const FILES: Readonly<Record<string, { before: string; after: string; matches?: string[] }>> = {
  'the JSON': {
    before: JSON.stringify(answer('variable', true)),
    after: JSON.stringify(answer('variable-subscription', false)),
  },
  'the CSV': {
    before: table('variable', 'variation', true),
    after: table('variable-subscription', 'subscription_variation', false),
  },
  'the CSV without ids': {
    before: without('ID', table('variable', 'variation', true).replaceAll('id:25', 'HN-25')),
    after: without(
      'ID',
      table('variable-subscription', 'subscription_variation', false).replaceAll('id:25', 'HN-25'),
    ),
    matches: ['sku', 'handle'],
  },
};

describe.each(Object.entries(FILES))('%s', (_, { before, after, matches = MATCHES }) => {
  it.each(ways.filter(([, match]) => matches.includes(match)))(
    'A file keeps the variations of a product of another type: %s --match %s',
    async (way, match) => {
      const { sync, products, command } = await shop();
      const first = await sync(before, ['--match', match]);
      expect([first.code, await products()]).toMatchObject([0, { length: 4 }]);
      let stdin = after;
      for (const step of way.split(' | ').slice(0, -1)) {
        const { code, stdout } = await command([step, '-', '--match', match], { stdin });
        expect(code).toBe(0);
        stdin = stdout;
      }
      const last = await sync(stdin, ['--match', match, ...DELETE]);
      expect([last.code, last.stdout]).toEqual([0, expect.stringContaining(' 1 deleted')]);
      expect((await products()).map(({ title }) => title)).toEqual(TITLES);
    },
  );

  it('A file is read without the variations of a product of another type, and with the type as the reason', async () => {
    const { command } = await shop();
    const { stdout, stderr } = await command(['read', '-', '--match', 'sku'], { stdin: after });
    expect(stdout.match(/"title"/g)).toHaveLength(1);
    expect(stderr).toContain('unsupported: HN-25: its type is "variable-subscription"');
  });
});

it.each(MATCHES)('A product that has no variations yet is kept: by %s', async (match) => {
  const { sync, products, command } = await shop();
  const words = ['--match', match];
  await sync(JSON.stringify([product(1), product(2), product(3)]), words);
  const after = JSON.stringify([product(1), variableProduct(3, [], { sku: '', slug: 'new' })]);
  const { stdout } = await command(['read', '-', ...words], { stdin: after });
  for (const text of [after, stdout]) await sync(text, [...words, ...DELETE]);
  expect((await products()).map(({ title }) => title)).toEqual(['Griff 1', 'Griff 3']);
});

it('A product that stays because of its type is not counted among the deletions of a store', async () => {
  const { store, sync, products } = await connectedStore();
  const ids = Array.from({ length: 20 }, (_, index) => 30 + index);
  store.products = [product(1), product(2), variableProduct(25, ids)];
  store.variations = ids.map((id) => variation(id, 25, String(id)));
  expect((await sync(['--match', 'sku'])).code).toBe(0);
  store.products = [product(1), variableProduct(25, ids, { type: 'variable-subscription' })];
  const { code, stdout } = await sync(['--match', 'sku', '--delete']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(' 1 deleted')]);
  expect(await products()).toHaveLength(21);
});

it('A product without an id is kept as long as it may be one that the file names by its id', async () => {
  const { sync, client, skus } = await shop();
  await client.products.createMany(
    ['A', 'B', 'C'].map((sku) => ({
      sku,
      title: sku,
      priceCents: 1,
      storeVariantId: sku === 'B' ? null : sku,
    })),
  );
  const lines = ['{"sku":"A"}', '{"storeVariantId":"7"}', ''];
  const words = ['--match', 'sku', '--delete'];
  expect((await sync(lines.join('\n'), words)).stdout).toContain(' 1 deleted');
  expect(await skus()).toEqual(['A', 'B']);
  expect((await sync(lines.toSpliced(1, 1).join('\n'), words)).stdout).toContain(' 1 deleted');
});

it.each([
  ['a row that ends before its SKU', 'storeVariantId,sku\nA,A\nB'],
  ['a row whose SKU a spreadsheet has shortened', 'sku,storeVariantId\nA,A\n4.00638E+12,B'],
])(
  'A row without a key is not taken for a product of another type, and nothing is deleted: %s',
  async (_, rows) => {
    const { sync, client, skus } = await shop();
    await client.products.createMany(
      ['A', 'B', 'C'].map((sku) => ({ sku, title: sku, priceCents: 1, storeVariantId: sku })),
    );
    const { code, stdout } = await sync(`${rows}\n`, ['--match', 'sku', ...DELETE]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^skipped: Row 3.*\n1 product has no sku/),
    ]);
    expect(await skus()).toEqual(['A', 'B', 'C']);
  },
);

it('A coupon code is not taken for a product of another type, because it has no such field', async () => {
  const { sync } = await shop();
  const words = ['--collection', 'coupon-codes', '--match', 'code'];
  const { code, stdout } = await sync(
    '{"code":"A","discountPercent":1}\n{"storeVariantId":"7"}\n',
    words,
  );
  expect([code, stdout]).toEqual([1, expect.stringContaining('Line 2 has no code.')]);
});
