import { expect } from 'vitest';
import type { Answer, Resource, TestBrand } from './brand.ts';
import { resourcesOf } from './brand.ts';
import type { TestCollection } from './collections/collection.ts';
import type { Interruption } from './faults.ts';
import { interrupted } from './faults.ts';

// A call to D1 that failed in passing is made again, and nobody knows whether the first took effect. Here another client
// writes between the two tries. What the service does then is as if it had done the request once, or the last of two
// writes of the same thing had won; what it created or deleted, it never creates or deletes again.

/** A request whose first try fails, and what another client does before the second. */
export interface Repeated extends Partial<Interruption> {
  readonly moment: Interruption['moment'];
  readonly headers?: Record<string, string>;
}

/** Sends a request whose first call to D1 fails, and returns the answer after the second. */
export async function sendInterrupted(
  brand: TestBrand,
  method: string,
  path: string,
  body: unknown,
  { moment, between = () => Promise.resolve(), headers = {} }: Repeated,
): Promise<Answer> {
  const { db, calls } = interrupted(brand.service.db, { moment, between });
  const answer = await brand.send(method, path, body, { headers, db });
  // The service does not repeat a push without an Idempotency-Key: the client may.
  expect(calls()).toBe(path.includes('match=') && !('Idempotency-Key' in headers) ? 1 : 2);
  return answer;
}

/** Returns the resources of a collection as a complete list shows them. */
export async function listed(brand: TestBrand, path: string): Promise<Resource[]> {
  return resourcesOf(await brand.send('GET', path));
}

/** Creates as many resources as two pushes can delete, and returns a function that deletes them so. */
export async function twoPushesOfDeletions(
  brand: TestBrand,
  { path, many, bare }: TestCollection,
): Promise<() => Promise<void>> {
  const deletions: object[][] = [];
  for (const first of [1000, 1500]) {
    const items = Array.from({ length: 500 }, (_, index) => bare(first + index));
    const made = resourcesOf(await brand.send('POST', path, { [many]: items }));
    deletions.push(made.map(({ id }) => ({ id, deleted: true })));
  }
  return async () => {
    for (const items of deletions) {
      const answer = await brand.send('POST', `${path}?match=id`, { [many]: items });
      expect(answer.status, answer.text).toBe(200);
    }
  };
}
