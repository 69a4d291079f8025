import { describe, expect, it } from 'vitest';
import type { Resource } from './support/brand.ts';
import { TestBrand } from './support/brand.ts';
import { products } from './support/collections.ts';
import { meter } from './support/meter.ts';
import type { Item, PushOptions } from './support/push.ts';
import { LENIENT, listed, outcomes, push, pushedOf, resultsOf } from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

const KNOWN = '2026-01-31T09:30:00.000Z';
const LATER = '2026-01-31T10:30:00.001+01:00';
const EARLIER = '2026-01-31T10:29:59.999+01:00';
const ONCE = { 'Idempotency-Key': 'once' };

const MATCHES = ['id', 'storeProductId', 'storeVariantId', 'sku', 'handle'];

/** A brand with one product, and an item that matches it. */
async function furnished(
  match: string,
  sourceUpdatedAt: string | null = KNOWN,
): Promise<{ readonly brand: TestBrand; readonly product: Resource; readonly found: Item }> {
  const brand = await TestBrand.create();
  const values = { storeProductId: 'p', storeVariantId: 'v', sku: 's', handle: 'h' };
  const body = { title: 'Known', priceCents: 1, ...values, sourceUpdatedAt };
  const product = await brand.create('/products', body);
  return { brand, product, found: { [match]: product[match] } };
}

const NEWER: PushOptions = { ifNewer: true };

describe.each(MATCHES)('With ifNewer, by %s', (match) => {
  it('an event that is late does nothing, and a write shows the product as it is', async () => {
    const { brand, product, found } = await furnished(match);
    const before = await snapshot(brand.issued.brandId);
    const change = { ...found, title: 'Late', sourceUpdatedAt: EARLIER };
    for (const item of [change, { ...found, deleted: true, sourceUpdatedAt: EARLIER }]) {
      for (const dryRun of [true, false]) {
        const metered = meter();
        const options = { ...NEWER, dryRun, db: metered.db };
        const answer = await push(brand, products, match, [item], options);
        expect(answer.body).toEqual({
          ...(!dryRun && { products: [product] }),
          results: [{ id: product.id, status: 'stale' }],
        });
        expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
      }
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it.each([
    ['later', LATER, KNOWN],
    ['equal', KNOWN, KNOWN],
    ['null in the item', null, KNOWN],
    ['null in the product', EARLIER, null],
    ['null in both', null, null],
  ])('an event whose time is %s is applied', async (_, sourceUpdatedAt, known) => {
    const { brand, product, found } = await furnished(match, known);
    const change = { ...found, title: 'Changed', sourceUpdatedAt };
    const answer = await push(brand, products, match, [change], NEWER);
    expect(resultsOf(answer)).toEqual([{ id: product.id, status: 'updated' }]);
    const time = sourceUpdatedAt === null ? null : new Date(sourceUpdatedAt).toISOString();
    expect(pushedOf(answer, products)).toMatchObject([{ title: 'Changed', sourceUpdatedAt: time }]);
  });

  it.each([
    ['later', LATER, KNOWN],
    ['equal', KNOWN, KNOWN],
    ['null in the item', null, KNOWN],
    ['null in the product', EARLIER, null],
  ])('a deletion whose time is %s is done', async (_, sourceUpdatedAt, known) => {
    const { brand, product, found } = await furnished(match, known);
    const drop = { ...found, deleted: true, sourceUpdatedAt };
    expect(resultsOf(await push(brand, products, match, [drop], NEWER))).toEqual([
      { id: product.id, status: 'deleted' },
    ]);
    expect(await listed(brand, products)).toEqual([]);
  });

  it('an item that does not name the time is applied', async () => {
    const { brand, found } = await furnished(match);
    const change = { ...found, title: 'Changed' };
    expect(outcomes(await push(brand, products, match, [change], NEWER))).toEqual(['updated']);
    const drop = { ...found, deleted: true };
    expect(outcomes(await push(brand, products, match, [drop], NEWER))).toEqual(['deleted']);
  });

  it.each([undefined, false])('%s, a late event is applied', async (ifNewer) => {
    const { brand, found } = await furnished(match);
    const options = ifNewer === undefined ? {} : { ifNewer };
    const change = { ...found, title: 'Late', sourceUpdatedAt: EARLIER };
    expect(outcomes(await push(brand, products, match, [change], options))).toEqual(['updated']);
    const earliest = '0000-01-01T00:00:00Z';
    const drop = { ...found, deleted: true, sourceUpdatedAt: earliest };
    expect(outcomes(await push(brand, products, match, [drop], options))).toEqual(['deleted']);
  });
});

describe('With ifNewer', () => {
  it('times are compared as times, in any year and with any offset', async () => {
    const { brand, found } = await furnished('sku', '0000-01-01T00:00:00Z');
    const pushAt = async (sourceUpdatedAt: string): Promise<string[]> =>
      outcomes(
        await push(
          brand,
          products,
          'sku',
          [{ ...found, title: sourceUpdatedAt, sourceUpdatedAt }],
          {
            ifNewer: true,
          },
        ),
      );
    for (const [time, status] of [
      ['0999-12-31T23:59:59.999Z', 'updated'],
      ['0000-01-01T00:00:00Z', 'stale'],
      ['9999-12-31T23:59:59.998Z', 'updated'],
      ['9999-12-31T22:59:59.999-01:00', 'updated'],
      ['9999-12-31T23:59:59.998Z', 'stale'],
      // Finer decimals are cut, so this one is equal.
      ['9999-12-31T23:59:59.999000Z', 'updated'],
    ] as const) {
      expect([time, await pushAt(time)]).toEqual([time, [status]]);
    }
  });

  it('an item that matches nothing creates, whatever its time', async () => {
    const brand = await TestBrand.create();
    const item = { sku: 'A', title: 'x', priceCents: 1, sourceUpdatedAt: EARLIER };
    expect(outcomes(await push(brand, products, 'sku', [item], NEWER))).toEqual(['created']);
  });

  it('a late event may create again what was deleted', async () => {
    const { brand, found } = await furnished('sku');
    const drop = { ...found, deleted: true, sourceUpdatedAt: LATER };
    expect(outcomes(await push(brand, products, 'sku', [drop], NEWER))).toEqual(['deleted']);
    const late = { ...found, title: 'Late', priceCents: 1, sourceUpdatedAt: EARLIER };
    expect(outcomes(await push(brand, products, 'sku', [late], NEWER))).toEqual(['created']);
    expect(outcomes(await push(brand, products, 'sku', [drop], NEWER))).toEqual(['deleted']);
    const again = await push(brand, products, 'sku', [drop], NEWER);
    expect(resultsOf(again)).toEqual([{ id: null, status: 'unchanged' }]);
  });

  it('each item is compared with its own product, and the others are done', async () => {
    const { brand, product } = await furnished('sku');
    await brand.create('/products', { title: 'New', priceCents: 1, sku: 'new' });
    const sourceUpdatedAt = '2026-01-31T09:29:59.999Z';
    const items = [
      { sku: 's', title: 'Late', sourceUpdatedAt },
      { sku: 'new', title: 'Changed', sourceUpdatedAt },
      { sku: 'none', deleted: true, sourceUpdatedAt },
      { sku: 'made', title: 'Made', priceCents: 1, sourceUpdatedAt },
    ];
    const answer = await push(brand, products, 'sku', items, NEWER);
    expect(outcomes(answer)).toEqual(['stale', 'updated', 'unchanged', 'created']);
    expect(pushedOf(answer, products)).toMatchObject([product, items[1], items[3]]);
    expect(await listed(brand, products)).toMatchObject([product, items[1], items[3]]);
  });

  it('an invalid item that is late is refused', async () => {
    const { brand, found } = await furnished('sku');
    const late = { ...found, title: '', sourceUpdatedAt: EARLIER };
    expect((await push(brand, products, 'sku', [late], NEWER)).status).toBe(400);
    const lenient = await push(brand, products, 'sku', [late], { ...NEWER, headers: LENIENT });
    expect(resultsOf(lenient)).toMatchObject([{ id: null, status: 'refused' }]);
  });

  it('an item that changes nothing is unchanged', async () => {
    const { brand, found, product } = await furnished('sku');
    const same = { ...found, title: 'Known', sourceUpdatedAt: KNOWN };
    const answer = await push(brand, products, 'sku', [same], NEWER);
    expect(answer.body).toEqual({
      products: [product],
      results: [{ id: product.id, status: 'unchanged' }],
    });
  });

  it('return=minimal omits what is stale too', async () => {
    const { brand, found, product } = await furnished('sku');
    const late = { ...found, sourceUpdatedAt: EARLIER };
    const headers = { Prefer: 'return=minimal' };
    const answer = await push(brand, products, 'sku', [late], { ...NEWER, headers });
    expect(answer.body).toEqual({ results: [{ id: product.id, status: 'stale' }] });
  });

  it('the Idempotency-Key replays a stale result, and ifNewer is part of the request', async () => {
    const { brand, found, product } = await furnished('sku');
    const late = { ...found, title: 'Late', sourceUpdatedAt: EARLIER };
    const send = async (more: PushOptions): Promise<unknown> => {
      const answer = await push(brand, products, 'sku', [late], { headers: ONCE, ...more });
      const replayed = answer.headers.get('Idempotent-Replayed');
      return answer.status === 200 ? [outcomes(answer), replayed] : answer.status;
    };
    expect(await send(NEWER)).toEqual([['stale'], null]);
    // The product is no longer newer, and the result is that of the first answer.
    await brand.send('PATCH', `/products/${product.id}`, { sourceUpdatedAt: null });
    expect(await send(NEWER)).toEqual([['stale'], 'true']);
    for (const other of [{}, { ifNewer: false }]) expect(await send(other)).toBe(422);
    const plain = { 'Idempotency-Key': 'plain' };
    expect(await send({ headers: plain })).toEqual([['updated'], null]);
    expect(await send({ headers: plain, ifNewer: false })).toEqual([['updated'], 'true']);
    expect(await send({ headers: plain, ifNewer: true })).toBe(422);
  });
});

const wrong: readonly (readonly [target: string, body: unknown, error: string])[] = [
  [
    '/products?ifNewer=true',
    { title: 'x', priceCents: 1 },
    'ifNewer: expected together with match',
  ],
  [
    '/products?ifNewer=true&dryRun=true',
    { title: 'x', priceCents: 1 },
    'dryRun: expected together with match; ifNewer: expected together with match',
  ],
  [
    '/products?match=sku&ifNewer=1',
    { products: [{ sku: 'A', title: '' }] },
    'ifNewer: expected true or false',
  ],
  [
    '/products?match=sku&ifNewer=true&ifNewer=true',
    { products: [{ sku: 'A', title: 'x', priceCents: 1 }] },
    'ifNewer: given more than once',
  ],
  ...['true', 'false', 'x'].map(
    (value) =>
      [
        `/coupon-codes?match=code&ifNewer=${value}`,
        { couponCodes: [{ code: 'A', discountPercent: 1 }] },
        'ifNewer: a coupon code has no time of change at its source',
      ] as const,
  ),
];

it.each(wrong)('POST %s is 400', async (target, body, error) => {
  const brand = await TestBrand.create();
  const answer = await brand.send('POST', target, body);
  expect([answer.status, answer.body['error']]).toEqual([400, `Invalid request: ${error}`]);
});

it('ifNewer=false is the same as without, without match too', async () => {
  const brand = await TestBrand.create();
  const body = { title: 'x', priceCents: 1 };
  expect((await brand.send('POST', '/products?ifNewer=false', body)).status).toBe(201);
});
