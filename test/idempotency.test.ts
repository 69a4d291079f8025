import { describe, expect, it } from 'vitest';
import type { Answer } from './support/brand.ts';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { keysOf, withIdempotencyKey } from './support/idempotency.ts';
import { meter } from './support/meter.ts';

const PRODUCT = { title: 'Bar', priceCents: 1, storeProductId: 'gid://shop/Product/1' };
const COUPON_CODE = { code: 'SAVE10', discountPercent: 10 };

/** A way to create, with a body that differs from it. */
interface Creation {
  readonly what: string;
  readonly path: string;
  readonly body: object;
  readonly other: object;
  readonly count: number;
}

const CREATIONS: readonly Creation[] = [
  {
    what: 'a linked product',
    path: '/products',
    body: PRODUCT,
    other: { ...PRODUCT, priceCents: 2 },
    count: 1,
  },
  {
    what: 'a product without a title to make a handle of',
    path: '/products',
    body: { title: '!', priceCents: 1 },
    other: PRODUCT,
    count: 1,
  },
  ...collections.flatMap(({ path, one, many, bare }) => [
    { what: `one ${one}`, path, body: bare(1), other: bare(2), count: 1 },
    {
      what: `two ${many}`,
      path,
      body: { [many]: [bare(1), bare(2)] },
      other: { [many]: [bare(3)] },
      count: 2,
    },
  ]),
];

const REUSED: unknown = expect.stringMatching(/^Idempotency-Key/);

const replayed = ({ headers }: Answer): string | null => headers.get('Idempotent-Replayed');

async function count(brand: TestBrand, path: string): Promise<number> {
  return (await brand.list(path)).length;
}

describe.each(CREATIONS)('$what', (creation) => {
  const { path, body, other } = creation;

  it('A POST with an Idempotency-Key is answered as the first time, in one call, whatever became of the resource', async () => {
    const brand = await TestBrand.create();
    const metered = meter();
    const post = (sent: object): Promise<Answer> =>
      brand.send('POST', path, sent, { ...withIdempotencyKey('key-1'), db: metered.db });
    const first = await post(body);
    expect([first.status, replayed(first)]).toEqual([201, null]);
    const [{ id } = { id: '' }] = await brand.list(path);
    for (const [method, change] of [
      ['GET'],
      ['PATCH', { description: 'Changed' }],
      ['DELETE'],
    ] as const) {
      await brand.send(method, `${path}/${id}`, change);
      await scheduler.wait(2);
      const { text: before } = await brand.send('GET', path);
      const again = await post(body);
      expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true']);
      expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'));
      const refused = await post(other);
      expect([refused.status, refused.body['error']]).toEqual([422, REUSED]);
      expect((await brand.send('GET', path)).text).toBe(before);
    }
    expect(metered.calls).toBe(7);
  });

  it('A POST with an Idempotency-Key creates once if twenty are concurrent', async () => {
    const brand = await TestBrand.create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => brand.send('POST', path, body, withIdempotencyKey('key-1'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === 'true')).toHaveLength(19);
    expect(await count(brand, path)).toBe(creation.count);
  });
});

it('An Idempotency-Key is refused on another path', async () => {
  const brand = await TestBrand.create();
  await brand.send('POST', '/products', PRODUCT, withIdempotencyKey('key-1'));
  const answer = await brand.send(
    'POST',
    '/coupon-codes',
    COUPON_CODE,
    withIdempotencyKey('key-1'),
  );
  expect([answer.status, answer.body['error']]).toEqual([422, REUSED]);
  expect(await count(brand, '/coupon-codes')).toBe(0);
});

it('An Idempotency-Key is case-sensitive, and another key creates another resource', async () => {
  const brand = await TestBrand.create();
  const ids = new Set<string>();
  for (const key of ['key', 'KEY', 'key2']) {
    ids.add(resourceOf(await brand.send('POST', '/products', PRODUCT, withIdempotencyKey(key))).id);
  }
  expect(ids.size).toBe(3);
});

it.each<[string, string, unknown, number]>([
  ['a bad value', '/products', { title: 'Bar' }, 400],
  ['half a document', '/products', undefined, 400],
  ['a code that is taken', '/coupon-codes', { code: 'TAKEN', discountPercent: 5 }, 409],
  [
    'a repeat in the list',
    '/coupon-codes',
    { couponCodes: [COUPON_CODE, { ...COUPON_CODE, code: 'save10' }] },
    400,
  ],
  [
    'one code of a list that is taken',
    '/coupon-codes',
    { couponCodes: [COUPON_CODE, { ...COUPON_CODE, code: 'taken' }] },
    409,
  ],
])('An Idempotency-Key leaves no record if the POST fails: %s', async (_, path, body, status) => {
  const brand = await TestBrand.create();
  await brand.create('/coupon-codes', { code: 'Taken', discountPercent: 5 });
  const failed = await brand.send('POST', path, body, withIdempotencyKey('key-1'));
  expect(failed.status).toBe(status);
  expect(await keysOf(brand)).toEqual([]);
  expect(await count(brand, '/coupon-codes')).toBe(1);
  const answer = await brand.send('POST', '/products', PRODUCT, withIdempotencyKey('key-1'));
  expect([answer.status, replayed(answer)]).toEqual([201, null]);
  expect(await keysOf(brand)).toEqual(['key-1']);
});

it.each([
  ['of one character', '!', 201],
  ['of all visible kinds', 'aZ09~!"#$%&\'()*+,-./:;<=>?@[]^_`{|}\\', 201],
  ['of 255 characters', 'k'.repeat(255), 201],
  ['that is empty', '', 400],
  ['of 256 characters', 'k'.repeat(256), 400],
  ['with a space', 'a b', 400],
  ['with a tab', 'a\tb', 400],
  ['beyond ASCII', 'clé', 400],
])('An Idempotency-Key has 1 to 255 visible ASCII characters: %s', async (_, key, status) => {
  const brand = await TestBrand.create();
  const answer = await brand.send('POST', '/products', PRODUCT, withIdempotencyKey(key));
  expect(answer.status).toBe(status);
  expect(await count(brand, '/products')).toBe(status === 201 ? 1 : 0);
  if (status === 400) {
    expect(answer.body['error']).toMatch(/^Invalid request: Idempotency-Key: /);
  } else {
    expect(replayed(await brand.send('POST', '/products', PRODUCT, withIdempotencyKey(key)))).toBe(
      'true',
    );
  }
});
