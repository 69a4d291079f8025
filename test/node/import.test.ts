import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { importProducts } from '../../tools/import/import-products.ts';
import { readShopifyExport } from '../../tools/import/shopify-export.ts';
import { all } from './outcomes.ts';
import type { Finished } from './processes.ts';
import { freePort, runWith, temporaryFolder } from './processes.ts';
import type { Server } from './server.ts';
import { shareServer } from './shared-server.ts';
import { expectedProducts, writeCsv } from './store-export.ts';
import { Wire } from './wire.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Server;
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
  const args = ['run', '-s', 'import', '--', file, '--url', baseUrl, ...flags];
  return runWith({ BRAND_API_KEY: apiKey }, 'npm', ...args);
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
async function file(name: string, text: string): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, text);
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

  it('leaves all alone the second time', async () => {
    const before = await productsOf(apiKey);
    expect(await summary(apiKey, path)).toBe(
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

  it('sends of a change only the fields that differ, and counts each product once', async () => {
    const wire = new Wire();
    const client = new BrandClient({ apiKey: await server.newBrand(), baseUrl, fetch: wire.fetch });
    const { products } = readShopifyExport(csv, 'USD');
    const progress: number[] = [];
    const onProgress = (done: number): number => progress.push(done);
    const options = { dryRun: false, onProgress, signal: new AbortController().signal };
    await importProducts(client, products, options);
    const changed = products.map((product, at) =>
      at === 2 ? { ...product, title: 'New' } : product,
    );
    await importProducts(client, changed, options);
    expect(Math.min(...progress)).toBeGreaterThanOrEqual(0);
    expect(progress.reduce((sum, done) => sum + done, 0)).toBe(2 * count);
    const writes = wire.sent.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
    expect(writes[1]?.body).toBe('{"title":"New"}');
  });
});

describe('The import says what it left out, and why', () => {
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
    expect(lines.slice(0, 4)).toEqual([
      'skipped: (no handle): its rows have no handle',
      'skipped: untitled: it has no title',
      'skipped: costly: its price is «1,000.00»',
      'skipped: free: its price is «»',
    ]);
    const refused = lines.slice(4, 7).sort();
    expect(refused[0]).toMatch(/^refused by the service: Under_Score: .*handle: expected a slug/);
    expect(refused[1]).toMatch(/^refused by the service: long: title: expected a string/);
    expect(refused[2]).toMatch(/^refused by the service: picture: .*imageUrl.*: expected an http/);
    expect(lines.slice(7)).toEqual([
      'taken over in part: variants: 1 further variant in one product; of the first only: Variant Price, Variant SKU',
      '3 created, 0 changed, 0 unchanged, 7 skipped.',
    ]);
    const products = await productsOf(apiKey);
    expect(products.map(({ handle }) => handle)).toEqual(['good', 'variants', 'last']);
    expect(products[1]).toMatchObject({ sku: 'V-1', priceCents: 150, storeInventoryQuantity: 3 });
  });

  it('of nothing, however long the descriptions of a batch are', async () => {
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

describe('The import ends with one sentence and exit status 1', () => {
  const path = 'test/data/jewelery.csv';

  async function expectSentence(ended: Promise<Finished>, sentence: RegExp): Promise<void> {
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toMatch(sentence);
  }

  it('with a wrong key, or none', async () => {
    await expectSentence(runImport('bik_wrong', path), /Invalid API key\. \(request [\w-]+\)/);
    const args = ['run', '-s', 'import', '--', path, '--url', baseUrl];
    await expectSentence(runWith({ BRAND_API_KEY: undefined }, 'npm', ...args), /BRAND_API_KEY/);
  });

  it('where the service cannot be reached', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const ended = runImport(server.apiKey, path, '--url', nowhere);
    await expectSentence(ended, /The service did not answer\./);
  });

  it('where there is no such file', async () => {
    await expectSentence(runImport(server.apiKey, 'nowhere.csv'), /no such file.*nowhere\.csv/);
  });

  it.each([
    ['is empty', ''],
    ['is a line of text', 'Good morning\n'],
    ['is another table', 'Handle,Name\na,b\n'],
    ['is no CSV', '{ "products": [{ "handle": "a", "title": "b" }] }\n'],
    ['breaks off inside quotes', 'Handle,Title,Variant Price\na,"b'],
  ])('where the file %s', async (what, text) => {
    const other = await file(`${what}.csv`, text);
    await expectSentence(runImport(server.apiKey, other), /no product export of Shopify/);
    expect(await productsOf(server.apiKey)).toEqual([]);
  });
});
