import { describe, expect, it } from 'vitest';
import type { Resource } from './support/brand.ts';
import { TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import { meter } from './support/meter.ts';
import { fields, listed, newItem, outcomes, push, pushedOf, resultsOf } from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

// What a push does with good items. What is refused is in push-refusals.test.ts.

/** What a push shows of a resource that it has not just created: the same as a GET. */
async function read(brand: TestBrand, path: string, id: string | null): Promise<unknown> {
  return Object.values((await brand.send('GET', `${path}/${id ?? ''}`)).body)[0];
}

describe.each(fields)('A push of $of.many by $match', ({ of, match }) => {
  it('creates what matches nothing, as a POST does, and lists come in the order of the request', async () => {
    const brand = await TestBrand.create();
    const items = [3, 1, 2].map((n) => newItem(of, match, n));
    const answer = await push(brand, of, match, items);
    expect([answer.status, outcomes(answer)]).toEqual([200, ['created', 'created', 'created']]);
    expect(Object.keys(answer.body)).toEqual([of.many, 'results']);
    const resources = pushedOf(answer, of);
    expect(resources).toMatchObject(items);
    expect(resultsOf(answer).map(({ id }) => id)).toEqual(resources.map(({ id }) => id));
    expect(await listed(brand, of)).toEqual(resources);

    // The same item in a POST without `match` is the same resource, but for id and times.
    const posted = await (await TestBrand.create()).create(of.path, items[0]);
    const { id: _, createdAt: _1, updatedAt: _2, lastSyncedAt, ...plain } = posted;
    expect(resources[0]).toMatchObject(plain);
    expect(lastSyncedAt === null).toBe(resources[0]?.['lastSyncedAt'] === null);
  });

  it('changes what matches: exactly the fields that the item names', async () => {
    const brand = await TestBrand.create();
    const full = { ...newItem(of, match, 1), [of.note]: 'As it was' };
    const before = await brand.create(of.path, full);
    const change = { [match]: of.values[match]?.(1), [of.note]: 'As it is' };
    const answer = await push(brand, of, match, [change]);
    expect(resultsOf(answer)).toEqual([{ id: before.id, status: 'updated' }]);
    const [after = {}] = pushedOf(answer, of);
    const { updatedAt } = after;
    expect(after).toEqual({
      ...before,
      [of.note]: 'As it is',
      ...(updatedAt !== undefined && { updatedAt }),
    });
    expect(await read(brand, of.path, before.id)).toEqual(after);
    if (updatedAt !== undefined) {
      expect([before['updatedAt'], updatedAt].map(String).sort()[1]).toBe(updatedAt);
    }
  });

  it('clears with null, as a PATCH does', async () => {
    const brand = await TestBrand.create();
    const isNull = (name: string): boolean => of.defaults[name] === null && name !== match;
    const [field = ''] = Object.keys(of.defaults).filter(isNull);
    await brand.create(of.path, { ...newItem(of, match, 1), [field]: of.full[field] });
    const answer = await push(brand, of, match, [
      { [match]: of.values[match]?.(1), [field]: null },
    ]);
    expect(outcomes(answer)).toEqual(['updated']);
    expect(pushedOf(answer, of)[0]?.[field]).toBeNull();
  });

  it('writes nothing where nothing changes, with one call to D1', async () => {
    const brand = await TestBrand.create();
    const items = [1, 2].map((n) => newItem(of, match, n));
    await push(brand, of, match, items);
    const before = await snapshot(brand.issued.brandId);
    for (const again of [items, [{ [match]: of.values[match]?.(2) }]]) {
      const metered = meter();
      const answer = await push(brand, of, match, again, { db: metered.db });
      expect(new Set(outcomes(answer))).toEqual(new Set(['unchanged']));
      expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('does all of it in one request, in order, whatever becomes of the items', async () => {
    const brand = await TestBrand.create();
    for (const n of [1, 2]) await brand.create(of.path, newItem(of, match, n));
    const items = [
      newItem(of, match, 5),
      newItem(of, match, 2),
      { ...newItem(of, match, 1), [of.note]: 'Changed' },
      newItem(of, match, 4),
    ];
    const answer = await push(brand, of, match, items);
    expect(outcomes(answer)).toEqual(['created', 'unchanged', 'updated', 'created']);
    expect(pushedOf(answer, of)).toMatchObject(items);
    expect((await listed(brand, of)).map((one) => one[match])).toEqual(
      [1, 2, 5, 4].map((n) => of.values[match]?.(n)),
    );
  });

  it('finds nothing of another brand', async () => {
    const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
    const theirs = await other.create(of.path, newItem(of, match, 1));
    const answer = await push(brand, of, match, [newItem(of, match, 1)]);
    expect(outcomes(answer)).toEqual(['created']);
    expect(await listed(other, of)).toEqual([theirs]);
  });

  it('takes 500 items', async () => {
    const brand = await TestBrand.create();
    const items = Array.from({ length: 500 }, (_, n) => newItem(of, match, n));
    const created = await push(brand, of, match, items);
    expect(outcomes(created)).toEqual(items.map(() => 'created'));
    const changed = items.map((item, n) => ({ ...item, [of.note]: `${n % 2}` }));
    const answer = await push(brand, of, match, changed);
    expect(outcomes(answer)).toEqual(items.map(() => 'updated'));
    expect(pushedOf(answer, of)).toMatchObject(changed);
    expect((await listed(brand, of)).map(({ id }) => id)).toEqual(
      resultsOf(created).map(({ id }) => id),
    );
  });
});

it.each(fields.filter(({ match }) => match !== 'handle' && match !== 'code'))(
  'A push of $of.many by $match compares values as they are stored: trimmed and in NFC',
  async ({ of, match }) => {
    const brand = await TestBrand.create();
    const made = await brand.create(of.path, { ...of.bare(1), [match]: 'e\u0301' });
    const answer = await push(brand, of, match, [{ [match]: ' \u00e9 ', [of.note]: 'x' }]);
    expect(resultsOf(answer)).toEqual([{ id: made.id, status: 'updated' }]);
  },
);

describe.each(collections)('A push of $many by id', (of) => {
  const match = of.key;
  it('changes resources, each by its own', async () => {
    const brand = await TestBrand.create();
    const made: Resource[] = [];
    for (const n of [1, 2, 3]) made.push(await brand.create(of.path, newItem(of, match, n)));
    const [first, second, third] = made;
    const answer = await push(brand, of, 'id', [
      { id: third?.id, [of.note]: 'Third' },
      { ...first },
      { id: second?.id, [match]: of.values[match]?.(9) },
    ]);
    expect(outcomes(answer)).toEqual(['updated', 'unchanged', 'updated']);
    expect(pushedOf(answer, of)).toMatchObject([
      { id: third?.id, [of.note]: 'Third' },
      { ...first },
      { id: second?.id, [match]: of.values[match]?.(9) },
    ]);
    expect((await listed(brand, of)).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  });
});

describe('A push of coupon codes by code', () => {
  it('ignores case, and spells the code as it was sent last', async () => {
    const brand = await TestBrand.create();
    const made = await brand.create('/coupon-codes', { code: 'Save10', discountPercent: 10 });
    for (const [code, status] of [
      ['Save10', 'unchanged'],
      ['SAVE10', 'updated'],
      ['SAVE10', 'unchanged'],
      ['save10', 'updated'],
    ] as const) {
      const answer = await push(brand, couponCodes, 'code', [{ code }]);
      expect(resultsOf(answer)).toEqual([{ id: made.id, status }]);
      expect(pushedOf(answer, couponCodes)).toMatchObject([{ id: made.id, code }]);
    }
    expect(await listed(brand, couponCodes)).toEqual([{ ...made, code: 'save10' }]);
  });
});

describe('A push of products', () => {
  it('works out defaults for what it creates only', async () => {
    const brand = await TestBrand.create();
    const linked = { storeProductId: 'gid://shopify/Product/1' };
    const [created = {}] = pushedOf(
      await push(brand, products, 'storeProductId', [{ ...linked, title: 'Rope', priceCents: 1 }]),
      products,
    );
    expect(created).toMatchObject({ handle: 'rope', source: 'SHOPIFY', syncStatus: 'SYNCED' });
    expect(created['lastSyncedAt']).toBe(created['createdAt']);
    const [updated] = pushedOf(
      await push(brand, products, 'storeProductId', [{ ...linked, title: 'Cord' }]),
      products,
    );
    expect(updated).toMatchObject({
      handle: 'rope',
      title: 'Cord',
      lastSyncedAt: created['lastSyncedAt'],
    });
    const [unsluggable] = pushedOf(
      await push(brand, products, 'sku', [{ sku: 'S', title: '名前', priceCents: 1 }]),
      products,
    );
    expect(unsluggable?.['handle']).toBe(unsluggable?.['id']);
  });

  it('ignores read-only fields, so that what a GET gave can be pushed back', async () => {
    const brand = await TestBrand.create();
    await brand.create('/products', { title: 'Rope', priceCents: 1, sku: 'A' });
    const before = await listed(brand, products);
    for (const match of ['id', 'sku', 'handle']) {
      expect(outcomes(await push(brand, products, match, before))).toEqual(['unchanged']);
    }
    expect(await listed(brand, products)).toEqual(before);
    const elsewhere = await push(await TestBrand.create(), products, 'sku', before);
    expect(outcomes(elsewhere)).toEqual(['created']);
    expect(pushedOf(elsewhere, products)[0]?.['id']).not.toBe(before[0]?.id);
  });
});
