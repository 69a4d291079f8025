import { describe, expect, it } from 'vitest';
import { item, items, shop, shopify } from './command-shop.ts';

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
