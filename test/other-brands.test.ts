import { describe, expect, it } from 'vitest';
import { expectError, UNKNOWN } from './support/attack.ts';
import type { Answer, TestBrand } from './support/brand.ts';
import { resourceOf, resourcesOf } from './support/brand.ts';
import { collectionsAndWidgets } from './support/collections.ts';
import type { TestCollection } from './support/collections/collection.ts';
import { keyed } from './support/collections/collection.ts';
import { snapshot } from './support/snapshot.ts';
import { brandWith } from './support/widget-service.ts';

// Nothing of a brand can be reached with the key of another, in any collection.

/** Two brands of a service that has the collection. */
async function twoBrands(of: TestCollection): Promise<readonly [TestBrand, TestBrand]> {
  return [await brandWith(of, 'Mine'), await brandWith(of, 'Theirs')];
}

/** Everything of an answer that may not differ between two refusals: all but the time, the request's own id and the bookmark. */
function bytes({ status, headers, text }: Answer): unknown {
  const varying = new Set(['date', 'x-request-id', 'x-d1-bookmark']);
  return { status, text, headers: [...headers].filter(([name]) => !varying.has(name)) };
}

const attacks = collectionsAndWidgets.flatMap((of) => {
  const whole = keyed(of, 'STOLEN');
  const change = { [of.note]: 'Stolen' };
  return (
    [
      ['GET', undefined, {}],
      ['HEAD', undefined, {}],
      ['GET', undefined, { 'If-None-Match': '*' }],
      ['PUT', whole, {}],
      ['PUT', whole, { 'If-Match': '*' }],
      ['PATCH', change, {}],
      ['PATCH', {}, {}],
      ['PATCH', change, { 'If-Match': '"wrong"' }],
      ['DELETE', undefined, {}],
      ['DELETE', undefined, { 'If-Match': '*' }],
    ] as const
  ).map(([method, body, headers]) => ({ of, method, body, headers }));
});

it.each(attacks)(
  "A request with another brand's id is answered exactly like one with an unknown id: $method $of.path ($headers)",
  async ({ of, method, body, headers }) => {
    const [mine, theirs] = await twoBrands(of);
    const { id } = await theirs.create(of.path, of.bare(1));
    const state = (): Promise<unknown> => snapshot(theirs.issued.brandId, theirs.service);
    const before = await state();
    const foreign = await mine.send(method, `${of.path}/${id}`, body, { headers });
    const unknown = await mine.send(method, `${of.path}/${UNKNOWN}`, body, { headers });
    expect(foreign.status).toBe(404);
    expect(bytes(foreign)).toEqual(bytes(unknown));
    expect(await state()).toEqual(before);
  },
);

describe.each(collectionsAndWidgets)('$path', (of) => {
  const { path, many, key } = of;

  it("A list shows nothing of another brand, not even with that brand's cursor, filter or token", async () => {
    const [mine, theirs] = await twoBrands(of);
    for (const n of [1, 2, 3]) await theirs.create(path, keyed(of, `S${n}`));
    const own = await mine.create(path, keyed(of, 'OWN'));
    const page = await theirs.send('GET', `${path}?limit=1`);
    const cursor = /cursor=(\w+)/.exec(page.headers.get('Link') ?? '')?.[1] ?? 'none';
    for (const query of ['', `?limit=250&cursor=${cursor}`, `?${key}=S1`, '?since=0']) {
      const answer = await mine.send('GET', path + query);
      expect(answer.status, answer.text).toBe(200);
      for (const { id } of resourcesOf(answer)) expect(id).toBe(own.id);
    }
    const { since } = (await theirs.send('GET', `${path}?since=0`)).body;
    expectError(await mine.send('GET', `${path}?since=${String(since)}`), 400, 410);
  });

  it('A push finds nothing of another brand, neither by its ids nor by its keys', async () => {
    const [mine, theirs] = await twoBrands(of);
    const { id } = await theirs.create(path, keyed(of, 'SHARED'));
    const state = (): Promise<unknown> => snapshot(theirs.issued.brandId, theirs.service);
    const before = await state();
    const byId = { [many]: [{ id, [of.note]: 'Stolen' }] };
    expectError(await mine.send('POST', `${path}?match=id`, byId), 400);
    const byKey = { [many]: [keyed(of, 'SHARED')] };
    const created = await mine.send('POST', `${path}?match=${key}`, byKey);
    expect(created.body['results']).toMatchObject([{ status: 'created' }]);
    expect(created.text).not.toContain(id);
    expect(await state()).toEqual(before);
  });

  it('An Idempotency-Key of another brand replays nothing, and its entity tag gives no access', async () => {
    const [mine, theirs] = await twoBrands(of);
    const headers = { 'Idempotency-Key': 'shared' };
    const first = await theirs.send('POST', path, of.bare(1), { headers });
    const second = await mine.send('POST', path, of.bare(1), { headers });
    expect(second.status).toBe(201);
    expect(second.headers.get('Idempotent-Replayed')).toBeNull();
    const { id } = resourceOf(first);
    expect(resourceOf(second).id).not.toBe(id);
    const ifMatch = { 'If-Match': first.headers.get('ETag') ?? '' };
    const answer = await mine.send('DELETE', `${path}/${id}`, undefined, { headers: ifMatch });
    expectError(answer, 404);
  });
});
