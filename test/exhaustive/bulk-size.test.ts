import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { interceptD1 } from '../support/intercept-d1.ts';
import { resourceOf, resourcesOf, TestBrand } from '../support/brand.ts';
import { keysOf, withIdempotencyKey } from '../support/idempotency.ts';
import { meter } from '../support/meter.ts';

const PRODUCT = { title: 'Bar', priceCents: 1 };

/** The most that D1 takes as one value, in bytes; the local one takes more. */
const D1_VALUE = 2_000_000;

/** A binding that notes how many bytes the longest value bound to a statement had. */
function measured(): { readonly db: D1Database; readonly longest: () => number } {
  let longest = 0;
  const db = interceptD1(
    env.DB,
    (call) => call(),
    (method, values) => {
      if (method !== 'bind') return;
      const lengths = values.map((value) => new TextEncoder().encode(String(value)).byteLength);
      longest = Math.max(longest, ...lengths);
    },
  );
  return { db, longest: () => longest };
}

it.each([
  ['in ASCII', 'x'.repeat(4096)],
  ['in four bytes', '😀'.repeat(1024)],
  ['in escapes', '\n"\\'.repeat(682).trim()],
])('A list of 500 descriptions of 4 KB is created in one D1 call: %s', async (_, description) => {
  const brand = await TestBrand.create();
  const products = Array.from({ length: 500 }, (_, index) => ({
    title: String(index),
    priceCents: 1,
    description,
  }));
  const metered = meter();
  const options = { ...withIdempotencyKey('key-1'), db: metered.db };
  const answer = await brand.send('POST', '/products', { products }, options);

  expect(answer.status).toBe(201);
  expect(metered.calls).toBe(1);
  expect(metered.statements).toBeLessThanOrEqual(10);
  const made = resourcesOf(answer);
  expect(made.map(({ title }) => title)).toEqual(products.map(({ title }) => title));
  expect(made.every((product) => product['description'] === description)).toBe(true);
  expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBe(1);
  // Compared as a boolean, because printing a difference would take megabytes.
  expect((await brand.send('GET', '/products')).text === answer.text).toBe(true);

  const again = await brand.send('POST', '/products', { products }, options);
  expect(again.status).toBe(201);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(resourcesOf(again).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  expect(await keysOf(brand)).toEqual(['key-1']);

  const { db, longest } = measured();
  expect((await brand.send('POST', '/products', { products }, { db })).status).toBe(201);
  expect(longest()).toBeGreaterThan(100_000);
  expect(longest()).toBeLessThanOrEqual(D1_VALUE);
});

// D1 allows five terms in a compound SELECT. Items of more than half a parameter's length need a parameter each.
describe.each([
  { what: 'six items of 320 KB', count: 6, urls: 156, url: 'https://a/'.padEnd(2048, 'x') },
  {
    what: 'thirteen items escaped twice',
    count: 13,
    urls: 37,
    url: 'https://a/'.padEnd(2048, '"'),
  },
])('$what', ({ count, urls, url }) => {
  const products = Array.from({ length: count }, (_, n) => ({
    ...PRODUCT,
    sku: `S${n}`,
    imageUrls: Array.from({ length: urls }, () => url),
  }));
  const shown = products.map(({ sku, imageUrls }) => ({ sku, imageUrls }));

  it.each(['', '?match=sku'])(
    'A list of large items is created once for a key, and then changed: POST /products%s',
    async (query) => {
      const brand = await TestBrand.create();
      const path = `/products${query}`;
      for (const key of ['key-1', 'key-1']) {
        const answer = await brand.send('POST', path, { products }, withIdempotencyKey(key));
        expect(answer.status).toBe(query === '' ? 201 : 200);
        expect(resourcesOf(answer)).toMatchObject(shown);
      }
      const made = await brand.list('/products');
      expect(made).toHaveLength(count);
      if (query === '') return;
      const changed = { products: products.map((product) => ({ ...product, priceCents: 2 })) };
      const dry = await brand.send('POST', `${path}&dryRun=true`, changed);
      const wet = await brand.send('POST', path, changed, withIdempotencyKey('key-2'));
      const results = made.map(({ id }) => ({ id, status: 'updated' }));
      expect([dry.body['results'], wet.body['results']]).toEqual([results, results]);
    },
  );
});

// test/bad-input.test.ts has the size of a single resource.

const RESOURCE = 256 * 1024;
const LIST = 2 * 1024 * 1024;

it.each([
  [LIST, 201, ''],
  [LIST + 1, 413, 'The limit is 2048 KiB'],
])('The body of a list has at most 2 MiB: %i bytes, %i', async (bytes, status, says) => {
  const brand = await TestBrand.create();
  // Spaces are part of JSON.
  const text = JSON.stringify({ products: [PRODUCT] }).padEnd(bytes);
  for (const raw of [text, new Blob([text]).stream()]) {
    const answer = await brand.send('POST', '/products', undefined, { raw });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(says)]);
  }
  const made = status === 201 ? 2 : 0;
  expect(await brand.list('/products')).toHaveLength(made);
});

it('The body of a list may have no item above 520 KiB, and the error names the item', async () => {
  const brand = await TestBrand.create();
  const imageUrls = Array.from({ length: 250 }, () => 'https://a.example/'.padEnd(2048, 'x'));
  const products = [PRODUCT, { ...PRODUCT, imageUrls, description: 'x'.repeat(65_535) }];
  const answer = await brand.send('POST', '/products', { products });
  expect(answer.status).toBe(413);
  const text = 'Request body too large. The limit of products.1 is 520 KiB.';
  expect(answer.body).toEqual({ error: text });
});

const quotes = (count: number): string => `https://a/${'"'.repeat(count)}`;

it.each([
  // Four bytes become twelve.
  ['that NFC makes longer', Array<string>(95).fill(`http://a/${'\u{1d160}'.repeat(670)}`)],
  ['that are escaped twice', [...Array<string>(64).fill(quotes(2038)), quotes(50)]],
])('A body can consist of characters that grow: %s', async (_, imageUrls) => {
  const brand = await TestBrand.create();
  const body = { title: 't'.repeat(255), priceCents: 1, imageUrls };
  expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThanOrEqual(RESOURCE);
  const { id } = await brand.create('/products', body);
  const answer = await brand.send('PUT', `/products/${id}`, body);
  expect(answer.status, answer.text.slice(0, 200)).toBe(200);
  expect(resourceOf(answer)['imageUrls']).toEqual(imageUrls.map((url) => url.normalize()));
});
