import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer, Resource } from './support/brand.ts';
import { TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import type { TestCollection } from './support/collections/collection.ts';
import { meter } from './support/meter.ts';
import type { Item } from './support/push.ts';
import {
  fields,
  LENIENT,
  listed,
  newItem,
  outcomes,
  push,
  required,
  resultsOf,
} from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

describe.each(fields)('A dry run of a push of $of.many by $match', ({ of, match }) => {
  it('writes nothing, no idempotency record either', async () => {
    const brand = await TestBrand.create();
    await brand.create(of.path, newItem(of, match, 1));
    const before = await snapshot(brand.issued.brandId);
    const items = [
      { ...newItem(of, match, 1), [of.note]: 'Changed' },
      newItem(of, match, 2),
      { ...newItem(of, match, 3), [of.note]: 5 },
    ];
    // An Idempotency-Key is ignored, so a malformed one is too.
    for (const key of ['once', 'not visible', 'x'.repeat(300)]) {
      const metered = meter();
      const headers = { ...LENIENT, 'Idempotency-Key': key };
      const answer = await push(brand, of, match, items, { headers, dryRun: true, db: metered.db });
      expect(outcomes(answer).slice(0, 2)).toEqual(['updated', 'created']);
      expect(answer.headers.get('Idempotent-Replayed')).toBeNull();
      expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
    }
    const strict = await push(brand, of, match, items, { dryRun: true });
    expect(strict.status).toBe(400);
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('does not take a record for its own, nor leave one', async () => {
    const brand = await TestBrand.create();
    const headers = { 'Idempotency-Key': 'once' };
    const options = { headers, dryRun: true };
    const item = newItem(of, match, 1);
    expect(outcomes(await push(brand, of, match, [item], options))).toEqual(['created']);
    expect(outcomes(await push(brand, of, match, [item], { headers }))).toEqual(['created']);
    expect(outcomes(await push(brand, of, match, [item], options))).toEqual(['unchanged']);
    const other = await push(brand, of, match, [newItem(of, match, 2)], options);
    expect(outcomes(other)).toEqual(['created']);
  });
});

// What a dry run answers is what the write then answers, whatever is sent.

/** Good values of a field, few of them, so that they meet. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  title: fc.constantFrom('Rope', 'Cord', '名前'),
  priceCents: fc.constantFrom(1, 2, 3),
  description: fc.constantFrom('', 'x', 'y'),
  discountPercent: fc.constantFrom(1, 5, 5),
  sku: fc.constantFrom('A', 'B', 'C', 'a', ' A ', null),
  handle: fc.constantFrom('rope', 'cord', 'string'),
  storeProductId: fc.constantFrom('gid://shop/Product/1', 'p/2', 'p/3', null),
  storeVariantId: fc.constantFrom('gid://shop/Variant/1', 'v/2', 'v/3', null),
  lastSyncedAt: fc.constantFrom(null, '2026-01-31T09:30:00Z'),
  imageUrls: fc.constantFrom([], ['https://a.example/1.png']),
  sourceUpdatedAt: fc.constantFrom(null, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
  code: fc.constantFrom('ONE', 'one', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT'),
  storeDiscountId: fc.constantFrom('d/1', 'd/2', 'd/3', null),
  maxUses: fc.constantFrom(null, 1),
};

/** What is wrong with an item. */
const WRONG: fc.Arbitrary<Item> = fc.constantFrom<Item[]>(
  { nonsense: 1 },
  { title: '' },
  { title: null },
  { priceCents: -1 },
  { discountPercent: 101 },
  { handle: 'Rope' },
  { code: 'a b' },
  { maxUses: 0 },
  { deleted: true, title: 'Rope' },
  { deleted: false },
);

/** How many resources there are before each push, at least. */
const EXISTING = 8;

/** A value of a field that is in no other collection. */
function otherValue({ bare, values, note }: TestCollection, name: string): fc.Arbitrary<unknown> {
  if (name === note) return fc.constantFrom('x', 'y', 5);
  // Some of these are there already.
  const numbers = [1, 2, 3, 9, 10];
  return fc.constantFrom(...numbers.map((n) => values[name]?.(n) ?? bare(n)[name]));
}

/** Items, most of them good. */
function itemsOf(of: TestCollection, match: string): fc.Arbitrary<Item[]> {
  const valuesOf = (names: readonly string[]): Record<string, fc.Arbitrary<unknown>> =>
    Object.fromEntries(names.map((name) => [name, VALUES[name] ?? otherValue(of, name)]));
  const known = new Set([...Object.keys(VALUES), ...Object.keys(of.values), of.note]);
  const own = Object.keys(of.full).filter((name) => known.has(name));
  const matched: Record<string, fc.Arbitrary<unknown>> = match === 'id'
    ? {}
    : {
        [match]: fc
          .oneof(
            valuesOf([match])[match] ?? fc.constant(null),
            fc.integer({ min: 1, max: EXISTING }).map((n) => of.values[match]?.(n)),
          )
          .filter((value) => value !== null),
      };
  const some = fc.record({ ...valuesOf(own), ...matched }, { requiredKeys: Object.keys(matched) });
  const needed = fc.record(valuesOf(required(of, '')));
  const times = valuesOf(of.sourceTime === undefined ? [] : [of.sourceTime]);
  const deletion = fc
    .tuple(fc.record(matched), fc.record(times, { requiredKeys: [] }))
    .map(([found, time]) => ({ ...found, ...time, deleted: true }));
  const item: fc.Arbitrary<Item> = fc.oneof(
    { weight: 10, arbitrary: fc.tuple(needed, some).map(([one, two]) => ({ ...one, ...two })) },
    { weight: 5, arbitrary: some },
    { weight: 5, arbitrary: deletion },
    { weight: 1, arbitrary: fc.tuple(some, WRONG).map(([one, two]) => ({ ...one, ...two })) },
  );
  return fc.array(item, { minLength: 1, maxLength: 4 });
}

/** An answer without what a dry run cannot know. */
function settled(answer: Answer, before: ReadonlySet<string>): unknown {
  if (answer.status !== 200) return [answer.status, answer.body];
  return {
    applied: answer.headers.get('Preference-Applied'),
    results: resultsOf(answer).map(({ id, ...result }) => ({
      ...result,
      id: id !== null && before.has(id) ? id : null,
    })),
  };
}

const all = [...fields, ...collections.map((of) => ({ of, match: 'id' }))];

describe.each(all)('Of any push of $of.many by $match', ({ of, match }) => {
  it('a dry run answers what the write then answers', { timeout: 120_000 }, async () => {
    const brand = await TestBrand.create();
    const field = match === 'id' ? of.key : match;
    let created = 0;
    const furnished = async (): Promise<Resource[]> => {
      for (let missing = EXISTING - (await listed(brand, of)).length; missing > 0; missing--) {
        await brand.create(of.path, newItem(of, field, ++created));
      }
      return listed(brand, of);
    };
    const statuses = new Set<string>();
    const strict = { sent: 0, done: 0 };
    await fc.assert(
      fc.asyncProperty(
        itemsOf(of, match),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.nat(2),
        async (drawn, isLenient, isOnce, isNewer, target) => {
          const existing = await furnished();
          const ids = new Set(existing.map(({ id }) => id));
          const sent: readonly Item[] =
            match === 'id'
              ? drawn.map((item, n) => ({ ...item, id: existing[n + target]?.id ?? 'x' }))
              : drawn;
          // One more is as it is already.
          const values = new Set(sent.map((item) => String(item[match]).trim().toLowerCase()));
          const same = existing.find((one) => !values.has(String(one[match]).toLowerCase()));
          const items = [...sent, ...(same && same[match] !== null ? [same] : [])];
          const headers = {
            ...(isLenient && LENIENT),
            ...(isOnce && { 'Idempotency-Key': crypto.randomUUID() }),
          };
          const options = { headers, ...(of.sourceTime !== undefined && { ifNewer: isNewer }) };
          const state = await snapshot(brand.issued.brandId);
          const tried = await push(brand, of, match, items, { ...options, dryRun: true });
          expect(await snapshot(brand.issued.brandId)).toEqual(state);
          const done = await push(brand, of, match, items, options);
          expect(settled(tried, ids)).toEqual(settled(done, ids));
          expect(Object.keys(tried.body)).toEqual(tried.status === 200 ? ['results'] : ['error']);
          if (done.status !== 200) expect(await snapshot(brand.issued.brandId)).toEqual(state);
          else for (const { status } of resultsOf(done)) statuses.add(status);
          if (!isLenient) strict.sent++;
          if (!isLenient && done.status === 200) strict.done++;
        },
      ),
      { numRuns: 40, seed: 1 },
    );
    // The property says something of all outcomes, and many pushes went through.
    const expected = [
      ...(match === 'id' ? [] : ['created']),
      ...['deleted', 'refused'],
      ...(of.sourceTime === undefined ? [] : ['stale']),
      ...['unchanged', 'updated'],
    ];
    expect([...statuses].sort()).toEqual(expected);
    expect(strict.done / strict.sent).toBeGreaterThan(0.15);
  });
});
