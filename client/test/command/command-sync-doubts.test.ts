import { describe, expect, it } from 'vitest';
import { item, items, shop, shopify } from './command-shop.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

// Each file lacks one product of the service, and may mean it.

const all = items(12);
const known = all.slice(1);
const csv = ['sku,title,priceCents', ...known.map((one) => Object.values(one).join(','))].join(
  '\n',
);
const ndjson = known.map((one) => JSON.stringify(one)).join('\n');

describe('A file that is doubtful deletes nothing, does all else, and says what to do', () => {
  it.each([
    [
      'JSON with an item of no key',
      JSON.stringify([...known, { ...item('x'), sku: null }]),
      '1 product has no sku that can be read',
    ],
    [
      'JSON with an item whose key is a number',
      JSON.stringify([...known, { ...item('x'), sku: 3791411052119579 }]),
      'its sku is a number',
    ],
    ['NDJSON with a line of an empty key', `${ndjson}\n{"sku":"","title":"a"}\n`, 'Line 12'],
    ['NDJSON whose last line has no end', ndjson, 'If it is complete, use --whole.'],
    ['CSV whose last row has no end', csv, 'Row 12, the last one, has no line end'],
    ['CSV with a row of no key', `${csv}\n,A,1\n`, 'Row 13 has no sku'],
  ])('%s', async (_, content, sentence) => {
    const { sync, skus } = await shop(all);
    const { code, stdout } = await sync(content, ['--match', 'sku', '--delete']);
    expect(code).toBe(1);
    expect(stdout).toContain(sentence);
    expect(await skus()).toEqual(all.map(({ sku }) => sku));
  });

  it.each([
    ['NDJSON', ndjson],
    ['CSV', csv],
  ])('unless somebody says that it is whole: %s', async (_, content) => {
    const { sync, skus } = await shop(all);
    const { code, stdout } = await sync(content, ['--match', 'sku', '--delete', '--whole']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 deleted')]);
    expect(await skus()).toEqual(known.map(({ sku }) => sku));
  });

  it('an export by SKU, which names the match that avoids it', async () => {
    const { sync, skus } = await shop();
    const rows = all.map(({ sku, title }) => `h-${sku.toLowerCase()},${title},${sku},0.01`);
    await sync(shopify(...rows), ['--match', 'sku']);
    const doubtful = shopify(...rows.slice(1), 'h,None,,1');
    const { code, stdout } = await sync(doubtful, ['--match', 'sku', '--delete']);
    expect(code).toBe(1);
    expect(stdout).toContain('Use --match handle, which all of them have.');
    expect(await skus()).toEqual(all.map(({ sku }) => sku));
    const byHandle = await sync(doubtful, ['--delete']);
    expect([byHandle.code, byHandle.stdout]).toEqual([0, expect.stringContaining('1 deleted')]);
  });

  it('takes the last row of a file that has no line end', async () => {
    const { sync, products } = await shop(all);
    const { code, stdout } = await sync('sku,title,priceCents\nS-1,New,7', ['--match', 'sku']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 updated')]);
    expect((await products())[1]).toMatchObject({ title: 'New', priceCents: 7 });
  });
});

// Each is whole products with variants, and the same with a part that is missing, beside another product that is whole.

const shoe = variableProduct(25, [27, 28]);
const variations = [variation(27, 25, '38'), variation(28, 25, '39')];
const { variations: _, ...silent } = shoe;
const { id: _id, ...nameless } = product(2);
const woocommerce = (...parts: readonly object[]): string => JSON.stringify([product(1), ...parts]);
const bulk = (count: number): string =>
  [
    { id: 'gid://shopify/Product/1', title: 'Mug', handle: 'mug' },
    { id: 'gid://shopify/ProductVariant/1', price: '1', __parentId: 'gid://shopify/Product/1' },
    { id: 'gid://shopify/Product/2', title: 'Tee', handle: 'tee' },
    ...['S', 'M'].map((value, index) => ({
      id: `gid://shopify/ProductVariant/${index + 2}`,
      price: '1',
      selectedOptions: [{ value }],
      __parentId: 'gid://shopify/Product/2',
    })),
  ]
    .slice(0, count)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
const rest = (variants: readonly object[]): string =>
  JSON.stringify({
    products: [
      { id: 1, title: 'Mug', handle: 'mug', variants: [{ id: 1, price: '1' }] },
      { id: 2, title: 'Tee', handle: 'tee', variants },
    ],
  });
const table = (...rows: readonly string[]): string =>
  [
    'ID,Type,SKU,Name,Published,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
    '1,variable,P,Shoe,1,,,Size,"38, 39"',
    '2,variation,A,Shoe - 38,1,1,id:1,Size,38',
    ...rows,
    '',
  ].join('\n');
const sock = '3,variable,Q,"Sock ""C#""",1,,,Size,"38+, 39"';
const pair = '4,variation,B,"Sock ""C#"" - 38+",1,1,id:3,Size,38+';

describe('A file that lacks a part of a product deletes nothing of it', () => {
  it.each([
    ['a variation that its product names', woocommerce(shoe, ...variations), woocommerce(shoe)],
    ['the product', woocommerce(shoe, ...variations), woocommerce(...variations)],
    ['variations that nothing names', woocommerce(shoe, ...variations), woocommerce(silent)],
    ['the id of a product', woocommerce(product(2)), woocommerce(nameless)],
    ['all variants in JSON lines', bulk(5), bulk(3)],
    ['all variants in a list of REST', rest([{ id: 2, price: '1', option1: 'S' }]), rest([])],
    ['all variations in CSV', table(sock, pair), table(sock)],
    ['the product in CSV', table(sock, pair), table(pair)],
  ])('such as %s', async (__, whole, partial) => {
    for (const match of [[], ['--match', 'handle'], ['--variants', 'first', '--match', 'handle']]) {
      const { sync, products } = await shop();
      expect(await sync(whole, match)).toMatchObject({ code: 0 });
      const before = await products();
      const words = [...match, '--delete', '--max-delete', '100%'];
      expect(await sync(partial, words)).toMatchObject({ code: 1 });
      expect((await products()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    }
  });
});
