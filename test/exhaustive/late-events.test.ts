import * as fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { TestBrand } from '../support/brand.ts';
import { products } from '../support/collections.ts';
import { withKey } from '../support/keys.ts';
import type { Item } from '../support/push.ts';
import { listed, outcomes, push } from '../support/push.ts';

const PRODUCTS = 200;
const VERSIONS = 40;
const EVENTS = 10_000;
const CLIENTS = 4;
const NEWEST = VERSIONS - 1;

/** The state of a product after one of its changes at the store. In between it is deleted, and created again. */
function eventOf(product: number, version: number): Item {
  const found = {
    storeProductId: `p/${product}`,
    sourceUpdatedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, version)).toISOString(),
  };
  return version % 10 === 5
    ? { ...found, deleted: true }
    : { ...found, title: `Version ${version}`, priceCents: version };
}

/** Every event once, some of them twice, in any order. */
function eventsFrom(seed: number): Item[] {
  const all = Array.from({ length: EVENTS }, (_, n) => {
    const number = n % (PRODUCTS * VERSIONS);
    return eventOf(number % PRODUCTS, Math.floor(number / PRODUCTS));
  });
  const order = fc.shuffledSubarray(all, { minLength: EVENTS });
  return fc.sample(order, { numRuns: 1, seed })[0] ?? [];
}

/** The events in requests. A push refuses two items with one value, so each request ends before the second of a product. */
function* requestsOf(events: readonly Item[]): Generator<Item[], void> {
  let request = new Map<unknown, Item>();
  for (const event of events) {
    if (request.has(event['storeProductId'])) {
      yield [...request.values()];
      request = new Map();
    }
    request.set(event['storeProductId'], event);
  }
  yield [...request.values()];
}

it(`${EVENTS} events in any order, with repeats, through ${CLIENTS} clients at once, leave the newest of each product`, async () => {
  const brand = await TestBrand.create();
  const events = eventsFrom(inject('fuzz').seed);
  // A key each: together they would pass the limit of a key.
  const keyed = await Promise.all(Array.from({ length: CLIENTS }, () => withKey(brand)));
  const counts = new Map<string, number>();
  await Promise.all(
    keyed.map(async (client, n) => {
      const own = events.filter((_, index) => index % CLIENTS === n);
      for (const items of requestsOf(own)) {
        const options = { ifNewer: true, headers: { Prefer: 'return=minimal' } };
        const answer = await push(client, products, 'storeProductId', items, options);
        for (const status of outcomes(answer)) counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    }),
  );
  const newest = Array.from({ length: PRODUCTS }, (_, product) => eventOf(product, NEWEST));
  const left = await listed(brand, products);
  expect(left).toHaveLength(PRODUCTS);
  const byStoreId = new Map(left.map((product) => [product['storeProductId'], product]));
  for (const item of newest) expect(byStoreId.get(item['storeProductId'])).toMatchObject(item);
  // The events did what is tested.
  expect([...counts.keys()].sort()).toEqual([
    'created',
    'deleted',
    'stale',
    'unchanged',
    'updated',
  ]);
});
