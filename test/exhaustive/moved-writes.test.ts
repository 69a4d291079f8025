import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, TestBrand } from '../support/brand.ts';
import { resourcesOf } from '../support/brand.ts';
import { collections } from '../support/collections.ts';
import { keyed } from '../support/collections/collection.ts';
import type { Intercept } from '../support/d1.ts';
import type { DatabaseNumber, Watched } from '../support/databases.ts';
import {
  brandIn,
  contentOf,
  countsIn,
  migrateAll,
  relocate,
  setKeys,
  watch,
} from '../support/databases.ts';
import type { Moment } from '../support/faults.ts';
import { D1_ERRORS, d1Error } from '../support/faults.ts';
import type { Ids } from '../support/operations.ts';
import { makeResources } from '../support/operations.ts';
import { rewinding } from '../support/restored.ts';
import type { Write } from '../support/whole-writes.ts';
import { KNOWN, writes } from '../support/whole-writes.ts';

// Every kind of write, with failures of D1 before, during and after a move of its brand. It takes effect once, or not at
// all; and what it did before the move is recognized after it.

beforeAll(migrateAll);

/** What a database does at each of its calls, in order: it answers, fails before the call has an effect, or after it. */
type Course = readonly (Moment | 'answers')[];

/** @param between what happens at a failure with this number, counted from 1 */
function failing(course: Course, between: (failure: number) => Promise<unknown>): Intercept {
  let calls = 0;
  let failures = 0;
  return async (call) => {
    const fate = course[calls++] ?? 'answers';
    if (fate === 'answers') return call();
    if (fate === 'after') await call();
    await between(++failures);
    throw d1Error(D1_ERRORS.passing[0]);
  };
}

const nothing = (): Promise<void> => Promise.resolve();

interface Fixture {
  readonly brand: TestBrand;
  readonly ids: Ids;
  readonly counts: Record<string, number>;
}

interface Beginning extends Fixture {
  readonly rewind: () => Promise<void>;
}

let made: Promise<Beginning> | undefined;

/** Returns a brand with resources in database 0: always the same one, brought back to its beginning. */
async function prepared(): Promise<Fixture> {
  made ??= beginning();
  const { rewind, ...fixture } = await made;
  await rewind();
  return fixture;
}

async function beginning(): Promise<Beginning> {
  const brand = await brandIn(0);
  for (const of of collections) await brand.create(of.path, keyed(of, KNOWN));
  const ids = await makeResources(brand);
  const { brandId } = brand.issued;
  const rewind = await rewinding(brandId, [0, 1, 2]);
  return { brand, ids, counts: await countsIn(0, brandId), rewind };
}

async function request(
  { method, path, body, headers = {} }: Write,
  { brand, ids }: Fixture,
  { options }: Watched,
): Promise<Answer> {
  return brand.send(method, path(ids), body?.(crypto.randomUUID().slice(24)), {
    ...options,
    headers,
  });
}

/** Expects that a write took effect in its brand's home so many times. */
async function expectEffect(
  { effect }: Write,
  { brand, counts }: Fixture,
  home: DatabaseNumber,
  times: 0 | 1,
): Promise<void> {
  const after = await countsIn(home, brand.issued.brandId);
  for (const [table, before] of Object.entries(counts)) {
    expect([table, after[table]]).toEqual([table, before + times * (effect[table] ?? 0)]);
  }
}

describe.each(writes)('$name', (write) => {
  it.each<[what: string, lost: Course, done: 0 | 1, calls: Watched['calls']]>([
    ['was not done', ['before'], 0, { 0: 2, 1: 1 }],
    ['was done, and its answer was lost', ['after'], 1, { 0: 2, 1: 1 }],
    ['was done by the second of two tries', ['before', 'after'], 1, { 0: 3, 1: 1 }],
    ['was done by the first of two tries', ['after', 'before'], 1, { 0: 3, 1: 1 }],
  ])('that %s before the brand moved is done once', async (_, lost, done, calls) => {
    const fixture = await prepared();
    const { brand } = fixture;
    let left = '';
    const watched = watch({
      0: failing(lost, async (failure) => {
        // A push without a key is not retried.
        if (failure < (write.isOnce ? 1 : lost.length)) return;
        await relocate(brand, 0, 1);
        left = await contentOf(0, brand.issued.brandId);
      }),
    });
    const answer = await request(write, fixture, watched);
    expect(answer.status, answer.text).toBe(write.isOnce ? 503 : write.status);
    expect(watched.calls).toEqual(write.isOnce ? { 0: 1 } : calls);
    const onceDone = write.isOnce && lost[0] === 'before' ? 0 : done;
    await expectEffect(write, fixture, 1, write.isOnce ? onceDone : 1);
    expect(await contentOf(0, brand.issued.brandId)).toBe(left);
    expect(answer.text).not.toContain('LEFT BEHIND');
    expect(answer.headers.has('Idempotent-Replayed')).toBe(false);
  });

  it.each<[what: string, course: Course, done: 0 | 1, calls: number]>([
    ['answers', [], 1, 1],
    ['fails before the call', ['before'], 1, 2],
    ['fails after the call', ['after'], 1, 2],
    ['fails twice', ['after', 'before'], 1, 3],
    ['fails three times, without an effect', ['before', 'before', 'before'], 0, 3],
    ['fails three times, after an effect', ['before', 'after', 'after'], 1, 3],
  ])('in a new home that %s is done at most once', async (_, course, done, calls) => {
    const fixture = await prepared();
    await relocate(fixture.brand, 0, 1);
    const left = await contentOf(0, fixture.brand.issued.brandId);
    const watched = watch({ 1: failing(course, nothing) });
    const answer = await request(write, fixture, watched);
    const isRetried = !write.isOnce || course.length === 0;
    expect(answer.status, answer.text).toBe(isRetried && course.length < 3 ? write.status : 503);
    expect(watched.calls).toEqual({ 0: 1, 1: isRetried ? calls : 1 });
    await expectEffect(write, fixture, 1, isRetried || course[0] === 'after' ? done : 0);
    expect(await contentOf(0, fixture.brand.issued.brandId)).toBe(left);
  });

  it('whose answer was lost in both homes is done once', async () => {
    const fixture = await prepared();
    const watched = watch({
      0: failing(['after'], () => relocate(fixture.brand, 0, 1)),
      1: failing(['after'], nothing),
    });
    const answer = await request(write, fixture, watched);
    expect(answer.status, answer.text).toBe(write.isOnce ? 503 : write.status);
    expect(watched.calls).toEqual(write.isOnce ? { 0: 1 } : { 0: 2, 1: 2 });
    await expectEffect(write, fixture, 1, 1);
  });

  it('whose answer was lost before two moves is done once', async () => {
    const fixture = await prepared();
    const watched = watch({
      0: failing(['after'], async () => {
        await relocate(fixture.brand, 0, 1);
        await relocate(fixture.brand, 1, 2);
      }),
    });
    const answer = await request(write, fixture, watched);
    expect(answer.status, answer.text).toBe(write.isOnce ? 503 : write.status);
    expect(watched.calls).toEqual(write.isOnce ? { 0: 1 } : { 0: 2, 1: 1, 2: 1 });
    await expectEffect(write, fixture, 2, 1);
  });

  it('whose answer was lost before a move that is not settled is 503, and done once', async () => {
    const fixture = await prepared();
    const { brandId } = fixture.brand.issued;
    const watched = watch({
      0: failing(['after'], async () => {
        await relocate(fixture.brand, 0, 1);
        await setKeys(1, brandId, 'moved_to', 0);
      }),
    });
    const answer = await request(write, fixture, watched);
    expect(answer.status).toBe(503);
    expect(watched.calls).toEqual(write.isOnce ? { 0: 1 } : { 0: 2, 1: 1 });
    await expectEffect(write, fixture, 1, 1);
  });
});

describe('A change whose answer was lost before a move', () => {
  it('is 503 if another client has changed the same in the new home: nobody can tell', async () => {
    const { brand } = await prepared();
    const { id } = await brand.create('/products', { title: 'A', priceCents: 1 });
    const item = `/products/${id}`;
    const { options } = watch({
      0: failing(['after'], async () => {
        await relocate(brand, 0, 1);
        expect((await brand.send('PATCH', item, { title: 'Theirs' })).status).toBe(200);
      }),
    });
    const etag = (await brand.send('GET', item)).headers.get('ETag') ?? '';
    const sent = { ...options, headers: { 'If-Match': etag } };
    expect((await brand.send('PATCH', item, { title: 'Mine' }, sent)).status).toBe(503);
    expect((await brand.send('GET', item)).body).toMatchObject({ product: { title: 'Theirs' } });
  });

  it('has one revision, which no other try has', async () => {
    const { brand } = await prepared();
    const { id } = await brand.create('/products', { title: 'A', priceCents: 1 });
    const item = `/products/${id}`;
    let first = '';
    const { options } = watch({
      0: failing(['after'], async () => {
        await relocate(brand, 0, 1);
        first = (await brand.send('GET', item)).headers.get('ETag') ?? '';
        // Somebody puts the old title back: the retry changes the row once more.
        await brand.send('PATCH', item, { title: 'A' });
      }),
    });
    const answer = await brand.send('PATCH', item, { title: 'Mine' }, options);
    expect(answer.status).toBe(200);
    const second = answer.headers.get('ETag') ?? '';
    expect(second.slice(0, -2)).toBe(first.slice(0, -2));
    expect(second).not.toBe(first);
  });
});

describe('A creation whose answer was lost before a move', () => {
  it('is not repeated if another client has deleted its resource in the new home', async () => {
    const { brand } = await prepared();
    const known = resourcesOf(await brand.send('GET', '/products')).length;
    const { options } = watch({
      0: failing(['after'], async () => {
        await relocate(brand, 0, 1);
        const made = resourcesOf(await brand.send('GET', '/products')).at(-1);
        expect((await brand.send('DELETE', `/products/${String(made?.id)}`)).status).toBe(200);
      }),
    });
    const answer = await brand.send('POST', '/products', { title: 'A', priceCents: 1 }, options);
    expect(answer.status).toBe(503);
    expect(resourcesOf(await brand.send('GET', '/products'))).toHaveLength(known);
  });
});
