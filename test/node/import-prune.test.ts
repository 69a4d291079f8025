import { beforeAll, describe, expect, it } from 'vitest';
import type { ImportResult } from '../../tools/import/import-products.ts';
import { importProducts } from '../../tools/import/import-products.ts';
import { read, useImporter } from './importer.ts';
import { takeBrand } from './pool.ts';
import { writeCsv } from './store-export.ts';

const { client, productsOf, run, summary, file } = useImporter();

describe('The import with --prune', () => {
  const row = (index: number): Record<string, string> => ({
    Handle: `p-${index}`,
    Title: `Number ${index}`,
    'Variant SKU': `S-${index}`,
    'Variant Price': '1',
    Published: 'true',
  });
  const rows = Array.from({ length: 10 }, (_, index) => row(index));
  let apiKey: string;

  beforeAll(async () => {
    apiKey = (await takeBrand()).apiKey;
    const { products } = client(apiKey);
    await products.createMany([
      { title: 'Made by hand', priceCents: 1, handle: 'by-hand' },
      { title: 'Without SKU', priceCents: 1, handle: 'p-0', source: 'SHOPIFY' },
      { title: 'Of another store', priceCents: 1, source: 'WOOCOMMERCE' },
    ]);
    await summary(apiKey, await file('all.csv', writeCsv(rows.slice(1))));
  });

  /** Imports from a text into the brand of a key. */
  function importing(
    key: string,
    csv: string,
    pruneLimit: number,
    fetch?: typeof globalThis.fetch,
  ): Promise<ImportResult> {
    return importProducts(client(key, fetch), read(csv), {
      ...{ match: 'handle', dryRun: false, pruneLimit },
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  }

  it('refuses a file without products, and one that would delete too much', async () => {
    const before = await productsOf(apiKey);
    await expect(importing(apiKey, writeCsv([]), 100)).rejects.toThrow(
      /^No product in the file has a handle: .* Nothing was changed\.$/,
    );
    const sentence =
      '--prune would delete 6 of the 10 products of SHOPIFY, more than the 50 percent that --prune-limit allows. Nothing was changed.';
    const few = writeCsv(rows.slice(0, 4));
    await expect(importing(apiKey, few, 50)).rejects.toThrow(sentence);
    const path = await file('few.csv', few);
    for (const [flags, said] of [
      [['--dry-run'], sentence],
      [['--prune-limit', '101'], 'from 0 to 100'],
      [['--currency', 'euro'], 'a currency code such as EUR'],
    ] as const) {
      const { code, stdout, stderr } = await run(apiKey, path, '--prune', ...flags);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(said);
    }
    expect(await productsOf(apiKey)).toEqual(before);
  });

  it('deletes what is not in the file, and reports it in a dry run', async () => {
    const before = await productsOf(apiKey);
    // The file has it, though the importer cannot read it: it stays as it was.
    const unreadable = { ...row(1), 'Variant Price': 'free' };
    const half = await file('half.csv', writeCsv([unreadable, ...rows.slice(2, 5), row(17)]));
    const flags = ['--prune', '--prune-limit', '60'];
    const skipped = 'skipped: p-1: its price is "free"';
    const counts = '1 created, 0 changed, 3 unchanged, 6 deleted, 1 skipped.';
    const predicted = await run(apiKey, half, ...flags, '--dry-run');
    expect(predicted.stdout).toBe(`${skipped}\nWould be: ${counts}\n`);
    expect(await productsOf(apiKey)).toEqual(before);
    const done = await run(apiKey, half, ...flags);
    expect(done.stdout).toBe(`${skipped}\n${counts}\n`);
    for (const { code, stderr } of [predicted, done]) {
      expect([code, stderr]).toEqual([1, 'error: 1 of 11 products was skipped.\n']);
    }
    const left = (await productsOf(apiKey)).map(({ handle }) => handle);
    const expected = ['by-hand', 'of-another-store', 'p-1', 'p-2', 'p-3', 'p-4', 'p-17'];
    expect(left).toEqual(expected);
  });

  /**
   * Imports a file from which two products are missing.
   * @param disturb runs after each request of the import, with whether it is one for the first of them; what it returns is
   *   the response in the service's place
   */
  async function pruned(
    disturb: (
      method: string | undefined,
      isItem: boolean,
      change: () => Promise<unknown>,
    ) => Promise<Response | undefined>,
  ): Promise<{ readonly result: ImportResult; readonly left: readonly string[] }> {
    const key = (await takeBrand()).apiKey;
    const { products } = client(key);
    const [taken] = await products.createMany([
      { title: 'Taken over', priceCents: 1, source: 'SHOPIFY' },
      { title: 'Gone', priceCents: 1, source: 'SHOPIFY' },
    ]);
    const id = taken?.id ?? '';
    const disturbed: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const isItem = response.url.endsWith(id);
      const change = async (): Promise<unknown> => products.update(id, { source: 'API' });
      return (await disturb(init?.method, isItem, change)) ?? response;
    };
    const result = await importing(key, writeCsv([row(1)]), 100, disturbed);
    return { result, left: (await productsOf(key)).map(({ handle }) => handle) };
  }

  it.each([
    ['push', 'POST', false],
    ['reading', 'GET', true],
  ])('keeps a product that somebody changes after its %s', async (_, moment, ofItem) => {
    let changes = 0;
    const { result, left } = await pruned(async (method, isItem, change) => {
      if (method === moment && isItem === ofItem && changes++ === 0) await change();
      return undefined;
    });
    expect(changes).toBeGreaterThan(0);
    expect(result).toMatchObject({ created: 1, deleted: 1 });
    expect(result.skipped.map(({ handle }) => handle)).toEqual(['taken-over']);
    expect(left).toEqual(['taken-over', 'p-1']);
  });

  it.each([
    [
      'DELETE',
      'the service is unavailable',
      () => Response.json({ error: 'No.' }, { status: 503 }),
    ],
    [
      'DELETE',
      'the connection breaks',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
    ['GET', 'a gateway answers with 404', () => new Response('No backend.', { status: 404 })],
    ['DELETE', 'a gateway answers with 412', () => new Response('No.', { status: 412 })],
  ])('goes on after the %s of a product for which %s', async (moment, _, fail) => {
    let failures = 0;
    const { result, left } = await pruned((method, isItem) =>
      Promise.resolve(isItem && method === moment && failures++ === 0 ? fail() : undefined),
    );
    expect(failures).toBeGreaterThan(0);
    expect(result).toMatchObject({ created: 1, deleted: 2, skipped: [] });
    expect(left).toEqual(['p-1']);
  });

  it('keeps a product without an SKU when matching by SKU', async () => {
    const { products } = client(apiKey);
    await products.create({ title: 'No SKU', priceCents: 1, source: 'SHOPIFY' });
    const four = await file('four.csv', writeCsv([row(2), row(3), row(4)]));
    expect(await summary(apiKey, four, '--prune', '--match', 'sku')).toBe(
      '0 created, 0 changed, 3 unchanged, 2 deleted, 0 skipped.',
    );
    const left = (await productsOf(apiKey)).map(({ handle }) => handle);
    expect(left).toEqual(['by-hand', 'of-another-store', 'p-2', 'p-3', 'p-4', 'no-sku']);
  });
});
