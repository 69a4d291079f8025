import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { InvalidRequest } from '../src/errors.ts';
import { TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';

// An error names 100 problems and counts the others.

/** The problems that an answer names, and what it says of the others. */
function parts(error: unknown): { named: readonly string[]; last: string | undefined } {
  const texts = String(error)
    .replace(/^Invalid request: /, '')
    .split('; ');
  return { named: texts.slice(0, 100), last: texts[100] };
}

const unknownFields = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `f${index}`);
const objectOf = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, 1]));

it.each([
  [99, undefined],
  [100, undefined],
  [101, 'and 1 more'],
  [117, 'and 17 more'],
  [20_000, 'and 19900 more'],
])('The unknown fields of one resource are listed, up to 100: %i, %s', async (count, last) => {
  const brand = await TestBrand.create();
  const names = unknownFields(count);
  const body = { ...objectOf(names), title: 'A', priceCents: 1 };
  const answer = await brand.send('POST', '/products', body);
  expect(answer.status).toBe(400);
  expect(parts(answer.body['error'])).toEqual({
    named: names.slice(0, 100).map((name) => `${name}: unknown field`),
    last,
  });
});

it('The problems of one resource have long names shortened without splitting a character', async () => {
  const brand = await TestBrand.create();
  const name = `${'x'.repeat(99)}😀`.repeat(1000);
  const answer = await brand.send('PATCH', '/profile', { brand: { [name]: 1 } });
  expect(answer.body['error']).toBe(
    `Invalid request: brand."${'x'.repeat(99)}\ufffd…": unknown field`,
  );
});

it.each([
  ['500 items of 79 unknown fields', 500, objectOf(unknownFields(79)), 39_500 + 1000],
  // More than JavaScript can pass as arguments of one call.
  ['500 items of 250 bad URLs', 500, { imageUrls: Array(250).fill(0) }, 125_000 + 1000],
  ['500 items of 50 problems', 500, { imageUrls: Array(48).fill(0) }, 25_000],
])('The problems of a list are listed, up to 100: %s', async (_, items, item, count) => {
  const brand = await TestBrand.create();
  const products = Array.from({ length: items }, () => item);
  const answer = await brand.send('POST', '/products', { products });
  expect(answer.status).toBe(400);
  const { named, last } = parts(answer.body['error']);
  expect(named[0]).toBe('products.0.title: required');
  expect(last).toBe(`and ${count - 100} more`);
  expect(answer.text.length).toBeLessThan(20_000);
});

it('The problems beside a list and in it are reported together', async () => {
  const brand = await TestBrand.create();
  const products = [{ title: 'A', priceCents: 1 }, { title: 'B' }];
  const answer = await brand.send('POST', '/products', { products, total: 2 });
  expect(answer.body['error']).toBe(
    'Invalid request: total: unknown field; products.1.priceCents: required',
  );
});

it('A list with too many items is one problem', async () => {
  const brand = await TestBrand.create();
  const products = Array<number>(100_000).fill(0);
  const answer = await brand.send('POST', '/products', { products });
  expect(answer.body['error']).toBe('Invalid request: products: expected a list of 1 to 500 items');
});

it.each(
  collections.flatMap((of) =>
    (['POST', 'PUT', 'PATCH'] as const).map((method) => ({ of, method, one: of.one })),
  ),
)(
  'A single resource in the envelope of a response is one problem, which names the envelope: $method, $one',
  async ({ of, method, one }) => {
    const brand = await TestBrand.create();
    const path = method === 'POST' ? of.path : `${of.path}/x`;
    const answer = await brand.send(method, path, { [one]: of.bare(1) });
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      `Invalid request: ${one}: send the fields without the envelope`,
    ]);
  },
);

it.each([{ product: {}, colour: 1 }, { product: 1 }, { product: null }])(
  'A body that only resembles an envelope has an unknown field: %o',
  async (body) => {
    const brand = await TestBrand.create();
    const answer = await brand.send('POST', '/products', body);
    expect(answer.body['error']).toContain('title: required; ');
    expect(answer.body['error']).toContain('product: unknown field');
  },
);

it.each([
  ['GET', '/products', ['page', 'per_page', 'offset'], 'limit, cursor, since, id, handle, sku, '],
  ['GET', '/coupon-codes', ['Limit'], 'limit, cursor, since, id, code, active, '],
  ['POST', '/products', ['matchBy'], 'match, dryRun, ifNewer'],
])(
  'An unknown parameter is refused with the names of those that there are: %s %s %o',
  async (...given) => {
    const [method, path, names, known] = given;
    const brand = await TestBrand.create();
    const query = names.map((name) => `${name}=1`).join('&');
    const answer = await brand.send(method, `${path}?${query}`, method === 'POST' ? {} : undefined);
    expect(answer.status).toBe(400);
    const problems = names.map((name) => `${name}: unknown parameter`).join('; ');
    expect(answer.body['error']).toContain(`: ${problems}, expected one of ${known}`);
  },
);

it('A number that breaks several rules is one problem', async () => {
  const brand = await TestBrand.create();
  const answer = await brand.send('PATCH', '/products/x', {
    priceCents: -1.5,
    marginPercent: -2e3,
  });
  expect(String(answer.body['error']).split('; ')).toHaveLength(2);
});

it('Duplicate problems are listed once', () => {
  const problem = { path: 'a', message: 'expected b' };
  expect(new InvalidRequest([problem, problem]).message).toBe('Invalid request: a: expected b');
});

const lenient = z.object({ results: z.array(z.object({ error: z.string() })) });
const products = Array.from({ length: 500 }, (_, index) => ({
  sku: `A-${index}`,
  imageUrls: Array(250).fill(0),
}));

it('A push lists 100 problems across all items', async () => {
  const brand = await TestBrand.create();
  const answer = await brand.send('POST', '/products?match=sku', { products });
  expect(answer.status).toBe(400);
  const { named, last } = parts(answer.body['error']);
  expect(named[99]).toMatch(/^products\.0\.imageUrls\.99: /);
  expect(last).toBe('and 124900 more');
});

it('A lenient push lists one problem for each further item', async () => {
  const brand = await TestBrand.create();
  const headers = { Prefer: 'handling=lenient' };
  const answer = await brand.send('POST', '/products?match=sku', { products }, { headers });
  expect(answer.status).toBe(200);
  const { results } = lenient.parse(answer.body);
  expect(results[0]?.error).toMatch(/^imageUrls\.0: .*; and 150 more$/);
  expect(results[499]?.error).toMatch(/^imageUrls\.0: [^;]*; and 249 more$/);
  expect(answer.text.length).toBeLessThan(100_000);
});
