import { describe, expect, it } from 'vitest';
import type { Resource, TestBrand } from '../support/brand.ts';
import { collectionsAndWidgets } from '../support/collections.ts';
import type { TestCollection } from '../support/collections/collection.ts';
import { keyed } from '../support/collections/collection.ts';
import { withKey } from '../support/idempotency.ts';
import { listed, sendInterrupted, twoPushesOfDeletions } from '../support/repeats.ts';
import { brandWith } from '../support/widget-service.ts';

/** What another client does to what a POST has created before it was acknowledged: whatever is left of it is in order. */
const INTERFERENCES: readonly {
  readonly what: string;
  readonly act: (brand: TestBrand, of: TestCollection, first: Resource) => Promise<unknown>;
}[] = [
  { what: 'nothing', act: () => Promise.resolve() },
  {
    what: 'a deletion of the first',
    act: (brand, { path }, first) => brand.send('DELETE', `${path}/${first.id}`),
  },
  {
    what: 'a deletion of all',
    act: async (brand, { path }) => {
      for (const { id } of await listed(brand, path)) await brand.send('DELETE', `${path}/${id}`);
    },
  },
  {
    what: 'a change',
    act: (brand, { path, note }, first) =>
      brand.send('PATCH', `${path}/${first.id}`, { [note]: 'Other' }),
  },
  {
    what: 'a deletion, and another with the same values',
    act: async (brand, { path }, first) => {
      await brand.send('DELETE', `${path}/${first.id}`);
      await brand.create(path, first);
    },
  },
  {
    what: 'another name for the first, and another resource of its name',
    act: async (brand, { path, key }, first) => {
      await brand.send('PATCH', `${path}/${first.id}`, { [key]: 'RENAMED' });
      await brand.create(path, first);
    },
  },
];

describe.each(collectionsAndWidgets)('A repeated POST ($path)', (of) => {
  const { path, many, isUnique } = of;
  const bodies = [
    { what: 'one', count: 1, body: keyed(of, 'ONE') },
    {
      what: 'three',
      count: 3,
      body: { [many]: ['ONE', 'TWO', 'THREE'].map((name) => keyed(of, name)) },
    },
  ];

  describe.each(bodies)('of $what', ({ count, body }) => {
    it.each([{ key: undefined }, { key: 'once' }])(
      'creates once, and answers what it created unless that is gone, whatever others do meanwhile (Idempotency-Key: $key)',
      async ({ key }) => {
        for (const { what, act } of INTERFERENCES) {
          const brand = await brandWith(of);
          const { headers } = key === undefined ? { headers: {} } : withKey(key);
          let left: Resource[] = [];
          let made: Resource[] = [];
          const between = async (): Promise<void> => {
            made = await listed(brand, path);
            for (const first of made.slice(0, 1)) await act(brand, of, first);
            left = await listed(brand, path);
          };
          const options = { moment: 'after', between, headers } as const;
          const answer = await sendInterrupted(brand, 'POST', path, body, options);

          expect(made).toHaveLength(count);
          const isGone = (await brand.send('GET', `${path}/${made[0]?.id ?? ''}`)).status === 404;
          if (isGone && key === undefined) {
            // Nothing shows any more that the first try created it.
            expect([answer.status, answer.headers.get('Retry-After')], what).toEqual([503, '1']);
            expect(await listed(brand, path), what).toEqual(left);
            continue;
          }
          expect(answer.status, `${what}: ${answer.text}`).toBe(201);
          const [shown] = Object.values(answer.body);
          expect(shown, what).toEqual(count === 1 ? made[0] : made);
          expect(await listed(brand, path), what).toEqual(left);
          if (key === undefined) continue;
          const again = await brand.send('POST', path, body, { headers });
          expect([again.status, again.text], what).toEqual([201, answer.text]);
          expect(again.headers.get('Idempotent-Replayed')).toBe('true');
        }
      },
    );
  });

  it('does not bring back what others have deleted, and a thousand more with it', async () => {
    const brand = await brandWith(of);
    const deleteMore = await twoPushesOfDeletions(brand, of);
    const between = async (): Promise<void> => {
      const made = (await listed(brand, path)).at(-1);
      expect((await brand.send('DELETE', `${path}/${made?.id ?? ''}`)).status).toBe(200);
      await deleteMore();
    };
    const options = { moment: 'after', between } as const;
    const answer = await sendInterrupted(brand, 'POST', path, keyed(of, 'ONE'), options);
    expect(answer.status).toBe(503);
    expect(await listed(brand, path)).toEqual([]);
  });

  it('that failed before it took effect is done after what another did', async () => {
    const brand = await brandWith(of);
    const between = (): Promise<unknown> => brand.create(path, keyed(of, 'ONE'));
    const options = { moment: 'before', between } as const;
    const answer = await sendInterrupted(brand, 'POST', path, keyed(of, 'ONE'), options);
    expect(answer.status).toBe(isUnique ? 409 : 201);
    expect(await listed(brand, path)).toHaveLength(isUnique ? 1 : 2);
  });
});
