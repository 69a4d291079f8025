import { beforeAll, expect, it } from 'vitest';
import { TestBrand } from './support/brand.ts';

// A body has at most 1,001 objects, 1,001 lists and 40,000 members, counted before it is parsed. What a text contains does
// not count.

const product = { title: 'Structured', priceCents: 1 };

let brand: TestBrand;
beforeAll(async () => {
  brand = await TestBrand.create();
});

/** A text in a field that every operation ignores, so that the body is valid. */
const ignoring = (value: unknown): object => ({ ...product, createdAt: value });
const repeat = (count: number, value: unknown): unknown[] => Array<unknown>(count).fill(value);
/** A list of one product, as a single resource may not be so long. */
const members = (count: number): object => {
  const names = Array.from({ length: count - 4 }, (_, index) => [`m${index}`, 1]);
  return { products: [ignoring(Object.fromEntries(names))] };
};

/** What the limit that people meet is of: whoever exceeds another one has most likely sent too many items. */
const LIST: Readonly<Record<string, string>> = {
  '/products': 'products',
  '/coupon-codes?match=code': 'couponCodes',
};

it.each([
  ['1,001 objects', ignoring(repeat(1000, {}))],
  ['1,001 lists', ignoring(repeat(1000, []))],
  ['40,000 members', members(40_000)],
  ['5,000 of each in a text', ignoring('{[:'.repeat(5000))],
  ['5,000 of each in a text behind quotes', ignoring('\\"{[:'.repeat(5000))],
  ['20,000 elements', ignoring(repeat(20_000, 1))],
])('A body with as many parts as the limit is accepted: %s', async (_, body) => {
  expect((await brand.send('POST', '/products', body)).status).toBe(201);
});

it.each([
  ['1,002 objects', ignoring(repeat(1001, {})), 'expected at most 1,001 objects'],
  ['1,002 lists', ignoring(repeat(1001, [])), 'expected at most 1,001 lists'],
  ['1,002 nested lists', '['.repeat(1002) + ']'.repeat(1002), 'expected at most 1,001 lists'],
  [
    '100,000 nested lists',
    '['.repeat(100_000) + ']'.repeat(100_000),
    'expected at most 1,001 lists',
  ],
  ['1,002 open lists', '['.repeat(1002), 'expected at most 1,001 lists'],
  ['1,002 nested objects', '{"a":'.repeat(1002), 'expected at most 1,001 objects'],
])('A body with more parts than the limit is refused: %s', async (_, body, problem) => {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  for (const [method, path] of [
    ['POST', '/products'],
    ['POST', '/coupon-codes?match=code'],
    ['PATCH', `/products/01890a5d-ac96-774b-bcce-b302099a8057`],
    ['PUT', '/profile'],
  ] as const) {
    const answer = await brand.send(method, path, undefined, { raw });
    const first =
      method === 'POST' ? `${LIST[path] ?? ''}: expected a list of 1 to 500 items; ` : '';
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: `Invalid request: ${first}body: ${problem}` },
    ]);
  }
});

it('40,001 members are refused', async () => {
  const answer = await brand.send('POST', '/products', members(40_001));
  expect(answer.body).toEqual({
    error:
      'Invalid request: products: expected a list of 1 to 500 items; body: expected at most 40,000 members',
  });
});

it('1,000 names of digits are accepted, and 1,001 are refused, escaped or not', async () => {
  const body = (count: number, digit: string): string => {
    const names = Array.from({ length: count }, (_, index) => `"${digit}${index}":1`);
    return `{"title":"Digits","priceCents":1,"createdAt":{${names.join()}}}`;
  };
  for (const digit of ['1', '\\u0031']) {
    const accepted = await brand.send('POST', '/products', undefined, { raw: body(1000, digit) });
    expect(accepted.status).toBe(201);
    const refused = await brand.send('POST', '/products', undefined, { raw: body(1001, digit) });
    expect(refused.body).toEqual({
      error:
        'Invalid request: products: expected a list of 1 to 500 items; body: expected at most 1,000 members whose names begin with a digit or an escape',
    });
  }
});

it('Every limit that is exceeded is named, after the parameters and before the headers', async () => {
  const body = ignoring(repeat(2000, { a: [1] }));
  const headers = { 'Idempotency-Key': 'é' };
  const post = async (path: string, content: unknown): Promise<unknown> =>
    (await brand.send('POST', path, content, { headers })).body['error'];
  expect(await post('/products?color=red', body)).toContain(
    'Invalid request: color: unknown parameter',
  );
  expect(await post('/products', body)).toBe(
    'Invalid request: products: expected a list of 1 to 500 items; body: expected at most 1,001 objects; body: expected at most 1,001 lists',
  );
  expect(await post('/products', {})).toMatch(/^Invalid request: Idempotency-Key: /);
});

it('A key that is rejected comes first', async () => {
  const headers = { Authorization: 'Bearer nothing' };
  const answer = await brand.send('POST', '/products', undefined, {
    headers,
    raw: '['.repeat(5000),
  });
  expect(answer.status).toBe(401);
});

it('A list of 500 full items is accepted', async () => {
  const imageUrls = repeat(8, 'https://northwind.example/1.jpg');
  const full = await brand.create('/products', product);
  const items = Array.from({ length: 500 }, () => ({ ...full, imageUrls }));
  expect((await brand.send('POST', '/products', { products: items })).status).toBe(201);
});
