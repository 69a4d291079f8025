import { beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN } from './support/attack.ts';
import { resourceOf, resourcesOf, TestBrand } from './support/brand.ts';
import { poll } from './support/changes.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import { meter } from './support/meter.ts';
import type { Item } from './support/push.ts';
import {
  deletion,
  fields,
  LENIENT,
  ONCE,
  newItem,
  outcomes,
  push,
  pushedOf,
  required,
  resultsOf,
} from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

// What a push does with good items. What is refused is in push-refusals.test.ts.

/** A resource without what differs from one creation to the next. */
function plain({ id: _, createdAt: _1, updatedAt: _2, ...rest }: Item): Item {
  return { ...rest, lastSyncedAt: rest['lastSyncedAt'] !== null };
}

describe.each(fields)('$of.many by $match', ({ of, match }) => {
  const item = (n: number): Item => newItem(of, match, n);
  const drop = (n: number): Item => deletion(of, match, n);

  /** A brand with the resources 1 to 3, and their ids. */
  let brand: TestBrand;
  let ids: string[];
  const rows = (): Promise<unknown> => snapshot(brand.issued.brandId);

  beforeEach(async () => {
    brand = await TestBrand.create();
    const body = { [of.many]: [1, 2, 3].map(item) };
    ids = resourcesOf(await brand.send('POST', of.path, body)).map(({ id }) => id);
  });

  it('A push finds nothing of another brand, and creates as a POST does', async () => {
    const other = await TestBrand.create();
    const before = await rows();
    const none = await push(other, of, match, [drop(1)]);
    expect(resultsOf(none)).toEqual([{ id: null, status: 'unchanged' }]);
    const items = [3, 1, 2].map(item);
    const answer = await push(other, of, match, items);
    expect(outcomes(answer)).toEqual(items.map(() => 'created'));
    const created = pushedOf(answer, of);
    expect(await other.list(of.path)).toEqual(created);
    const posted = (await brand.list(of.path)).map(plain);
    expect(created.map(plain)).toEqual([posted[2], posted[0], posted[1]]);
    expect(await rows()).toEqual(before);
  });

  it('A push changes exactly the fields that an item names, also to null', async () => {
    const nullable = Object.keys(of.defaults).filter(
      (name) => of.defaults[name] === null && ![match, of.note, of.link?.field].includes(name),
    );
    const set = Object.fromEntries(nullable.map((name) => [name, of.full[name]]));
    const cleared = Object.fromEntries(nullable.map((name) => [name, null]));
    const before = await brand.create(of.path, { ...item(4), ...set, [of.note]: 'As it was' });
    await scheduler.wait(2);
    const change = { ...cleared, [match]: of.values[match]?.(4), [of.note]: 'As it is' };
    const answer = await push(brand, of, match, [change]);
    expect(resultsOf(answer)).toEqual([{ id: before.id, status: 'updated' }]);
    const [after = {}] = pushedOf(answer, of);
    const { updatedAt } = after;
    expect(after).toEqual({ ...before, ...change, ...(updatedAt !== undefined && { updatedAt }) });
    if (of.showsTimes) expect(String(updatedAt) > String(before['updatedAt'])).toBe(true);
    expect(resourceOf(await brand.send('GET', `${of.path}/${before.id}`))).toEqual(after);
  });

  it('A push does all of it in one call, in order, and ignores read-only fields', async () => {
    const { since } = await poll(brand, of.path, '0');
    const items = [
      item(4),
      { ...drop(1), id: UNKNOWN, createdAt: 'x', updatedAt: null },
      { ...item(2), id: 5, [of.note]: 'Changed' },
      drop(9),
      item(3),
      item(5),
    ];
    const metered = meter();
    const answer = await push(brand, of, match, items, metered);
    expect([Object.keys(answer.body), metered.calls]).toEqual([[of.many, 'results'], 1]);
    const results = resultsOf(answer);
    expect(results.map(({ status }) => status)).toEqual([
      'created',
      'deleted',
      'updated',
      'unchanged',
      'unchanged',
      'created',
    ]);
    expect(results.slice(1, 5).map(({ id }) => id)).toEqual([ids[0], ids[1], null, ids[2]]);
    const pushed = pushedOf(answer, of);
    expect(pushed).toMatchObject(
      [0, 2, 4, 5].map((index) => ({ ...items[index], id: results[index]?.id })),
    );
    expect(await brand.list(of.path)).toEqual([pushed[1], pushed[2], pushed[0], pushed[3]]);
    expect((await brand.send('GET', `${of.path}/${ids[0] ?? ''}`)).status).toBe(404);
    expect(await poll(brand, of.path, since)).toMatchObject({
      resources: [pushed[0], pushed[1], pushed[3]],
      deleted: [ids[0]],
    });
  });

  it('A push writes nothing if nothing changes, in one call', async () => {
    await push(brand, of, match, [drop(3)]);
    const before = await rows();
    for (const items of [
      [1, 2].map(item),
      [{ [match]: of.values[match]?.(2) }],
      [drop(3), drop(9)],
    ]) {
      const metered = meter();
      const answer = await push(brand, of, match, items, metered);
      expect(outcomes(answer)).toEqual(items.map(() => 'unchanged'));
      expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
    }
    expect(await rows()).toEqual(before);
  });

  it('A push takes 500 items, and deletes, changes and creates among them', async () => {
    const items = Array.from({ length: 500 }, (_, n) => item(n + 10));
    const created = await push(brand, of, match, items);
    expect(outcomes(created)).toEqual(items.map(() => 'created'));
    const isDeleted = (n: number): boolean => n % 2 === 1;
    const changes = items.map((one, n) =>
      isDeleted(n) ? drop(n + 10) : { ...one, [of.note]: `${n}` },
    );
    const answer = await push(brand, of, match, changes);
    expect(outcomes(answer)).toEqual(changes.map((_, n) => (isDeleted(n) ? 'deleted' : 'updated')));
    expect(resultsOf(answer).map(({ id }) => id)).toEqual(resultsOf(created).map(({ id }) => id));
    expect(pushedOf(answer, of)).toMatchObject(changes.filter((_, n) => !isDeleted(n)));
  });

  it('A dry run of a push writes nothing, and ignores an Idempotency-Key', async () => {
    const items = [
      { ...item(1), [of.note]: 'Changed' },
      item(4),
      drop(2),
      drop(9),
      { ...item(3), [of.note]: 5 },
    ];
    const before = await rows();
    for (const key of ['once', 'not visible', 'x'.repeat(300)]) {
      const metered = meter();
      const headers = { ...LENIENT, 'Idempotency-Key': key };
      const options = { headers, dryRun: true, db: metered.db };
      const answer = await push(brand, of, match, items, options);
      expect(resultsOf(answer)).toMatchObject([
        { id: ids[0], status: 'updated' },
        { id: null, status: 'created' },
        { id: ids[1], status: 'deleted' },
        { id: null, status: 'unchanged' },
        { id: null, status: 'refused' },
      ]);
      expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
    }
    expect((await push(brand, of, match, items, { dryRun: true })).status).toBe(400);
    expect(await rows()).toEqual(before);
    // It takes no record for its own either.
    const dryRun = { headers: ONCE, dryRun: true };
    expect(outcomes(await push(brand, of, match, [item(4)], { headers: ONCE }))).toEqual([
      'created',
    ]);
    expect(outcomes(await push(brand, of, match, [item(4)], dryRun))).toEqual(['unchanged']);
    expect(outcomes(await push(brand, of, match, [item(5)], dryRun))).toEqual(['created']);
  });

  it('A push is replayed with its Idempotency-Key: each result as it was', async () => {
    const items = [
      item(1),
      { ...item(2), [of.note]: 'Changed' },
      drop(3),
      item(4),
      drop(9),
      { ...item(5), [of.note]: 5 },
      item(4),
      { [match]: of.values[match]?.(8) },
    ];
    const first = await push(brand, of, match, items, { headers: { ...ONCE, ...LENIENT } });
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    expect(resultsOf(first).map(({ status }) => status)).toEqual([
      'unchanged',
      'updated',
      'deleted',
      'created',
      'unchanged',
      'refused',
      'refused',
      required(of, match).length > 0 ? 'refused' : 'created',
    ]);
    // What was deleted is there again.
    await brand.create(of.path, item(3));
    const before = await rows();
    for (const prefer of [LENIENT, {}, { Prefer: 'handling=strict' }]) {
      const again = await push(brand, of, match, items, { headers: { ...ONCE, ...prefer } });
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    const minimal = { ...ONCE, Prefer: 'return=minimal' };
    const short = await push(brand, of, match, items, { headers: minimal });
    expect(short.body).toEqual({ results: resultsOf(first) });
    expect(await rows()).toEqual(before);
  });
});

it.each(fields.filter(({ match }) => match !== 'handle' && match !== 'code'))(
  'A push compares values as they are stored, trimmed and in NFC: $of.many by $match',
  async ({ of, match }) => {
    const brand = await TestBrand.create();
    const made = await brand.create(of.path, { ...of.bare(1), [match]: 'e\u0301' });
    const answer = await push(brand, of, match, [{ [match]: ' \u00e9 ', [of.note]: 'x' }]);
    expect(resultsOf(answer)).toEqual([{ id: made.id, status: 'updated' }]);
  },
);

it.each(collections)('A push by id changes and deletes, each item its own: $many', async (of) => {
  const brand = await TestBrand.create();
  const body = { [of.many]: [1, 2, 3, 4].map((n) => newItem(of, of.key, n)) };
  const made = resourcesOf(await brand.send('POST', of.path, body));
  const [one, two, three, four] = made;
  const items = [
    { id: three?.id, [of.note]: 'Third' },
    { ...one },
    { id: UNKNOWN, deleted: true },
    { id: four?.id, deleted: true },
    { id: two?.id, [of.key]: of.values[of.key]?.(9) },
  ];
  const answer = await push(brand, of, 'id', items);
  expect(resultsOf(answer)).toEqual([
    { id: three?.id, status: 'updated' },
    { id: one?.id, status: 'unchanged' },
    { id: null, status: 'unchanged' },
    { id: four?.id, status: 'deleted' },
    { id: two?.id, status: 'updated' },
  ]);
  const pushed = pushedOf(answer, of);
  expect(pushed).toMatchObject([items[0], items[1], items[4]]);
  expect(await brand.list(of.path)).toEqual([pushed[1], pushed[2], pushed[0]]);
});

it('A push of coupon codes by code ignores case, and spells the code as it was sent last', async () => {
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
  expect(await brand.list(couponCodes.path)).toEqual([{ ...made, code: 'save10' }]);
});

it('A push of products works out defaults for what it creates only', async () => {
  const brand = await TestBrand.create();
  const pushOne = async (match: string, item: Item): Promise<Item> =>
    pushedOf(await push(brand, products, match, [item]), products)[0] ?? {};
  const linked = { storeProductId: 'gid://shopify/Product/1' };
  const rope = { ...linked, title: 'Rope', priceCents: 1 };
  const created = await pushOne('storeProductId', rope);
  expect(created).toMatchObject({ handle: 'rope', source: 'SHOPIFY', syncStatus: 'SYNCED' });
  const { createdAt: lastSyncedAt } = created;
  expect(created).toMatchObject({ lastSyncedAt });
  const updated = await pushOne('storeProductId', { ...linked, title: 'Cord' });
  expect(updated).toMatchObject({ handle: 'rope', title: 'Cord', lastSyncedAt });
  const unsluggable = await pushOne('sku', { sku: 'S', title: '名前', priceCents: 1 });
  expect(unsluggable['handle']).toBe(unsluggable['id']);
});

it('A push of products takes what a GET gave, here and in another brand', async () => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  await brand.create('/products', { title: 'Rope', priceCents: 1, sku: 'A' });
  const before = await brand.list(products.path);
  for (const match of ['id', 'sku', 'handle']) {
    expect(outcomes(await push(brand, products, match, before))).toEqual(['unchanged']);
  }
  const elsewhere = await push(other, products, 'sku', before);
  expect(outcomes(elsewhere)).toEqual(['created']);
  expect(pushedOf(elsewhere, products)[0]?.['id']).not.toBe(before[0]?.id);
});
