import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/auth/api-key.ts';
import type { ImportOptions, ImportResult } from '../../tools/import/import-products.ts';
import { importProducts } from '../../tools/import/import-products.ts';
import type { Finished } from './processes.ts';
import { freePort, runScriptWith } from './processes.ts';
import { read, useImporter } from './importer.ts';
import { expectedProducts, writeCsv } from './store-export.ts';
import { FaultyNetwork } from './faulty-network.ts';

const { server, baseUrl, client, productsOf, run, summary, file } = useImporter();

describe.each([
  { name: 'jewelery.csv', count: 23 },
  { name: 'apparel.csv', count: 22 },
])('The import of $name', ({ name, count }) => {
  const path = `test/data/${name}`;
  let csv: string;
  let apiKey: string;

  beforeAll(async () => {
    csv = await readFile(path, 'utf8');
    apiKey = await server().newBrand();
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
    const { products } = client(apiKey);
    for (const { id } of await productsOf(apiKey)) {
      await products.update(id, { featured: true, marketplaceCategory: 'ELSEWHERE' });
    }
    const before = await productsOf(apiKey);
    const dearer = before.slice(-3).map(({ handle }) => handle);
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

it('imports handles as stores write them', async () => {
  const apiKey = await server().newBrand();
  const handles = ['nhẫn-1', 'canasto-360º-1', 'סל', 'tac™-1', 'nov5_04-35', 'a--b'];
  const lines = handles.map((handle) => `${handle},A,1.50`);
  const path = await file('handles.csv', ['Handle,Title,Variant Price', ...lines].join('\n'));
  expect(await summary(apiKey, path)).toBe('6 created, 0 changed, 0 unchanged, 0 skipped.');
  expect(await summary(apiKey, path)).toBe('0 created, 0 changed, 6 unchanged, 0 skipped.');
  expect((await productsOf(apiKey)).map(({ handle }) => handle)).toEqual(handles);
});

describe('The import reports what it skipped, and why', () => {
  const good = { Title: 'Good', 'Variant Price': '1.50', Published: 'true' };

  it('of products that it cannot read and products that the service refuses', async () => {
    const apiKey = await server().newBrand();
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
        {
          ...good,
          Handle: 'variants',
          'Variant SKU': 'V-1',
          'Variant Inventory Qty': -2,
          'Variant Compare At Price': '9',
        },
        {
          Handle: 'variants',
          'Variant SKU': 'V-2',
          'Variant Price': '2',
          'Variant Inventory Qty': 5,
        },
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

  it.each([
    [['--currency', 'euro'], 'refused by the service: '],
    [['--match', 'sku'], 'skipped: '],
    [['--dry-run', '--match', 'sku'], 'skipped: '],
  ])('of every product, and fails: %j', async (flags, begin) => {
    const apiKey = await server().newBrand();
    const rows = ['a', 'b', 'c'].map((handle) => ({ ...good, Handle: handle }));
    const path = await file('none.csv', writeCsv(rows));
    const { code, stdout, stderr } = await run(apiKey, path, ...flags);
    expect([code, stderr]).toEqual([1, 'error: 3 of 3 products were skipped.\n']);
    expect(stdout).toContain(`\n${begin}c: `);
    expect(stdout).toMatch(/0 created, 0 changed, 0 unchanged, 3 skipped\.\n$/);
    expect(await productsOf(apiKey)).toEqual([]);
  });

  it('of none, as one JSON document', async () => {
    const apiKey = await server().newBrand();
    const path = await file('json.csv', writeCsv([{ ...good, Handle: 'a' }]));
    for (const counts of [
      { created: 1, unchanged: 0 },
      { created: 0, unchanged: 1 },
    ]) {
      const { code, stdout, stderr } = await run(apiKey, path, '--json');
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toEqual({
        ...{ dryRun: false, updated: 0, deleted: 0, ...counts },
        ...{ skipped: [], refused: [], reduced: [], comparePrices: 0, error: null },
      });
    }
  });

  it('nothing, however long the descriptions of a batch are', async () => {
    const apiKey = await server().newBrand();
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
  const data = read(writeCsv(rows));
  let apiKey: string;

  beforeAll(async () => {
    apiKey = await server().newBrand();
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

  it('reports what was done before the service failed', async () => {
    const network = new FaultyNetwork();
    network.next('served', ...Array.from({ length: 9 }, () => Response.json({}, { status: 401 })));
    const { result } = await importAll({}, data, network);
    expect(result).toMatchObject({ unchanged: 500, interruption: { status: 401 } });
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
    const unknown = run(generateApiKey(), path);
    await expectSentence(unknown, /Invalid API key\. \(request [\w-]+\)/);
    await expectSentence(run('bik_…', path), /BRAND_API_KEY is not an API key/);
    const ended = runScriptWith({ BRAND_API_KEY: undefined }, 'import', path, '--url', baseUrl());
    await expectSentence(ended, /BRAND_API_KEY/);
  });

  it('if the service cannot be reached', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const ended = run(server().apiKey, path, '--url', nowhere);
    await expectSentence(ended, /The service did not answer\. \(http:\/\/127.*ECONNREFUSED/);
  });

  it('if the address has a path', async () => {
    const ended = await run(server().apiKey, path, '--url', `${baseUrl()}/api/brand/v1`);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('without a path');
  });

  it('if the file does not exist', async () => {
    await expectSentence(run(server().apiKey, 'nowhere.csv'), /no such file.*nowhere\.csv/);
  });

  it.each(['latin1', 'utf16le'] as const)('where the file is %s', async (encoding) => {
    const other = await file(
      `${encoding}.csv`,
      'Handle,Title,Variant Price\na,Caf\u00E9,1\n',
      encoding,
    );
    await expectSentence(run(server().apiKey, other), /the file is not in UTF-8/);
    expect(await productsOf(server().apiKey)).toEqual([]);
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
    await expectSentence(run(server().apiKey, other), /not a Shopify product export/);
    expect(await productsOf(server().apiKey)).toEqual([]);
  });
});
