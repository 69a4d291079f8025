import { describe, expect, it } from 'vitest';
import { item, items, shop, shopify } from './command-shop.ts';
import { commandOf } from './commanded.ts';

/** It needs no key and no service. */
const command = commandOf({ apiKey: '', baseUrl: '' });

describe('read', () => {
  it('prints the items that a sync would take, one JSON object a line', async () => {
    const stdin = JSON.stringify({ products: items(2) });
    expect(await command(['read', '-'], { stdin })).toEqual({
      code: 0,
      stdout: items(2)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
      stderr: '',
    });
  });

  it('prints what is skipped as an item with its key alone, and says why', async () => {
    const { client, sync, products } = await shop();
    await client.products.createMany(
      ['in-file', 'unreadable', 'gone'].map((title) => ({ title, priceCents: 1 })),
    );
    const stdin = `${shopify('in-file,in-file,,0.01', 'unreadable,unreadable,,free')}\n`;
    const { code, stdout, stderr } = await command(['read', '-'], { stdin });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^skipped: unreadable: .*free/)]);
    const lines = stdout.split('\n');
    expect(lines.slice(1)).toEqual(['{"handle":"unreadable"}', '']);
    const words = ['--match', 'handle', '--delete', '--max-delete', '1'];
    expect((await sync(stdout, words)).code).toBe(0);
    expect((await products()).map(({ handle }) => handle)).toEqual(['in-file', 'unreadable']);
  });

  it('of a doubtful source, prints what makes a sync withhold its deletions too', async () => {
    const { sync, skus } = await shop(items(3));
    const stdin = `${JSON.stringify(item('S-0'))}\n{"sku":"S-1`;
    const { stdout, stderr } = await command(['read', '-', '--match', 'sku'], { stdin });
    expect(stdout).toBe(JSON.stringify(item('S-0')));
    expect(stderr).not.toBe('');
    await sync(stdout, ['--match', 'sku', '--delete']);
    expect(await skus()).toEqual(['S-0', 'S-1', 'S-2']);
  });

  it.each([
    [['read'], '', 2, /What is to be read\? Name a file, .* shopify or woocommerce/],
    [['read', '-', '--from', 'shopify'], '', 2, /Only one source can be read/],
    [['read', '--from', 'shopify', '--currency', 'EUR'], '', 2, /--currency is for files/],
    [['read', '--from', 'magento'], '', 2, /Allowed choices are shopify, woocommerce/],
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
    [['read', '-'], '[]', 1, /^$/],
  ] as const)('%j prints nothing of %j', async (words, stdin, expected, sentence) => {
    const { code, stdout, stderr } = await command(words, { stdin });
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr.replace(/^error: /, '')).toMatch(sentence);
  });
});
