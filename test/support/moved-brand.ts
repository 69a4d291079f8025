import { expect } from 'vitest';
import type { DatabaseNumber } from './databases.ts';
import { brandIn, databases } from './databases.ts';
import type { Resource, TestBrand } from './brand.ts';
import { resourcesOf } from './brand.ts';
import { pollAll, tokenOf } from './changes.ts';
import { collections } from './collections.ts';

/** A brand that is to move, and what others know of it. */
export interface Known {
  readonly brand: TestBrand;
  /** By path: the JSON of all resources, and a token of that time. */
  readonly lists: readonly List[];
}

interface List {
  readonly path: string;
  readonly resources: readonly Resource[];
  readonly since: string;
}

/** Creates a brand with a few resources, deletions and a record; its changes are more than one page. */
export async function smallBrand(number: DatabaseNumber): Promise<Known> {
  const brand = await brandIn(number);
  for (const { path, bare, many } of collections) {
    const items = Array.from({ length: 6 }, (_, n) => bare(n));
    const made = resourcesOf(await brand.send('POST', path, { [many]: items }));
    await brand.send('DELETE', `${path}/${String(made.at(-1)?.id)}`);
  }
  const lists = [];
  for (const { path } of collections) {
    const resources = resourcesOf(await brand.send('GET', path));
    lists.push({ path, resources, since: await tokenOf(brand, path) });
  }
  return { brand, lists };
}

/** The resources that no act of a test changes: the first two of each collection. */
const UNTOUCHED = 2;

/** Expects that what nobody has changed is as it was, and that a follower comes to what the service has. */
export async function expectSame({ brand, lists }: Known): Promise<void> {
  for (const { path, resources, since } of lists) {
    const now = resourcesOf(await brand.send('GET', path));
    expect(now.slice(0, UNTOUCHED)).toEqual(resources.slice(0, UNTOUCHED));
    const followed = new Map(resources.map((resource) => [resource.id, resource]));
    for (const page of await pollAll(brand, path, since)) {
      for (const resource of page.resources) followed.set(resource.id, resource);
      for (const id of page.deleted) followed.delete(id);
    }
    const byId = (one: Resource, other: Resource): number => (one.id < other.id ? -1 : 1);
    expect([...followed.values()].sort(byId)).toEqual([...now].sort(byId));
  }
}

/** Expects that a brand accepts requests in one database, and has its data in no other. */
export async function expectHome(
  brandId: string,
  home: DatabaseNumber,
  others: readonly DatabaseNumber[],
): Promise<void> {
  expect(await keysAt(home, brandId)).toMatchObject({ away: 0, frozen: 0 });
  for (const other of others) {
    expect(await keysAt(other, brandId)).toMatchObject({ live: 0, frozen: 0 });
    expect(await dataIn(other, brandId), `data in ${other}`).toBe(0);
  }
}

async function keysAt(number: DatabaseNumber, brandId: string): Promise<unknown> {
  return databases[number]
    .prepare(
      `select count(*) filter (where moved_to is null) as live, count(moved_to) as away, count(frozen_at) as frozen
       from api_keys where brand_id = ?`,
    )
    .bind(brandId)
    .first();
}

/** The number of rows of a brand's data in a database. */
export async function dataIn(number: DatabaseNumber, brandId: string): Promise<number> {
  const tables = [...collections.map(({ table }) => table), 'tombstones', 'idempotency_records'];
  const sum = tables
    .map((table) => `(select count(*) from ${table} where brand_id = ?1)`)
    .join('+');
  const row = await databases[number]
    .prepare(`select ${sum} as n`)
    .bind(brandId)
    .first<{ n: number }>();
  return row?.n ?? 0;
}
