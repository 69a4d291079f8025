import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { generateApiKey } from '../../src/auth/api-key.ts';
import type { ImportOptions, ImportResult } from '../../tools/import/import-products.ts';
import { importProducts } from '../../tools/import/import-products.ts';
import { readShopifyExport } from '../../tools/import/shopify-export.ts';
import { all } from './outcomes.ts';
import type { Finished } from './processes.ts';
import { freePort, runScriptWith, temporaryFolder } from './processes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';
import { expectedProducts, writeCsv } from './store-export.ts';
import { FaultyNetwork } from './faulty-network.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: SharedServer;
let baseUrl: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await shareServer();
  baseUrl = `http://127.0.0.1:${server.port}`;
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

/** Runs the import to its end. */
function runImport(apiKey: string, file: string, ...flags: readonly string[]): Promise<Finished> {
  return runScriptWith({ BRAND_API_KEY: apiKey }, 'import', file, '--url', baseUrl, ...flags);
}

/** The line that an import which went well ends with. */
async function summary(...args: Parameters<typeof runImport>): Promise<string | undefined> {
  const { code, stdout, stderr } = await runImport(...args);
  expect([code, stderr], stdout).toEqual([0, '']);
  return stdout.trimEnd().split('\n').at(-1);
}

function productsOf(apiKey: string): Promise<Product[]> {
  return all(new BrandClient({ apiKey, baseUrl }).products.list());
}

/** Writes a file for an import and gives its path. */
async function file(
  name: string,
  text: string,
  encoding: 'utf8' | 'latin1' | 'utf16le' = 'utf8',
): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, text, encoding);
  return path;
}

describe.each([
  { name: 'jewelery.csv', count: 20 },
  { name: 'apparel.csv', count: 20 },
])('The import of $name', ({ name, count }) => {
  const path = `test/data/${name}`;
  let csv: string;
  let apiKey: string;

  beforeAll(async () => {
    csv = await readFile(path, 'utf8');
    apiKey = await server.newBrand();
  });

  it('changes nothing in a dry run', async () => {
    expect(await summary(apiKey, path, '--dry-run')).toBe(
      `Would be: ${count} created, 0 changed, 0 unchanged, 0 skipped.`,
    );
    expect(await productsOf(apiKey)).toEqual([]);
  });

  it('creates every product with every value of the file', async () => {
    const expected = expectedProducts(csv);
    expect(expected).toHaveLength(count);
    expect(await summary(apiKey, path)).toBe(
      `${count} created, 0 changed, 0 unchanged, 0 skipped.`,
    );
    expect(await productsOf(apiKey)).toMatchObject(expected);
  });

  it('changes nothing the second time', async () => {
    const before = await productsOf(apiKey);
    expect(await summary(apiKey, path)).toBe(
      `0 created, 0 changed, ${count} unchanged, 0 skipped.`,
    );
    expect(await productsOf(apiKey)).toEqual(before);
  });

  it('leaves a field as it is whose column the file does not have', async () => {
    const before = await productsOf(apiKey);
    const lines = before.map(({ handle, title, priceCents }) =>
      [handle, title, (priceCents / 100).toFixed(2)].map((text) => JSON.stringify(text)).join(),
    );
    const short = await file(name, ['Handle,Title,Variant Price', ...lines].join('\n'));
    expect(await summary(apiKey, short)).toBe(
      `0 created, 0 changed, ${count} unchanged, 0 skipped.`,
    );
    expect(await productsOf(apiKey)).toEqual(before);
  });

  it('changes the prices that changed, and nothing else', async () => {
    const { products } = new BrandClient({ apiKey, baseUrl });
    for (const { id } of await productsOf(apiKey)) {
      await products.update(id, { featured: true, marketplaceCategory: 'ELSEWHERE' });
    }
    const before = await productsOf(apiKey);
    const dearer = before.slice(3, 6).map(({ handle }) => handle);
    const text = dearer.reduce(
      (text, handle) =>
        text.replace(new RegExp(`^(${handle},.*?,manual,)[\\d.]+,`, 'ms'), '$1123.4,'),
      csv,
    );
    const changed = await file(name, text);

    expect(await summary(apiKey, changed, '--dry-run')).toBe(
      `Would be: 0 created, 3 changed, ${count - 3} unchanged, 0 skipped.`,
    );
    expect(await productsOf(apiKey)).toEqual(before);
    expect(await summary(apiKey, changed)).toBe(
      `0 created, 3 changed, ${count - 3} unchanged, 0 skipped.`,
    );
    const after = await productsOf(apiKey);
    expect(after).toEqual(
      before.map((product, index) =>
        dearer.includes(product.handle)
          ? { ...product, priceCents: 12_340, updatedAt: after[index]?.updatedAt }
          : product,
      ),
    );
  });
});

describe('A price in the minor unit of its currency', () => {
  it.each([
    ['42.9', 'USD', 4290],
    ['1200', 'JPY', 1200],
    ['1200.00', 'JPY', 1200],
    ['1200.50', 'JPY', undefined],
    ['1.234', 'KWD', 1234],
    ['1.2340', 'KWD', 1234],
    ['1200', 'HUF', 120_000],
    ['1.999', 'USD', undefined],
  ])('%s %s is %s', (price, currency, expected) => {
    const csv = `Handle,Title,Variant Price\na,A,${price}\n`;
    const { products } = readShopifyExport(csv, currency);
    expect(products[0]?.priceCents).toBe(expected);
  });
});

describe('The import reports what it skipped, and why', () => {
  const good = { Title: 'Good', 'Variant Price': '1.50', Published: 'true' };

  it('of products that it cannot read and products that the service refuses', async () => {
    const apiKey = await server.newBrand();
    const path = await file(
      'refused.csv',
      writeCsv([
        { ...good, Handle: 'good' },
        { ...good, Handle: '' },
        { ...good, Handle: 'untitled', Title: ' ' },
        { ...good, Handle: 'costly', 'Variant Price': '1,000.00' },
        { ...good, Handle: 'free', 'Variant Price': '' },
        // It would be sold out.
        { ...good, Handle: 'plenty', 'Variant Inventory Qty': '1,200' },
        { ...good, Handle: 'Under_Score' },
        { ...good, Handle: 'long', Title: 'x'.repeat(256) },
        { ...good, Handle: 'picture', 'Image Src': 'ftp://example.com/a.jpg', 'Image Position': 1 },
        { ...good, Handle: 'variants', 'Variant SKU': 'V-1', 'Variant Inventory Qty': -2 },
        {
          Handle: 'variants',
          'Variant SKU': 'V-2',
          'Variant Price': '2',
          'Variant Inventory Qty': 5,
        },
        { ...good, Handle: 'last' },
      ]),
    );
    const { code, stdout, stderr } = await runImport(apiKey, path);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'skipped: (no handle): its rows have no handle',
      'skipped: untitled: it has no title',
      'skipped: costly: its price is "1,000.00"',
      'skipped: free: its price is ""',
      'skipped: plenty: its quantity is "1,200"',
    ]);
    const refused = lines.slice(5, 8);
    expect(refused[0]).toMatch(/^refused by the service: Under_Score: .*handle: expected a slug/);
    expect(refused[1]).toMatch(/^refused by the service: long: title: expected a string/);
    expect(refused[2]).toMatch(/^refused by the service: picture: .*imageUrl.*: expected an http/);
    expect(lines.slice(8)).toEqual([
      "imported in part: variants: 1 more variant; only the first one's Variant Price, Variant SKU",
      '3 created, 0 changed, 0 unchanged, 8 skipped.',
    ]);
    const products = await productsOf(apiKey);
    expect(products.map(({ handle }) => handle)).toEqual(['good', 'variants', 'last']);
    expect(products[1]).toMatchObject({ sku: 'V-1', priceCents: 150, storeInventoryQuantity: 3 });
  });

  it('nothing, however long the descriptions of a batch are', async () => {
    const apiKey = await server.newBrand();
    const rows = Array.from({ length: 100 }, (_, index) => ({
      ...good,
      Handle: `long-${index}`,
      'Body (HTML)': `<p>${'ü'.repeat(15_000)}</p>`,
    }));
    const path = await file('long.csv', writeCsv(rows));
    expect(await summary(apiKey, path)).toBe('100 created, 0 changed, 0 unchanged, 0 skipped.');
    const products = await productsOf(apiKey);
    expect(products.map(({ handle }) => handle)).toEqual(rows.map((row) => row.Handle));
  });
});

describe('The import of many products', () => {
  const rows = Array.from({ length: 1200 }, (_, index) => ({
    Handle: `many-${index}`,
    Title: index === 700 ? 'x'.repeat(256) : `Number ${index}`,
    'Variant SKU': `SKU-${index}`,
    'Variant Price': '1.50',
    Published: 'true',
  }));
  const data = readShopifyExport(writeCsv(rows), 'USD');
  let apiKey: string;

  beforeAll(async () => {
    apiKey = await server.newBrand();
  });

  interface Outcome {
    readonly result: ImportResult;
    readonly network: FaultyNetwork;
    readonly progress: readonly number[];
  }

  async function importAll(options: Partial<ImportOptions>, from = data): Promise<Outcome> {
    const network = new FaultyNetwork();
    const progress: number[] = [];
    const result = await importProducts(
      new BrandClient({ apiKey, baseUrl, fetch: network.fetch }),
      from,
      {
        match: 'handle',
        dryRun: false,
        pruneLimit: undefined,
        onProgress: (done) => progress.push(done),
        signal: new AbortController().signal,
        ...options,
      },
    );
    return { result, network, progress };
  }

  it('sends one request per 500 products, and reports in a dry run what it does, including refusals', async () => {
    const predicted = await importAll({ dryRun: true });
    expect(await productsOf(apiKey)).toEqual([]);
    const done = await importAll({});
    expect(done.result).toEqual(predicted.result);
    expect(done.result).toMatchObject({ created: 1199, updated: 0, unchanged: 0 });
    expect(done.result.refused).toHaveLength(1);
    expect(done.result.refused[0]).toMatchObject({ handle: 'many-700' });
    for (const { network, progress } of [predicted, done]) {
      expect(network.sent).toHaveLength(3);
      expect(progress).toEqual([0, 500, 1000, 1200]);
    }
    expect(await productsOf(apiKey)).toHaveLength(1199);
  });

  it('finds products by SKU if their handles changed', async () => {
    const renamed = writeCsv(
      rows.slice(0, 10).map((row, index) => ({ ...row, Handle: `renamed-${index}` })),
    );
    const before = await productsOf(apiKey);
    const from = readShopifyExport(renamed, 'USD');
    expect((await importAll({ match: 'sku' }, from)).result).toMatchObject({ updated: 10 });
    const after = await productsOf(apiKey);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[9]?.handle).toBe('renamed-9');
    await importAll({ match: 'sku' });
  });

  it('skips products without an SKU, and duplicates of an SKU, however far apart', async () => {
    const odd = readShopifyExport(
      writeCsv([
        ...rows.slice(0, 600),
        { ...rows[0], Handle: 'twin' },
        { ...rows[0], Handle: 'none', 'Variant SKU': '' },
      ]),
      'USD',
    );
    const { result } = await importAll({ match: 'sku', dryRun: true }, odd);
    expect(result).toMatchObject({ created: 0, updated: 0, unchanged: 600, refused: [] });
    expect(result.skipped).toEqual([
      { handle: 'twin', reason: 'many-0 has the same sku: "SKU-0"' },
      { handle: 'none', reason: 'it has no sku' },
    ]);
  });

  it('stops between two requests', async () => {
    const stop = new AbortController();
    const { result, network } = await importAll({
      signal: stop.signal,
      onProgress: (done) => {
        if (done > 0) stop.abort();
      },
    });
    expect(result).toMatchObject({ unchanged: 500, isStopped: true });
    expect(network.sent).toHaveLength(1);
  });
});

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
    apiKey = await server.newBrand();
    const { products } = new BrandClient({ apiKey, baseUrl });
    await products.createMany([
      { title: 'Made by hand', priceCents: 1, handle: 'by-hand' },
      { title: 'Without SKU', priceCents: 1, handle: 'p-0', source: 'SHOPIFY' },
      { title: 'Of another store', priceCents: 1, source: 'WOOCOMMERCE' },
    ]);
    await summary(apiKey, await file('all.csv', writeCsv(rows.slice(1))));
  });

  /** What there is, and what an import says that must not change it. */
  async function refused(...args: readonly [path: string, ...flags: string[]]): Promise<string> {
    const before = await productsOf(apiKey);
    const { code, stdout, stderr } = await runImport(apiKey, ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(await productsOf(apiKey)).toEqual(before);
    return stderr;
  }

  it('rejects a file without products, and one that would delete too much', async () => {
    const none = await file('none.csv', writeCsv([]));
    expect(await refused(none, '--prune', '--prune-limit', '100')).toMatch(
      /^error: No product in the file has a handle: .* Nothing was changed\.\n$/,
    );
    const few = await file('few.csv', writeCsv(rows.slice(0, 4)));
    const sentence =
      'error: --prune would delete 6 of the 10 products of SHOPIFY, more than the 50 percent that --prune-limit allows. Nothing was changed.\n';
    expect(await refused(few, '--prune')).toBe(sentence);
    expect(await refused(few, '--prune', '--dry-run')).toBe(sentence);
    expect(await refused(few, '--prune', '--prune-limit', '101')).toMatch(/from 0 to 100/);
  });

  it('deletes what is not in the file, and reports it in a dry run', async () => {
    const before = await productsOf(apiKey);
    // The file has it, though the importer cannot read it: it stays as it was.
    const unreadable = { ...row(1), 'Variant Price': 'free' };
    const half = await file('half.csv', writeCsv([unreadable, ...rows.slice(2, 5), row(17)]));
    const flags = ['--prune', '--prune-limit', '60'];
    const skipped = 'skipped: p-1: its price is "free"';
    const counts = '1 created, 0 changed, 3 unchanged, 6 deleted, 1 skipped.';
    const predicted = await runImport(apiKey, half, ...flags, '--dry-run');
    expect(predicted.stdout).toBe(`${skipped}\nWould be: ${counts}\n`);
    expect(await productsOf(apiKey)).toEqual(before);
    expect((await runImport(apiKey, half, ...flags)).stdout).toBe(`${skipped}\n${counts}\n`);
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
    const key = await server.newBrand();
    const { products } = new BrandClient({ apiKey: key, baseUrl });
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
    const result = await importProducts(
      new BrandClient({ apiKey: key, baseUrl, fetch: disturbed }),
      readShopifyExport(writeCsv([row(1)]), 'USD'),
      {
        match: 'handle',
        dryRun: false,
        pruneLimit: 100,
        onProgress: () => undefined,
        signal: new AbortController().signal,
      },
    );
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
    ['is unavailable', () => Response.json({ error: 'Later.' }, { status: 503 })],
    [
      'breaks the connection',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ])('goes on if the service %s while it deletes', async (_, fail) => {
    let failures = 0;
    const { result, left } = await pruned((method, isItem) =>
      Promise.resolve(isItem && method === 'DELETE' && failures++ === 0 ? fail() : undefined),
    );
    expect(failures).toBe(1);
    expect(result).toMatchObject({ created: 1, deleted: 2, skipped: [] });
    expect(left).toEqual(['p-1']);
  });

  it.each([
    ['GET', 404],
    ['DELETE', 404],
    ['DELETE', 412],
    ['GET', 502],
    ['DELETE', 520],
  ])('goes on after the %s of a product that a gateway answers with %d', async (moment, status) => {
    let failures = 0;
    const { result, left } = await pruned((method, isItem) => {
      if (!isItem || method !== moment || failures++ > 0) return Promise.resolve(undefined);
      return Promise.resolve(new Response('default backend - 404', { status }));
    });
    expect(failures).toBeGreaterThan(0);
    expect(result).toMatchObject({ created: 1, deleted: 2, skipped: [] });
    expect(left).toEqual(['p-1']);
  });

  it('does not count as deleted what a gateway does not find', async () => {
    const pruning = pruned((_, isItem) =>
      Promise.resolve(isItem ? new Response('default backend - 404', { status: 404 }) : undefined),
    );
    await expect(pruning).rejects.toMatchObject({ status: 404, isFromService: false });
  });

  it('keeps a product without an SKU when matching by SKU', async () => {
    const { products } = new BrandClient({ apiKey, baseUrl });
    await products.create({ title: 'No SKU', priceCents: 1, source: 'SHOPIFY' });
    const four = await file('four.csv', writeCsv([row(2), row(3), row(4)]));
    expect(await summary(apiKey, four, '--prune', '--match', 'sku')).toBe(
      '0 created, 0 changed, 3 unchanged, 2 deleted, 0 skipped.',
    );
    const left = (await productsOf(apiKey)).map(({ handle }) => handle);
    expect(left).toEqual(['by-hand', 'of-another-store', 'p-2', 'p-3', 'p-4', 'no-sku']);
  });
});

describe('The import ends with one sentence and exit status 1', () => {
  const path = 'test/data/jewelery.csv';

  async function expectSentence(ended: Promise<Finished>, sentence: RegExp): Promise<void> {
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toMatch(sentence);
  }

  it('with a wrong key, or none', async () => {
    const unknown = runImport(generateApiKey(), path);
    await expectSentence(unknown, /Invalid API key\. \(request [\w-]+\)/);
    await expectSentence(runImport('bik_…', path), /BRAND_API_KEY is not an API key/);
    const ended = runScriptWith({ BRAND_API_KEY: undefined }, 'import', path, '--url', baseUrl);
    await expectSentence(ended, /BRAND_API_KEY/);
  });

  it('if the service cannot be reached', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const ended = runImport(server.apiKey, path, '--url', nowhere);
    await expectSentence(ended, /The service did not answer\. \(http:\/\/127.*ECONNREFUSED/);
  });

  it('if the address has a path', async () => {
    const ended = await runImport(server.apiKey, path, '--url', `${baseUrl}/api/brand/v1`);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('without a path');
  });

  it('if the file does not exist', async () => {
    await expectSentence(runImport(server.apiKey, 'nowhere.csv'), /no such file.*nowhere\.csv/);
  });

  it.each(['latin1', 'utf16le'] as const)('where the file is %s', async (encoding) => {
    const text = '\uFEFFHandle,Title,Variant Price\na,Caf\u00E9,1\n';
    const other = await file(`${encoding}.csv`, text, encoding);
    await expectSentence(runImport(server.apiKey, other), /the file is not in UTF-8/);
    expect(await productsOf(server.apiKey)).toEqual([]);
  });

  it.each([
    ['is empty', ''],
    ['is a line of text', 'Good morning\n'],
    ['is another table', 'Handle,Name\na,b\n'],
    ['is no CSV', '{ "products": [{ "handle": "a", "title": "b" }] }\n'],
    ['breaks off inside quotes', 'Handle,Title,Variant Price\na,"b'],
    // Which of them counts would be a guess.
    ['has a column twice', 'Handle,Title,Variant Price,Variant Price\na,b,1,2\n'],
  ])('where the file %s', async (what, text) => {
    const other = await file(`${what}.csv`, text);
    await expectSentence(runImport(server.apiKey, other), /not a Shopify product export/);
    expect(await productsOf(server.apiKey)).toEqual([]);
  });
});
