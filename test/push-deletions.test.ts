import { describe, expect, it } from 'vitest';
import { TestBrand } from './support/brand.ts';
import { couponCodes, products } from './support/collections.ts';
import { meter } from './support/meter.ts';
import type { Item } from './support/push.ts';
import {
  deletion,
  fields,
  LENIENT,
  listed,
  newItem,
  outcomes,
  push,
  pushedOf,
  resultsOf,
} from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057';
const ONCE = { 'Idempotency-Key': 'once' };

/** A collection with a field that a push of it can match by. */
type Field = (typeof fields)[number];

/** A brand with the resources 1 to 3, and their ids. */
async function furnished({ of, match }: Field): Promise<{
  readonly brand: TestBrand;
  readonly ids: readonly string[];
}> {
  const brand = await TestBrand.create();
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push((await brand.create(of.path, newItem(of, match, n))).id);
  return { brand, ids };
}

describe.each(fields)('A deletion in a push of $of.many by $match', ({ of, match }) => {
  it('deletes what it matches for good, with one call to D1', async () => {
    const { brand, ids } = await furnished({ of, match });
    const metered = meter();
    const answer = await push(brand, of, match, [deletion(of, match, 2)], { db: metered.db });
    expect(answer.body).toEqual({
      [of.many]: [],
      results: [{ id: ids[1], status: 'deleted' }],
    });
    expect(metered.calls).toBe(1);
    expect((await brand.send('GET', `${of.path}/${ids[1] ?? ''}`)).status).toBe(404);
    expect((await listed(brand, of)).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  });

  it('that matches nothing is unchanged, with no id, and writes nothing', async () => {
    const { brand } = await furnished({ of, match });
    await push(brand, of, match, [deletion(of, match, 1)]);
    const before = await snapshot(brand.issued.brandId);
    const metered = meter();
    const items = [deletion(of, match, 1), deletion(of, match, 9)];
    const answer = await push(brand, of, match, items, { db: metered.db });
    const none = { id: null, status: 'unchanged' };
    expect(answer.body).toEqual({ [of.many]: [], results: [none, none] });
    expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('is done beside creations and changes, and its resource is not among the resources', async () => {
    const { brand, ids } = await furnished({ of, match });
    const items = [
      newItem(of, match, 4),
      deletion(of, match, 1),
      { ...newItem(of, match, 2), description: 'Changed' },
      deletion(of, match, 9),
      newItem(of, match, 3),
      newItem(of, match, 5),
    ];
    const answer = await push(brand, of, match, items);
    const results = resultsOf(answer);
    expect(results.map(({ status }) => status)).toEqual([
      ...['created', 'deleted', 'updated', 'unchanged', 'unchanged', 'created'],
    ]);
    expect(results.slice(1, 5).map(({ id }) => id)).toEqual([ids[0], ids[1], null, ids[2]]);
    expect(pushedOf(answer, of)).toMatchObject(
      [0, 2, 4, 5].map((index) => ({ ...items[index], id: results[index]?.id })),
    );
    expect((await listed(brand, of)).map(({ id }) => id)).toEqual(
      [2, 4, 0, 5].map((index) => results[index]?.id),
    );
  });

  it('appears among the deleted of a follower, and the rest of the push among the changed', async () => {
    const { brand, ids } = await furnished({ of, match });
    const start = (await brand.send('GET', `${of.path}?since=0`)).body['since'];
    const items = [deletion(of, match, 3), newItem(of, match, 4), deletion(of, match, 1)];
    const created = resultsOf(await push(brand, of, match, items))[1]?.id;
    const { body } = await brand.send('GET', `${of.path}?since=${String(start)}`);
    expect(body[of === products ? 'deletedProductIds' : 'deletedCouponCodeIds']).toEqual([
      ids[2],
      ids[0],
    ]);
    expect(pushedOf({ body, status: 200, headers: new Headers(), text: '' }, of)).toMatchObject([
      { id: created },
    ]);
  });

  it('ignores read-only fields', async () => {
    const { brand, ids } = await furnished({ of, match });
    const items = [NOBODY, 5, 'nonsense'].map((id, n) => {
      return { ...deletion(of, match, n + 1), id, createdAt: 'x', updatedAt: null };
    });
    expect(resultsOf(await push(brand, of, match, items))).toEqual(
      ids.map((id) => ({ id, status: 'deleted' })),
    );
  });

  it('deletes nothing of another brand', async () => {
    const { brand } = await furnished({ of, match });
    const other = await TestBrand.create();
    expect(resultsOf(await push(other, of, match, [deletion(of, match, 1)]))).toEqual([
      { id: null, status: 'unchanged' },
    ]);
    expect(await listed(brand, of)).toHaveLength(3);
  });

  it('is refused if an item has the same value, whichever of them deletes', async () => {
    const { brand } = await furnished({ of, match });
    const [change, drop] = [newItem(of, match, 1), deletion(of, match, 1)];
    for (const items of [
      [change, drop],
      [drop, change],
      [drop, drop],
    ]) {
      const answer = await push(brand, of, match, items);
      expect([answer.status, answer.body['error']]).toEqual([
        400,
        `Invalid request: ${of.many}.1.${match}: ${of.many}.0 has the value ${JSON.stringify(drop[match])} too`,
      ]);
    }
    expect(await listed(brand, of)).toHaveLength(3);
  });

  it('counts among the 500 items', async () => {
    const brand = await TestBrand.create();
    const make = (length: number): Item[] =>
      Array.from({ length }, (_, n) =>
        n % 2 === 0 ? deletion(of, match, n) : newItem(of, match, n),
      );
    expect((await push(brand, of, match, make(501))).body).toEqual({
      error: `Invalid request: ${of.many}: expected a list of 1 to 500 items`,
    });
    expect(resultsOf(await push(brand, of, match, make(500)))).toHaveLength(500);
    const all = Array.from({ length: 500 }, (_, n) => deletion(of, match, n));
    const statuses = outcomes(await push(brand, of, match, all));
    expect(statuses).toEqual(all.map((_, n) => (n % 2 === 0 ? 'unchanged' : 'deleted')));
    expect(await listed(brand, of)).toEqual([]);
  });

  it('is not done if another item is refused, unless the push is lenient', async () => {
    const { brand, ids } = await furnished({ of, match });
    const before = await snapshot(brand.issued.brandId);
    const refused = [{ ...newItem(of, match, 2), nonsense: 1 }, { [match]: of.values[match]?.(8) }];
    for (const item of refused) {
      const answer = await push(brand, of, match, [deletion(of, match, 1), item]);
      expect(answer.status).toBe(400);
      expect(await snapshot(brand.issued.brandId)).toEqual(before);
    }
    const items = [...refused, deletion(of, match, 1)];
    const lenient = await push(brand, of, match, items, { headers: LENIENT });
    expect(resultsOf(lenient)).toMatchObject([
      { status: 'refused' },
      { status: 'refused' },
      { id: ids[0], status: 'deleted' },
    ]);
    expect(await listed(brand, of)).toHaveLength(2);
  });

  it('is done alone if it is the deletion that is refused and the push is lenient', async () => {
    const { brand } = await furnished({ of, match });
    const items = [{ ...deletion(of, match, 1), deleted: false }, newItem(of, match, 4)];
    const lenient = await push(brand, of, match, items, { headers: LENIENT });
    expect(outcomes(lenient)).toEqual(['deleted: expected true', 'created']);
    expect(await listed(brand, of)).toHaveLength(4);
  });

  it('is only reported by a dry run', async () => {
    const { brand, ids } = await furnished({ of, match });
    const before = await snapshot(brand.issued.brandId);
    const items = [deletion(of, match, 1), newItem(of, match, 4), deletion(of, match, 9)];
    const answer = await push(brand, of, match, items, { dryRun: true });
    expect(resultsOf(answer)).toEqual([
      { id: ids[0], status: 'deleted' },
      { id: null, status: 'created' },
      { id: null, status: 'unchanged' },
    ]);
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('is replayed with the same Idempotency-Key, even if the value is in use again', async () => {
    const { brand, ids } = await furnished({ of, match });
    const items = [deletion(of, match, 1), newItem(of, match, 4), deletion(of, match, 9)];
    const first = await push(brand, of, match, items, { headers: ONCE });
    const again = await push(brand, of, match, items, { headers: ONCE });
    expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true']);
    expect(resultsOf(again)[0]).toEqual({ id: ids[0], status: 'deleted' });

    await brand.create(of.path, newItem(of, match, 1));
    await push(brand, of, match, items, { headers: ONCE });
    expect(await listed(brand, of)).toHaveLength(4);
    const other = await push(brand, of, match, items.slice(0, 1), { headers: ONCE });
    expect(other.status).toBe(422);
  });

  it('has no resource to omit with return=minimal', async () => {
    const { brand, ids } = await furnished({ of, match });
    const headers = { Prefer: 'return=minimal' };
    const answer = await push(brand, of, match, [deletion(of, match, 1)], { headers });
    expect(answer.body).toEqual({ results: [{ id: ids[0], status: 'deleted' }] });
  });
});

describe.each([products, couponCodes])('A deletion in a push of $many by id', (of) => {
  const match = of === products ? 'sku' : 'code';

  it('deletes, and is unchanged with no id if there is none', async () => {
    const { brand, ids } = await furnished({ of, match });
    const items = [ids[1], NOBODY, ids[0]].map((id) => ({ id, deleted: true }));
    expect(resultsOf(await push(brand, of, 'id', items))).toEqual([
      { id: ids[1], status: 'deleted' },
      { id: null, status: 'unchanged' },
      { id: ids[0], status: 'deleted' },
    ]);
    expect((await listed(brand, of)).map(({ id }) => id)).toEqual([ids[2]]);
  });

  it('is no item of a POST without match', async () => {
    const { brand } = await furnished({ of, match });
    const body = { [of.many]: [{ ...newItem(of, match, 4), deleted: true }] };
    const answer = await brand.send('POST', of.path, body);
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      `Invalid request: ${of.many}.0.deleted: unknown field`,
    ]);
  });
});

describe('A deletion that several match', () => {
  it.each(['sku', 'handle', 'storeVariantId', 'storeProductId'])(
    'is refused by %s, and deletes none of them',
    async (match) => {
      const brand = await TestBrand.create();
      const value = 'shared';
      for (const n of [1, 2]) {
        await brand.create('/products', { ...newItem(products, match, n), [match]: value });
      }
      const items = [{ [match]: value, deleted: true }];
      const error = `${match}: 2 products have the value "shared"`;
      const strict = await push(brand, products, match, items);
      expect([strict.status, strict.body['error']]).toEqual([
        400,
        `Invalid request: products.0.${error}`,
      ]);
      const lenient = await push(brand, products, match, items, { headers: LENIENT });
      expect(resultsOf(lenient)).toEqual([{ id: null, status: 'refused', error }]);
      expect(await listed(brand, products)).toHaveLength(2);
    },
  );
});

/** Items that are no deletion, and why. */
const invalid: readonly (readonly [item: Item, error: string])[] = [
  ...[false, null, 1, 'true', {}, []].map(
    (deleted) => [{ sku: 'A-1', deleted }, 'deleted: expected true'] as const,
  ),
  [{ sku: 'A-1', deleted: true, title: 'x' }, 'title: unknown field of a deletion'],
  [{ sku: 'A-1', deleted: true, handle: 'x' }, 'handle: unknown field of a deletion'],
  [
    { sku: 'A-1', deleted: true, nonsense: 1, priceCents: 1 },
    'nonsense: unknown field of a deletion; priceCents: unknown field of a deletion',
  ],
  [
    { sku: 'A-1', deleted: true, sourceUpdatedAt: 'yesterday' },
    'sourceUpdatedAt: expected an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
  ],
  [{ deleted: true }, 'sku: required'],
  [{ sku: null, deleted: true }, 'sku: expected a value other than null: it finds the resource'],
  [
    { sku: '', deleted: 0 },
    'sku: expected a string of 1 to 255 characters without control characters; deleted: expected true',
  ],
];

describe('A deletion is refused', () => {
  it.each(invalid)('if it is %j', async (item, error) => {
    const { brand } = await furnished({ of: products, match: 'sku' });
    const lenient = await push(brand, products, 'sku', [item], { headers: LENIENT });
    expect(resultsOf(lenient)).toEqual([{ id: null, status: 'refused', error }]);
    const strict = await push(brand, products, 'sku', [item]);
    const problems = error.split('; ').map((problem) => `products.0.${problem}`);
    expect([strict.status, strict.body['error']]).toEqual([
      400,
      `Invalid request: ${problems.join('; ')}`,
    ]);
    expect(await listed(brand, products)).toHaveLength(3);
  });

  it.each(['__proto__', 'constructor', 'deleted', 'title'])(
    'with the match %s, which is no field to match by',
    async (match) => {
      const { brand } = await furnished({ of: products, match: 'sku' });
      const items = [{ sku: 'A-1', deleted: true }, { deleted: 1 }];
      const answer = await push(brand, products, match, items, { headers: LENIENT });
      expect([answer.status, answer.body['error']]).toEqual([
        400,
        'Invalid request: match: expected one of id, storeProductId, storeVariantId, sku, handle',
      ]);
    },
  );

  it('with a time of a change at the source if it is one of a coupon code', async () => {
    const { brand } = await furnished({ of: couponCodes, match: 'code' });
    const item = { ...deletion(couponCodes, 'code', 1), sourceUpdatedAt: '2026-01-31T09:30:00Z' };
    const answer = await push(brand, couponCodes, 'code', [item]);
    expect(answer.body).toEqual({
      error: 'Invalid request: couponCodes.0.sourceUpdatedAt: unknown field of a deletion',
    });
  });
});

it.each(['2026-01-31T09:30:00+01:00', null])(
  'A deletion of a product may have the sourceUpdatedAt %j',
  async (sourceUpdatedAt) => {
    const { brand } = await furnished({ of: products, match: 'sku' });
    const item = { ...deletion(products, 'sku', 1), sourceUpdatedAt };
    expect(outcomes(await push(brand, products, 'sku', [item]))).toEqual(['deleted']);
  },
);

describe('A coupon code that an item deletes', () => {
  /** A brand with the coupon code OLD, how a push by this field finds it, and an item that wants the code. */
  async function used(match: string): Promise<{
    readonly brand: TestBrand;
    readonly drop: Item;
    readonly taker: Item;
  }> {
    const brand = await TestBrand.create();
    const old = { code: 'OLD', storeDiscountId: 'd/1', discountPercent: 5 };
    const { id } = await brand.create('/coupon-codes', old);
    const other = await brand.create('/coupon-codes', {
      ...old,
      code: 'X',
      storeDiscountId: 'd/2',
    });
    const [mine, theirs] = match === 'id' ? [id, other.id] : ['d/1', 'd/2'];
    return {
      brand,
      drop: { [match]: mine, deleted: true },
      taker: { [match]: theirs, code: 'old' },
    };
  }

  it.each(['id', 'storeDiscountId'])('by %s is free for the items after it', async (match) => {
    const { brand, drop, taker } = await used(match);
    for (const dryRun of [true, false]) {
      const answer = await push(brand, couponCodes, match, [drop, taker], { dryRun });
      expect(outcomes(answer)).toEqual(['deleted', 'updated']);
    }
    expect((await listed(brand, couponCodes)).map(({ code }) => code)).toEqual(['old']);
  });

  it.each(['id', 'storeDiscountId'])('by %s is taken for the items before it', async (match) => {
    const { brand, drop, taker } = await used(match);
    const before = await snapshot(brand.issued.brandId);
    const error = 'Coupon code "old" already exists.';
    for (const dryRun of [true, false]) {
      const strict = await push(brand, couponCodes, match, [taker, drop], { dryRun });
      expect([strict.status, strict.body]).toEqual([409, { error }]);
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
    const lenient = await push(brand, couponCodes, match, [taker, drop], { headers: LENIENT });
    expect(outcomes(lenient)).toEqual([error, 'deleted']);
    expect((await listed(brand, couponCodes)).map(({ code }) => code)).toEqual(['X']);
  });

  it('is free for a new one after it', async () => {
    const { brand, drop } = await used('storeDiscountId');
    const created = { storeDiscountId: 'd/3', code: 'OLD', discountPercent: 7 };
    const answer = await push(brand, couponCodes, 'storeDiscountId', [drop, created]);
    expect(outcomes(answer)).toEqual(['deleted', 'created']);
    expect(await listed(brand, couponCodes)).toMatchObject([{ code: 'X' }, created]);
  });

  it('is free for one item after it only', async () => {
    const { brand, drop, taker } = await used('storeDiscountId');
    const created = { storeDiscountId: 'd/3', code: 'OLD', discountPercent: 7 };
    const items = [drop, taker, created];
    const answer = await push(brand, couponCodes, 'storeDiscountId', items, { headers: LENIENT });
    expect(outcomes(answer)).toEqual([
      ...['deleted', 'updated', 'Coupon code "OLD" already exists.'],
    ]);
  });

  it('is still taken if the deletion is refused', async () => {
    const { brand, drop, taker } = await used('id');
    const items = [{ ...drop, deleted: 1 }, taker];
    const answer = await push(brand, couponCodes, 'id', items, { headers: LENIENT });
    expect(outcomes(answer)).toEqual([
      'deleted: expected true',
      'Coupon code "old" already exists.',
    ]);
    expect(await listed(brand, couponCodes)).toHaveLength(2);
  });
});
