import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { resourceOf, TestBrand } from './support/brand.ts';

// Above 1,000 objects, the names that no operation reads are emptied before the body is parsed. Nobody may notice.

const UNKNOWN = '/products/01890a5d-ac96-774b-bcce-b302099a8057';
const INVALID_JSON = { error: 'Invalid JSON payload.' };
const product = { title: 'A', priceCents: 1 };
const many = (count: number): object[] => Array.from({ length: count }, () => ({}));

const members = (count: number): Record<string, object> =>
  Object.fromEntries(many(count).map((one, index) => [`f${index}`, one]));

let brand: TestBrand;

beforeAll(async () => {
  brand = await TestBrand.create();
});

/** Returns a body with many objects, and a JSON text behind them in a field that is ignored. */
function behindMany(json: string): string {
  return `{"createdAt":[${'{},'.repeat(1001)}${json}],"title":"A"}`;
}

/** Sends a PATCH of a product that does not exist, so that nothing changes. */
async function patch(raw: string): Promise<{ status: number; body: unknown }> {
  const { status, body } = await brand.send('PATCH', UNKNOWN, undefined, { raw });
  return { status, body };
}

describe('behind many objects', () => {
  test.each([
    ...['{"a"}', '{"a":}', '{"a":1,}', '{:1}', '{,}', '{,"a":1}', '{"a":1,,"b":2}', '{"a",1}'],
    ...['{"a","b"}', '{"a":1,"b"}', '{"a":1:2}', '{"a"::1}', '{"a":1 "b":2}', '{"a" "b":1}'],
    ...['{1:2}', '{a:1}', '{null:1}', '{["a"]:1}', '{{}:1}', '{"a":1]', '["a",1}', '["a":1]', '[}'],
    ...['{]', '{"a":1', '{"a', '{"a":"b\\"}', '}', ']', '{}}', '{}]', '{} {}', '{"a":{"b"}}'],
    ...['{"a":01}', '{"a":NaN}', '{"a":"\t"}', '{\0}', '{"a"\0:1}', "{'a':1}", '{"\\x":1}', ''],
    ...[
      '{"\\u12":1}',
      '{"\\u12g4":1}',
      '{"\\u":1}',
      '{"\\":1}',
      '{"a\t":1}',
      '{"\\a":1}',
      '{"\\U0041":1}',
    ],
    ...['{"\u001f":1}', '{"\\u00:1"}', '{"a""b":1}'],
    ...['{"a":1}/**/', '{"a":{"b":[{"c":1},{"d"}]}}', '{"a":[1}]', '[{]}', '"a":1', '1,{"a",1}'],
  ])('%j is no JSON', async (json) => {
    expect(await patch(behindMany(json))).toEqual({ status: 400, body: INVALID_JSON });
  });

  test.each([
    ...[
      '{}',
      ' { } ',
      '{"a":1}',
      '\r\n\t{ "a" : 1 , "b" : 2 }',
      '{"":{"":{}}}',
      '{"a":[{"b":[]}]}',
    ],
    ...['{"a":"}"}', '{"}":"{"}', '{"\\"":"\\\\"}', '{"\\\\":"\\""}', '{"a:b,c":":,"}', '"{[:,"'],
    ...['{"1":1,"2":2}', '{"__proto__":{"a":1}}', '{"a":1,"a":2}', '{"é":"中\u{1f600}"}', '1,2'],
    ...[
      '{"\\"\\\\\\/\\b\\f\\n\\r\\t":1}',
      '{"\\u0041\\uD800\\uaFbC":1}',
      '{"\u007f":1}',
      '{"" :1}',
    ],
    ...['[[{}],{}]', '{"a":-1.5e+3,"b":true,"c":null}', '{"a":1},{"b":[{"c":{}}]},[]'],
  ])('%j is JSON', async (json) => {
    expect((await patch(behindMany(json))).status).toBe(404);
  });

  test.each([[0xff], [0xc3], [0xed, 0xa0, 0x80]])(
    'a name of the byte %i is no JSON',
    async (...name) => {
      const text = new TextEncoder().encode(behindMany('{"?":1}'));
      const at = text.lastIndexOf(0x3f);
      const raw = Uint8Array.from([...text.slice(0, at), ...name, ...text.slice(at + 1)]);
      const answer = await brand.send('PATCH', UNKNOWN, undefined, { raw });
      expect(answer.body).toEqual(INVALID_JSON);
    },
  );

  test.each([
    `[${'{},'.repeat(1001)}{:1},"]`,
    `{ [${'{},'.repeat(1001)}{:1}":0,"title":"A","priceCents":1}`,
    `[${'{},'.repeat(1001)}{"a"::1}]`,
  ])('a colon without a name is no JSON', async (raw) => {
    expect(await patch(raw)).toEqual({ status: 400, body: INVALID_JSON });
  });

  test('any text is JSON if it is in a list', async () => {
    // A document, with up to three characters replaced.
    const text = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...Array.from('{}[]:,"\\ 1'), '')), {
          maxLength: 3,
        }),
      )
      .map(([json, changes]) =>
        changes.reduce((changed, [place, character]) => {
          const at = place % (changed.length + 1);
          return changed.slice(0, at) + character + changed.slice(at + 1);
        }, json),
      );
    await fc.assert(
      fc.asyncProperty(text, async (json) => {
        expect((await patch(behindMany(json))).status).toBe(isJson(`[0,${json}]`) ? 404 : 400);
      }),
      { numRuns: 1000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('what is read stays as it was sent', () => {
  const value = fc.oneof(
    fc.constantFrom('A', 1, null, true, {}, [], [{}], { a: {} }, 'https://a.example/'),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const fields = fc.dictionary(
    fc.constantFrom(
      'title',
      'priceCents',
      'sku',
      'imageUrls',
      'featured',
      'id',
      'variants',
      'brand',
    ),
    value,
  );

  test.each([
    ['POST', '/products', (some: readonly object[]) => ({ products: [...some, 1] })],
    ['POST', '/products?match=sku&dryRun=true', (some: readonly object[]) => ({ products: some })],
    ['PATCH', UNKNOWN, ([first]: readonly object[]) => ({ ...first })],
    ['PUT', UNKNOWN, ([first]: readonly object[]) => ({ title: 'A', priceCents: 1, ...first })],
    [
      'PUT',
      '/profile',
      ([brandHalf, connection]: readonly object[]) => ({ brand: brandHalf, connection }),
    ],
  ] as const)(
    '%s %s has the same answer with and without many braces',
    async (...[method, path, make]) => {
      const headers = { Prefer: 'handling=lenient' };
      await fc.assert(
        fc.asyncProperty(fc.array(fields, { minLength: 2, maxLength: 4 }), async (some) => {
          const [first = {}, ...others] = some;
          const answers: unknown[] = [];
          for (const text of ['{', 'x']) {
            const ignored = { ...first, createdAt: text.repeat(1001) };
            const { status, body } = await brand.send(method, path, make([ignored, ...others]), {
              headers,
            });
            answers.push({ status, body });
          }
          expect(answers[0]).toEqual(answers[1]);
        }),
        { numRuns: 200 },
      );
    },
  );

  const variants = many(10);

  test('each unknown field of 500 items is named or counted', async () => {
    const products = Array.from({ length: 500 }, (_, index) => ({ ...product, variants, index }));
    const answer = await brand.send('POST', '/products', { options: many(400), products });
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatch(
      /^Invalid request: options: unknown field; products\.0\.variants: unknown field; products\.0\.index: unknown field; .*; and 901 more$/,
    );
  });

  test.each([
    ['in one field', { variants: many(2000) }],
    ['in each other', { variants: many(2000).reduce((inner) => ({ a: inner })) }],
    ['in an object', { variants: members(2000) }],
    ['in lists of a field', { variants: Array.from({ length: 2000 }, () => [{}]) }],
  ])('one resource with 2,000 objects %s', async (_, more) => {
    const answer = await brand.send('POST', '/products', { ...more, ...product });
    expect(answer.body).toEqual({ error: 'Invalid request: variants: unknown field' });
  });

  test('both halves of a profile', async () => {
    const profile = {
      brand: { brandName: 'A', sites: many(600) },
      connection: { sites: many(600), storeDomain: 1 },
    };
    const answer = await brand.send('PUT', '/profile', profile);
    expect(answer.body).toEqual({
      error:
        'Invalid request: brand.sites: unknown field; connection.storeDomain: expected a host name of at most 253 characters, such as shop.example.com; connection.sites: unknown field',
    });
  });

  test('a list of 500 items behind 499 other objects', async () => {
    const own = await TestBrand.create();
    const products = Array.from({ length: 500 }, (_, index) => ({
      ...product,
      sku: `A-${index}`,
      createdAt: variants,
    }));
    const answer = await own.send('POST', '/products', { products });
    expect(answer.status).toBe(201);
    const pushed = await own.send('POST', '/products?match=sku', { products });
    expect(pushed.status).toBe(200);
    const refused = await own.send('POST', '/products', { options: many(499), products });
    expect(refused.body).toEqual({ error: 'Invalid request: options: unknown field' });
  });

  test.each(['', '?match=sku'])('POST %s of objects where other values belong', async (query) => {
    const own = await TestBrand.create();
    const text = { description: '{'.repeat(1000) };
    for (const value of [{}, { 'https://a.example/': 'https://b.example/' }]) {
      for (const name of ['imageUrls', 'title', 'featured', 'sourceUpdatedAt', 'priceCents']) {
        const item = { ...product, ...text, sku: 'A', [name]: value };
        const answer = await own.send('POST', `/products${query}`, { products: [item] });
        expect(answer.body['error'], name).toMatch(
          new RegExp(`^Invalid request: products\\.0\\.${name}: expected [^;]*$`),
        );
        const one = await own.send('POST', '/products', item);
        expect(one.body['error'], name).toMatch(
          new RegExp(`^Invalid request: ${name}: expected [^;]*$`),
        );
      }
    }
    const items = { products: many(500).map((_, index) => ({ sku: `${index}`, imageUrls: {} })) };
    expect((await own.send('POST', '/products?match=sku', items)).status).toBe(400);
  });

  test.each(['', '?match=sku'])('POST %s of a list that is too long', async (query) => {
    const answer = await brand.send('POST', `/products${query}`, { products: many(20_000) });
    expect(answer.body).toEqual({
      error: 'Invalid request: products: expected a list of 1 to 500 items',
    });
  });

  test('a list without its envelope', async () => {
    const answer = await brand.send('POST', '/products', many(2000));
    expect(answer.body).toEqual({ error: 'Invalid request: body: expected a JSON object' });
  });

  test('texts with braces', async () => {
    const own = await TestBrand.create();
    const description = '{"a":'.repeat(2000) + '\\"{';
    const answer = await own.send('POST', '/products', { ...product, description });
    expect(resourceOf(answer)['description']).toBe(description);
  });
});

describe('more than 1,000 objects that could be read', () => {
  test.each([
    ['objects', members(999), 'and 899 more'],
    ['lists', { ...members(498), a: many(501), b: [{}] }, 'and 400 more'],
  ])('1,000 are reported each, in %s', async (_, more, end) => {
    const answer = await brand.send('POST', '/products', { ...product, ...more });
    expect(String(answer.body['error']).split('; ')).toHaveLength(101);
    expect(String(answer.body['error']).endsWith(end)).toBe(true);
  });

  test.each([
    ['objects', members(1000)],
    ['lists', { ...members(499), a: many(501), b: [{}] }],
    ['a profile', { brand: {}, ...members(999) }],
  ])('1,001 are one problem, in %s', async (_, body) => {
    const answer = await brand.send('PATCH', UNKNOWN, body, { headers: { 'If-Match': 'x' } });
    expect(answer.body).toEqual({
      error:
        'Invalid request: body: expected at most 1,000 objects; If-Match: expected * or a list of quoted entity tags',
    });
    const lenient = { headers: { Prefer: 'handling=lenient' } };
    expect((await brand.send('POST', '/products?match=sku', body, lenient)).status).toBe(400);
  });

  test('a single resource above 256 KiB is that first', async () => {
    const body = { ...product, ...members(1200), createdAt: 'x'.repeat(256 * 1024) };
    expect((await brand.send('POST', '/products', body)).status).toBe(413);
    const list = await brand.send('POST', '/products', { ...body, products: [product] });
    expect(list.body).toEqual({ error: 'Invalid request: body: expected at most 1,000 objects' });
  });

  test('a document that is no JSON is that first', async () => {
    const body = JSON.stringify(members(2000)).slice(0, -1);
    expect(await patch(body)).toEqual({ status: 400, body: INVALID_JSON });
  });
});
