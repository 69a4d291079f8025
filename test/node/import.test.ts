import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../tools/admin/api-key.ts';
import { decodeExport } from '../../tools/import/export-table.ts';
import type { ImportOptions, ImportResult } from '../../tools/import/import-products.ts';
import { importProducts } from '../../tools/import/import-products.ts';
import { runScriptWith } from './processes.ts';
import { read, useImporter } from './importer.ts';
import { takeBrand } from './pool.ts';
import { expectedProducts, writeCsv } from './store-export.ts';
import { FaultyNetwork } from './faulty-network.ts';

const { brand, client, productsOf, run, summary, file } = useImporter();

it.each([
  ['jewelery', 23],
  ['apparel', 22],
])('Every value of %s.csv is read', async (name, count) => {
  const csv = await readFile(`test/data/${name}.csv`, 'utf8');
  const { products, skipped } = read(csv);
  expect([products.length, skipped]).toEqual([count, []]);
  expect(products).toMatchObject(expectedProducts(csv));
});

describe('The import of an export', () => {
  const path = 'test/data/apparel.csv';
  let csv: string;
  let apiKey: string;

  beforeAll(async () => {
    csv = await readFile(path, 'utf8');
    apiKey = (await takeBrand()).apiKey;
  });

  it('changes nothing in a dry run, creates all, and changes nothing the second time', async () => {
    expect(await summary(apiKey, path, '--dry-run')).toBe(
      'Would be: 22 created, 0 changed, 0 unchanged, 0 skipped.',
    );
    expect(await productsOf(apiKey)).toEqual([]);
    const flags = ['--currency', 'EUR'];
    expect(await summary(apiKey, path, ...flags)).toBe(
      '22 created, 0 changed, 0 unchanged, 0 skipped.',
    );
    const before = await productsOf(apiKey);
    const expected = expectedProducts(csv).map((product) => ({ ...product, currencyCode: 'EUR' }));
    expect(before).toMatchObject(expected);
    const { code, stdout, stderr } = await run(apiKey, path, ...flags, '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      ...{ dryRun: false, created: 0, updated: 0, unchanged: 22, deleted: 0 },
      ...{ skipped: [], refused: [], reduced: [], comparePrices: 0, error: null },
    });
    expect(await productsOf(apiKey)).toEqual(before);
  });

  it('changes what the file has and what is another there, and nothing else', async () => {
    const { products } = client(apiKey);
    const [first] = await productsOf(apiKey);
    await products.update(first?.id ?? '', { featured: true, marketplaceCategory: 'ELSEWHERE' });
    const before = await productsOf(apiKey);
    const lines = before.map(({ handle, title, priceCents }, index) => {
      const price = index < 3 ? 1.25 : priceCents / 100;
      return [handle, title, String(price)].map((text) => JSON.stringify(text)).join();
    });
    const short = await file('short.csv', ['Handle,Title,Variant Price', ...lines].join('\n'));
    expect(await summary(apiKey, short, '--currency', 'EUR')).toBe(
      '0 created, 3 changed, 19 unchanged, 0 skipped.',
    );
    const updatedAt: unknown = expect.any(String);
    const change = { priceCents: 125, updatedAt };
    expect(await productsOf(apiKey)).toEqual(
      before.map((product, index) => ({ ...product, ...(index < 3 && change) })),
    );
  });
});

describe('The import reports what it skipped, and why', () => {
  const good = { Title: 'Good', 'Variant Price': '1.50', Published: 'true' };

  it('of products that it cannot read and products that the service refuses', async () => {
    const { apiKey } = await takeBrand();
    const five = { 'Variant Inventory Qty': 5 };
    const first = {
      ...{ Handle: 'variants', 'Variant SKU': 'V-1', 'Variant Inventory Qty': -2 },
      'Variant Compare At Price': '9',
    };
    const path = await file(
      'refused.csv',
      writeCsv([
        { ...good, Handle: 'good' },
        { ...good, Handle: '' },
        { ...good, Handle: 'untitled', Title: ' ' },
        { ...good, Handle: 'costly', 'Variant Price': '33,61' },
        { ...good, Handle: 'free', 'Variant Price': '' },
        // It would be sold out.
        { ...good, Handle: 'plenty', 'Variant Inventory Qty': '1,200' },
        { ...good, Handle: 'Upper' },
        { ...good, Handle: 'long', Title: 'x'.repeat(256) },
        { ...good, Handle: 'picture', 'Image Src': 'ftp://example.com/a.jpg', 'Image Position': 1 },
        { ...good, ...first },
        { Handle: 'variants', 'Variant SKU': 'V-2', 'Variant Price': '2', ...five },
        { ...good, Handle: 'last' },
      ]),
    );
    const { code, stdout, stderr } = await run(apiKey, path, '--variants', 'first');
    expect([code, stderr]).toEqual([1, 'error: 8 of 11 products were skipped.\n']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'skipped: (no handle): its rows have no handle',
      'skipped: untitled: it has no title',
      'skipped: costly: its price is "33,61": use --decimal-comma',
      'skipped: free: its price is ""',
      'skipped: plenty: its quantity is "1,200"',
    ]);
    const refused = lines.slice(5, 8);
    expect(refused[0]).toMatch(/^refused by the service: Upper: .*handle: expected 1 to 255/);
    expect(refused[1]).toMatch(/^refused by the service: long: title: expected a string/);
    expect(refused[2]).toMatch(/^refused by the service: picture: .*imageUrl.*: expected an http/);
    expect(lines.slice(8)).toEqual([
      "imported in part: variants: 1 more variant; only the first one's price and SKU",
      'Compare-at prices that were left out: 1.',
      '3 created, 0 changed, 0 unchanged, 8 skipped.',
    ]);
    const products = await productsOf(apiKey);
    expect(products.map(({ handle }) => handle)).toEqual(['good', 'variants', 'last']);
    expect(products[1]).toMatchObject({ sku: 'V-1', priceCents: 150, storeInventoryQuantity: 3 });

    const again = await run(apiKey, path, '--variants', 'first', '--json');
    expect([again.code, again.stderr]).toEqual([1, 'error: 8 of 11 products were skipped.\n']);
    expect(JSON.parse(again.stdout)).toMatchObject({
      ...{ dryRun: false, created: 0, updated: 0, unchanged: 3, deleted: 0 },
      skipped: [{ handle: '', reason: 'its rows have no handle' }, {}, {}, {}, {}],
      refused: [{ handle: 'Upper' }, {}, {}],
      reduced: [{ handle: 'variants' }],
      error: '8 of 11 products were skipped.',
    });
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
  const data = read(writeCsv(rows));
  let apiKey: string;

  beforeAll(async () => {
    apiKey = (await takeBrand()).apiKey;
  });

  interface Outcome {
    readonly result: ImportResult;
    readonly network: FaultyNetwork;
    readonly progress: readonly number[];
  }

  async function importAll(
    options: Partial<ImportOptions>,
    from = data,
    network = new FaultyNetwork(),
  ): Promise<Outcome> {
    const progress: number[] = [];
    const result = await importProducts(client(apiKey, network.fetch), from, {
      match: 'handle',
      dryRun: false,
      pruneLimit: undefined,
      onProgress: (done) => progress.push(done),
      signal: new AbortController().signal,
      ...options,
    });
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
    const from = read(renamed);
    expect((await importAll({ match: 'sku' }, from)).result).toMatchObject({ updated: 10 });
    const after = await productsOf(apiKey);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[9]?.handle).toBe('renamed-9');
    await importAll({ match: 'sku' });
  });

  it('skips products without an SKU, and duplicates of an SKU, however far apart', async () => {
    const odd = read(
      writeCsv([
        ...rows.slice(0, 600),
        { ...rows[0], Handle: 'twin' },
        { ...rows[0], Handle: 'none', 'Variant SKU': '' },
      ]),
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
    expect(result.unchanged).toBe(500);
    expect(result.interruption?.message).toContain('Run it again');
    expect(network.sent).toHaveLength(1);
  });

  it('keeps handles as stores write them, and finds products by them', async () => {
    const handles = ['nhẫn-1', 'canasto-360º-1', 'סל', 'tac™-1', 'nov5_04-35', 'a--b'];
    const lines = handles.map((handle) => `${handle},A,1.50`);
    const from = read(['Handle,Title,Variant Price', ...lines].join('\n'));
    for (const [created, unchanged] of [
      [6, 0],
      [0, 6],
    ]) {
      expect((await importAll({}, from)).result).toMatchObject({ created, unchanged });
    }
    const products = await productsOf(apiKey);
    expect(products.slice(-6).map(({ handle }) => handle)).toEqual(handles);
  });

  it('reports what was done before the service failed', async () => {
    const network = new FaultyNetwork();
    network.next('served', ...Array.from({ length: 9 }, () => Response.json({}, { status: 401 })));
    const { result } = await importAll({}, data, network);
    expect(result).toMatchObject({ unchanged: 500, interruption: { status: 401 } });
  });
});

describe('The import ends with one sentence and exit status 1', () => {
  const path = 'test/data/jewelery.csv';

  it.each([
    [
      'with a wrong key',
      { BRAND_API_KEY: generateApiKey() },
      [path],
      /Invalid API key\. \(request/,
    ],
    ['without a key', { BRAND_API_KEY: undefined }, [path], /BRAND_API_KEY/],
    ['if the file does not exist', {}, ['nowhere.csv'], /no such file.*nowhere\.csv/],
    [
      'if the service cannot be reached',
      {},
      [path, '--url', 'http://127.0.0.1:4'],
      /The service did not answer\. \(http:\/\/127.*ECONNREFUSED/,
    ],
  ])('%s', async (_, variables, args, sentence) => {
    const key = { BRAND_API_KEY: brand().apiKey, ...variables };
    const { code, stdout, stderr } = await runScriptWith(
      ...([key, 'import', '--url', brand().baseUrl] as const),
      ...args,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toMatch(sentence);
  });
});

it.each([
  ['line of text', 'Good morning\n'],
  ['is JSON', '{ "products": [{ "handle": "a", "title": "b" }] }\n'],
  ['breaks off inside quotes', 'Handle,Title,Variant Price\na,"b'],
])('A file that is no export is refused: %s', (_, text) => {
  expect(() => read(text)).toThrow('not a Shopify product export');
});

it.each([
  ['Latin-1', (code: number) => [code]],
  ['UTF-16 without a byte order mark', (code: number) => [code, 0]],
] as const)('A file in %s is refused', (_, encode) => {
  const text = 'Handle,Title,Variant Price\na,Caf\u00E9,1\n';
  const bytes = Array.from(text, (character) => encode(character.charCodeAt(0))).flat();
  expect(() => decodeExport(Uint8Array.from(bytes))).toThrow('the file is not in UTF-8');
});
