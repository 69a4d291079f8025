import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Resource } from './support/brand.ts';
import { resourcesOf, TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import type { TestCollection } from './support/collections/collection.ts';
import { poll, pollAll, tokenOf } from './support/changes.ts';
import { meter } from './support/meter.ts';
import { withNewKey } from './support/keys.ts';
import { bearer, makeResources, perform, prepare, writeOperations } from './support/operations.ts';
import { newItem, push } from './support/push.ts';

// What a client sees that follows a collection. How long its tokens are good is in change-tokens.test.ts.

/** Creates resources with these numbers in one request. */
async function create(
  brand: TestBrand,
  of: TestCollection,
  ...numbers: number[]
): Promise<Resource[]> {
  const body = { [of.many]: numbers.map((n) => of.bare(n)) };
  return resourcesOf(await brand.send('POST', of.path, body));
}

async function change(
  brand: TestBrand,
  { path, note }: TestCollection,
  id: string,
  text: string,
): Promise<void> {
  const { status } = await brand.send('PATCH', `${path}/${id}`, { [note]: text });
  expect(status).toBe(200);
}

async function remove(brand: TestBrand, of: TestCollection, id: string): Promise<void> {
  expect((await brand.send('DELETE', `${of.path}/${id}`)).status).toBe(200);
}

function ids(resources: readonly { readonly id: string }[]): string[] {
  return resources.map(({ id }) => id);
}

/** The one at a place, which is there. */
function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`There is nothing at ${index}.`);
  return found;
}

describe.each(collections)('$path', (of) => {
  const { deletedMany, key: match } = of;

  it('A GET with since answers a read-only key with the resources, the ids of deleted ones and a token', async () => {
    const brand = await TestBrand.create();
    const { since: start, ...empty } = await poll(brand, of.path, '0');
    expect(empty).toEqual({ resources: [], deleted: [], next: undefined });
    const made = await create(brand, of, 1, 2);
    // Tokens belong to the brand, not to the key.
    const reader = await withNewKey(brand, { scope: 'read' });
    for (const token of ['0', start]) {
      const answer = await reader.send('GET', `${of.path}?since=${token}`);
      expect(answer.status).toBe(200);
      const since: unknown = expect.any(String);
      expect(answer.body).toEqual({ [of.many]: made, [deletedMany]: [], since });
      expect(answer.headers.get('Link')).toBeNull();
    }
  });

  it('A GET with since reports each changed resource once, as it is now, in the order of its last change', async () => {
    const brand = await TestBrand.create();
    const made = await create(brand, of, 1, 2, 3, 4);
    const since = await tokenOf(brand, of.path);
    const [first, second, third] = ids(made);
    for (const [id = '', text] of [
      [third, 'a'],
      [first, 'b'],
      [third, 'c'],
      [second, 'd'],
      [first, 'e'],
    ] as const) {
      await change(brand, of, id, text);
    }
    const page = await poll(brand, of.path, since);
    expect(page.resources).toMatchObject([
      { id: third, [of.note]: 'c' },
      { id: second, [of.note]: 'd' },
      { id: first, [of.note]: 'e' },
    ]);
    for (const resource of page.resources) {
      const read = await brand.send('GET', `${of.path}/${resource.id}`);
      expect(Object.values(read.body)[0]).toEqual(resource);
    }
    expect(page.deleted).toEqual([]);
    // From the beginning, the one that was not changed comes first.
    const start = await poll(brand, of.path, '0');
    expect(ids(start.resources)).toEqual([at(made, 3).id, ...ids(page.resources)]);
  });

  it('A GET with since reports deletions after the token, and none from before since=0', async () => {
    const brand = await TestBrand.create();
    const [early, middle, late] = ids(await create(brand, of, 1, 2, 3));
    await remove(brand, of, early ?? '');
    const start = await poll(brand, of.path, '0');
    expect([ids(start.resources), start.deleted]).toEqual([[middle, late], []]);
    await remove(brand, of, late ?? '');
    await remove(brand, of, middle ?? '');
    const page = await poll(brand, of.path, start.since);
    expect([page.resources, page.deleted]).toEqual([[], [late, middle]]);
    const idle = await poll(brand, of.path, page.since);
    expect(idle).toEqual({ resources: [], deleted: [], since: page.since, next: undefined });
  });

  it('A GET with since reports what was created and deleted since as deleted, never as a resource', async () => {
    const brand = await TestBrand.create();
    const since = await tokenOf(brand, of.path);
    const [gone] = ids(await create(brand, of, 1));
    await remove(brand, of, gone ?? '');
    const page = await poll(brand, of.path, since);
    expect(page.resources).toEqual([]);
    expect([[], [gone]]).toContainEqual(page.deleted);
  });

  it('A GET with since does not report a write that changed nothing', async () => {
    const brand = await TestBrand.create();
    const [made] = await create(brand, of, 1);
    const since = await tokenOf(brand, of.path);
    const item = `${of.path}/${made?.id ?? ''}`;
    await brand.send('PATCH', item, {});
    await brand.send('PATCH', item, { [of.note]: of.defaults[of.note] });
    await brand.send('PUT', item, made);
    await push(brand, of, match, [{ ...made, [match]: of.values[match]?.(1) }]);
    await brand.send('PATCH', item, { [of.note]: 5 });
    await push(brand, of, match, [newItem(of, match, 2), { [match]: null }]);
    await push(brand, of, match, [newItem(of, match, 2)], { dryRun: true });
    // The push by a key that the resource did not have created another.
    const seen = await poll(brand, of.path, since);
    expect(ids(seen.resources)).toEqual(of.isUnique ? [] : [expect.any(String)]);
    const later = seen.since;
    await push(brand, of, match, [{ [match]: of.values[match]?.(1) }]);
    expect(await poll(brand, of.path, later)).toMatchObject({ resources: [], since: later });
  });

  it('A GET with since is paged: 250 without limit, resources and ids counted together, Link only while there is more', async () => {
    const brand = await TestBrand.create();
    const numbers = Array.from({ length: 251 }, (_, n) => n);
    const made = await create(brand, of, ...numbers);
    const load = await pollAll(brand, of.path, '0');
    expect(load.map(({ resources }) => resources.length)).toEqual([250, 1]);
    expect(load.flatMap(({ resources }) => resources)).toEqual(made);
    const since = at(load, 1).since;

    // Deletions and changes take turns.
    const expected: string[] = [];
    for (const { id } of made.slice(0, 3)) {
      await remove(brand, of, id);
      expected.push(`- ${id}`);
      const changed = at(made, 10 + expected.length).id;
      await change(brand, of, changed, id);
      expected.push(`+ ${changed}`);
    }
    for (const limit of [1, 2, 4, 5, 6, 7]) {
      const pages = await pollAll(brand, of.path, since, limit);
      expect(pages).toHaveLength(Math.ceil(6 / limit));
      const applied: string[] = [];
      for (const { resources, deleted } of pages) {
        expect(resources.length + deleted.length).toBeLessThanOrEqual(limit);
        applied.push(...ids(resources).map((id) => `+ ${id}`), ...deleted.map((id) => `- ${id}`));
      }
      expect(applied.sort()).toEqual([...expected].sort());
      // Wherever the pages end, the next poll begins at the same place.
      expect(at(pages, pages.length - 1).since).toBe((await poll(brand, of.path, since)).since);
    }
    expect((await pollAll(brand, of.path, since, 1)).flatMap(pageText)).toEqual(expected);
  });

  it('A GET with since announces a further page by an absolute URL with the token and the same limit', async () => {
    const brand = await TestBrand.create();
    await create(brand, of, 1, 2, 3);
    const answer = await brand.send('GET', `${of.path}?limit=2&since=0`);
    const link = answer.headers.get('Link') ?? '';
    const next = new URL(/^<(.*)>; rel="next"$/.exec(link)?.[1] ?? '');
    expect(next.origin + next.pathname).toBe(`http://api.test/api/brand/v1${of.path}`);
    const { since } = answer.body;
    expect(Object.fromEntries(next.searchParams)).toEqual({ limit: '2', since });
    const exactly = await brand.send('GET', `${of.path}?limit=3&since=0`);
    expect(exactly.headers.get('Link')).toBeNull();
  });

  it('A GET with since reports a resource again that changes during paging, and leaves none out', async () => {
    const brand = await TestBrand.create();
    const made = await create(brand, of, 1, 2, 3, 4, 5);
    const [first, second, third, fourth, fifth] = ids(made);
    const one = await poll(brand, of.path, '0', 2);
    expect(ids(one.resources)).toEqual([first, second]);
    await change(brand, of, first ?? '', 'Again');
    await change(brand, of, third ?? '', 'Moved');
    await remove(brand, of, second ?? '');
    await remove(brand, of, fourth ?? '');
    const [sixth] = ids(await create(brand, of, 6));
    const rest = await pollAll(brand, of.path, one.since, 2);
    expect(rest.flatMap(({ resources }) => ids(resources))).toEqual([fifth, first, third, sixth]);
    // The follower has the second already, and may hear of the fourth, which it never had.
    expect(rest.flatMap(({ deleted }) => deleted)).toEqual([second, fourth]);
  });

  it('A GET with since reports the resources of one transaction in the order of the request', async () => {
    const brand = await TestBrand.create();
    const existing = [1, 2, 3].map((n) => newItem(of, match, n));
    await push(brand, of, match, existing);
    const since = await tokenOf(brand, of.path);
    const items = [3, 7, 1, 6, 2, 5].map((n) => ({ ...newItem(of, match, n), [of.note]: 'x' }));
    await push(brand, of, match, items);
    const page = await poll(brand, of.path, since);
    expect(page.resources).toMatchObject(items);
    const created = await create(brand, of, 19, 12, 15);
    expect((await poll(brand, of.path, page.since)).resources).toEqual(created);
  });

  it('A GET with since shows nothing of another brand, whose tokens are refused', async () => {
    const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
    const [made] = await create(brand, of, 1);
    await create(other, of, 1, 2, 3);
    const theirs = await poll(other, of.path, '0', 1);
    expect(await poll(brand, of.path, '0')).toMatchObject({ resources: [made], deleted: [] });
    const answer = await brand.send('GET', `${of.path}?since=${theirs.since}`);
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'Invalid request: since: expected a token of this brand' },
    ]);
  });

  it('A GET with since does not combine with a cursor or a filter, whatever else is wrong', async () => {
    const brand = await TestBrand.create();
    await create(brand, of, 1, 2);
    const page = await brand.send('GET', `${of.path}?limit=1`);
    const [cursor = ''] = /cursor=[^&>]+/.exec(page.headers.get('Link') ?? '') ?? [];
    const tokens = ['0', await tokenOf(brand, of.path), '0&limit=5', 'nonsense', '0&limit=0'];
    const filters = ['updatedSince=2026-01-01T00:00:00Z', `${of.key}=A`];
    for (const parameter of [cursor, ...filters]) {
      for (const token of tokens) {
        const answer = await brand.send('GET', `${of.path}?since=${token}&${parameter}`);
        expect(answer.status).toBe(400);
        const name = parameter.replace(/=.*/, '');
        expect(answer.body['error']).toContain(`${name}: does not combine with since`);
      }
    }
  });

  it.each(['', '1', '00', 'abc', '-1', '%200', 'ffffffff00000000', '%00', 'x'.repeat(10_000)])(
    'A GET with since refuses a token that is none: "%s"',
    async (token) => {
      const brand = await TestBrand.create();
      const answer = await brand.send('GET', `${of.path}?since=${token}`);
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error:
            'Invalid request: since: expected 0, or the token that an earlier answer of this list gave',
        },
      ]);
    },
  );

  it('A GET with since refuses a token with a character changed, of the other collection, or given twice', async () => {
    const brand = await TestBrand.create();
    await create(brand, of, 1, 2, 3);
    const load = await poll(brand, of.path, '0', 1);
    const others = collections.filter((one) => one !== of);
    for (const token of [load.since, await tokenOf(brand, of.path)]) {
      for (let index = 0; index < token.length; index++) {
        const changed = `${token.slice(0, index)}${token[index] === '1' ? '2' : '1'}${token.slice(index + 1)}`;
        expect((await brand.send('GET', `${of.path}?since=${changed}`)).status).toBe(400);
      }
      for (const { path } of others) {
        expect((await brand.send('GET', `${path}?since=${token}`)).status).toBe(400);
      }
      expect((await brand.send('GET', `${of.path}?since=${token.toUpperCase()}`)).status).toBe(400);
      const twice = await brand.send('GET', `${of.path}?since=${token}&since=${token}`);
      expect(twice.body).toEqual({ error: 'Invalid request: since: given more than once' });
    }
  });
});

/** The changes of a page of one. */
function pageText({ resources, deleted }: Awaited<ReturnType<typeof poll>>): string[] {
  return [...ids(resources).map((id) => `+ ${id}`), ...deleted.map((id) => `- ${id}`)];
}

const writes = writeOperations.flatMap((operation) => {
  const [of] = collections.filter(({ path }) => operation.path(() => '').startsWith(path));
  return of ? [{ ...operation, of }] : [];
});

it.each(writes)('A follower sees every write: $name', async ({ of, ...operation }) => {
  const brand = await TestBrand.create();
  const ids = await makeResources(brand);
  await prepare(operation, brand, ids);
  const since = await tokenOf(brand, of.path);
  const { status } = await perform(operation, ids, { headers: bearer(brand) });
  expect(status).toBe(operation.status);

  const { resources, deleted } = await poll(brand, of.path, since);
  const hint =
    'a change without its number: use change of src/collection/change.ts, which gives it one';
  expect([...resources, ...deleted], hint).toHaveLength(1);
});

const repeatable = writeOperations.filter(
  ({ target, method, counts }) => target && method !== 'DELETE' && !counts,
);

it.each(repeatable)('A repeated write writes nothing: $name', async (operation) => {
  const brand = await TestBrand.create();
  const ids = await makeResources(brand);
  await prepare(operation, brand, ids);
  const { headers: first } = await perform(operation, ids, { headers: bearer(brand) });
  const metered = meter();
  const again = await perform(operation, ids, { headers: bearer(brand), db: metered.db });

  expect(again.status).toBe(operation.status);
  const hint =
    'a change of nothing keeps the entity tag: use change of src/collection/change.ts. If each repetition is a change, say so in test/support/operations.ts: counts';
  expect([again.headers.get('ETag'), metered.rowsWritten], hint).toEqual([first.get('ETag'), 0]);
});

it('The numbers of changes are the order of the transactions, without a gap, of each brand and collection', async () => {
  const brand = await TestBrand.create();
  const [first, second] = ids(await create(brand, products, 1, 2));
  await create(brand, couponCodes, 1);
  await change(brand, products, first ?? '', 'x');
  await remove(brand, products, second ?? '');
  await push(brand, products, 'sku', [newItem(products, 'sku', 7), newItem(products, 'sku', 8)]);
  const { results } = await env.DB.prepare(
    `select change_number from products where brand_id = ?1
     union all select change_number from tombstones where brand_id = ?1 order by 1`,
  )
    .bind(brand.issued.brandId)
    .all<{ change_number: number }>();
  expect(results.map((row) => row.change_number)).toEqual([3, 4, 5, 6]);
});
