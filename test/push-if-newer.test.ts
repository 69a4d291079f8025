import { describe, expect, it } from 'vitest';
import type { Resource } from './support/brand.ts';
import { TestBrand } from './support/brand.ts';
import { products } from './support/collections.ts';
import { meter } from './support/meter.ts';
import type { Item, PushOptions } from './support/push.ts';
import { LENIENT, outcomes, push, pushedOf, resultsOf } from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

const KNOWN = '2026-01-31T09:30:00.000Z';
const LATER = '2026-01-31T10:30:00.001+01:00';
const EARLIER = '2026-01-31T10:29:59.999+01:00';
const NEWER: PushOptions = { ifNewer: true };
const NEW = { title: 'x', priceCents: 1 };

/** A brand with one product, and an item that matches it. */
async function furnished(
  match: string,
  sourceUpdatedAt: string | null = KNOWN,
): Promise<{ readonly brand: TestBrand; readonly product: Resource; readonly found: Item }> {
  const brand = await TestBrand.create();
  const values = Object.fromEntries(
    Object.entries(products.values).map(([name, valueOf]) => [name, valueOf(1)]),
  );
  const product = await brand.create('/products', { ...NEW, ...values, sourceUpdatedAt });
  return { brand, product, found: { [match]: product[match] } };
}

/** A time in an item and one in its product, and whether the item is applied. */
const TIMES: readonly {
  readonly name: string;
  readonly time?: string | null;
  readonly known?: string | null;
  readonly options?: PushOptions;
}[] = [
  { name: 'is later', time: LATER },
  { name: 'is equal', time: KNOWN },
  { name: 'is null in the item', time: null },
  { name: 'is null in the product', time: EARLIER, known: null },
  { name: 'is null in both', time: null, known: null },
  { name: 'is not named' },
  { name: 'is earlier, without ifNewer', time: EARLIER, options: {} },
  { name: 'is earlier, with ifNewer=false', time: EARLIER, options: { ifNewer: false } },
];

describe.each(['id', ...Object.keys(products.values)])('%s', (match) => {
  it.each(TIMES)(
    'An event is applied unless ifNewer is set and its time is earlier: its time $name',
    async ({ time, known = KNOWN, options = NEWER }) => {
      const { brand, product, found } = await furnished(match, known);
      const timed = { ...found, ...(time !== undefined && { sourceUpdatedAt: time }) };
      const changes = [{ ...timed, title: 'Changed' }];
      const changed = await push(brand, products, match, changes, options);
      expect(resultsOf(changed)).toEqual([{ id: product.id, status: 'updated' }]);
      const stored = time === undefined ? known : time && new Date(time).toISOString();
      expect(pushedOf(changed, products)).toMatchObject([{ sourceUpdatedAt: stored }]);

      await brand.send('PATCH', `/products/${product.id}`, { sourceUpdatedAt: known });
      const dropped = await push(brand, products, match, [{ ...timed, deleted: true }], options);
      expect(resultsOf(dropped)).toEqual([{ id: product.id, status: 'deleted' }]);
    },
  );

  it('An event whose time is earlier does nothing with ifNewer, and a write shows the product as it is', async () => {
    const { brand, product, found } = await furnished(match);
    const before = await snapshot(brand.issued.brandId);
    const late = { ...found, sourceUpdatedAt: EARLIER };
    for (const item of [
      { ...late, title: 'Late' },
      { ...late, deleted: true },
    ]) {
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
});

it('The parameter ifNewer compares times as times, in any year and with any offset', async () => {
  const { brand, found } = await furnished('sku', '0000-01-01T00:00:00Z');
  for (const [time, status] of [
    ['0999-12-31T23:59:59.999Z', 'updated'],
    ['0000-01-01T00:00:00Z', 'stale'],
    ['9999-12-31T23:59:59.998Z', 'updated'],
    ['9999-12-31T22:59:59.999-01:00', 'updated'],
    ['9999-12-31T23:59:59.998Z', 'stale'],
    // Finer decimals are cut, so this one is equal.
    ['9999-12-31T23:59:59.999000Z', 'updated'],
  ] as const) {
    const items = [{ ...found, title: time, sourceUpdatedAt: time }];
    expect(outcomes(await push(brand, products, 'sku', items, NEWER)), time).toEqual([status]);
  }
});

it('The parameter ifNewer compares each item with its own product, and the others are done', async () => {
  const { brand, product } = await furnished('sku');
  await brand.create('/products', { ...NEW, sku: 'new' });
  const sourceUpdatedAt = '2026-01-31T09:29:59.999Z';
  const items = [
    { sku: 'A-1', title: 'Late', sourceUpdatedAt },
    { sku: 'new', title: 'Changed', sourceUpdatedAt },
    { sku: 'none', deleted: true, sourceUpdatedAt },
    // A late event creates what is not there, also what was deleted.
    { ...NEW, sku: 'made', sourceUpdatedAt },
  ];
  const answer = await push(brand, products, 'sku', items, NEWER);
  expect(outcomes(answer)).toEqual(['stale', 'updated', 'unchanged', 'created']);
  expect(pushedOf(answer, products)).toMatchObject([product, items[1], items[3]]);
  expect(await brand.list(products.path)).toMatchObject([product, items[1], items[3]]);
});

it('A push with ifNewer refuses an invalid item that is late, and one that changes nothing is unchanged', async () => {
  const { brand, product, found } = await furnished('sku');
  const late = { ...found, title: '', sourceUpdatedAt: EARLIER };
  const same = { ...found, sourceUpdatedAt: KNOWN };
  expect((await push(brand, products, 'sku', [late], NEWER)).status).toBe(400);
  const options = { ...NEWER, headers: LENIENT };
  expect(resultsOf(await push(brand, products, 'sku', [late], options))).toMatchObject([
    { id: null, status: 'refused' },
  ]);
  expect((await push(brand, products, 'sku', [same], options)).body).toEqual({
    products: [product],
    results: [{ id: product.id, status: 'unchanged' }],
  });
});

it('The parameter ifNewer is part of the request, and its Idempotency-Key replays a stale result', async () => {
  const { brand, found, product } = await furnished('sku');
  const late = { ...found, title: 'Late', sourceUpdatedAt: EARLIER };
  const send = async (key: string, more: PushOptions): Promise<unknown> => {
    const headers = { 'Idempotency-Key': key, Prefer: 'return=minimal' };
    const answer = await push(brand, products, 'sku', [late], { headers, ...more });
    const replayed = answer.headers.get('Idempotent-Replayed');
    return answer.status === 200 ? [outcomes(answer), replayed] : answer.status;
  };
  expect(await send('once', NEWER)).toEqual([['stale'], null]);
  // The product is no longer newer, and the result is that of the first answer.
  await brand.send('PATCH', `/products/${product.id}`, { sourceUpdatedAt: null });
  expect(await send('once', NEWER)).toEqual([['stale'], 'true']);
  for (const other of [{}, { ifNewer: false }]) expect(await send('once', other)).toBe(422);
  expect(await send('plain', {})).toEqual([['updated'], null]);
  expect(await send('plain', { ifNewer: false })).toEqual([['updated'], 'true']);
  expect(await send('plain', NEWER)).toBe(422);
});

it.each<[target: string, error: string]>([
  ['/products?ifNewer=true', 'ifNewer: expected together with match'],
  [
    '/products?ifNewer=true&dryRun=true',
    'dryRun: expected together with match; ifNewer: expected together with match',
  ],
  ['/products?match=sku&ifNewer=1', 'ifNewer: expected true or false'],
  ['/products?match=sku&ifNewer=true&ifNewer=true', 'ifNewer: given more than once'],
  ...['true', 'false', 'x'].map((value): [string, string] => [
    `/coupon-codes?match=code&ifNewer=${value}`,
    'ifNewer: a coupon code has no time of change at its source',
  ]),
])('A POST with a bad ifNewer is 400, whatever the body: %s', async (target, error) => {
  const brand = await TestBrand.create();
  for (const body of [{ products: [{ ...NEW, sku: 'A' }] }, { title: '' }]) {
    const answer = await brand.send('POST', target, body);
    expect([answer.status, answer.body['error']]).toEqual([400, `Invalid request: ${error}`]);
  }
});

it('A POST with ifNewer=false is the same as without it, without match too', async () => {
  const brand = await TestBrand.create();
  expect((await brand.send('POST', '/products?ifNewer=false', NEW)).status).toBe(201);
});
