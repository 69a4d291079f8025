import { describe, expect, it } from 'vitest';
import type { Resource } from './support/brand.ts';
import { resourceOf, resourcesOf, TestBrand } from './support/brand.ts';
import { couponCodes, products } from './support/collections.ts';
import type { Fields, TestCollection } from './support/collections/collection.ts';

// What becomes of the sync fields when a resource gets its first store id, or loses it.

const OLD = '2020-02-29T00:00:00.000Z';
const NEW = '2021-01-01T00:00:00.000Z';

const COLLECTIONS = [
  { of: products, link: 'storeProductId' },
  { of: couponCodes, link: 'storeDiscountId' },
] as const;

/** The ways to change a resource: each sends the same fields, and shows what the resource is then. */
const WAYS: Readonly<
  Record<
    string,
    (brand: TestBrand, of: TestCollection, id: string, sent: Fields) => Promise<Resource>
  >
> = {
  PUT: async (brand, of, id, sent) =>
    resourceOf(await brand.send('PUT', `${of.path}/${id}`, { ...of.bare(1), ...sent })),
  PATCH: async (brand, of, id, sent) =>
    resourceOf(await brand.send('PATCH', `${of.path}/${id}`, sent)),
  'a push': async (brand, of, id, sent) => {
    const items = [{ id, ...sent }];
    const answer = await brand.send('POST', `${of.path}?match=id`, { [of.many]: items });
    return resourcesOf(answer)[0] ?? { id };
  },
  'a push by its key': async (brand, of, id, sent) => {
    const item = { ...of.bare(1), [of.key]: 'KEY', ...sent };
    await brand.send('PATCH', `${of.path}/${id}`, { [of.key]: 'KEY' });
    const answer = await brand.send('POST', `${of.path}?match=${of.key}`, { [of.many]: [item] });
    return resourcesOf(answer)[0] ?? { id };
  },
};

const FAILED = { syncStatus: 'FAILED', lastSyncedAt: OLD };
const CASES: readonly {
  readonly name: string;
  readonly before: string | null;
  /** The store id, as `link`, and what else is sent. */
  readonly sent: Fields;
  /** The sync fields that change. `now` stands for the time of the write. */
  readonly changes: Fields;
}[] = [
  {
    name: 'the first store id',
    before: null,
    sent: { link: '1' },
    changes: { syncStatus: 'SYNCED', lastSyncedAt: 'now' },
  },
  {
    name: 'none any more',
    before: '1',
    sent: { link: null },
    changes: { syncStatus: 'NOT_LINKED', lastSyncedAt: null },
  },
  { name: 'another one', before: '1', sent: { link: '2' }, changes: {} },
  { name: 'the same one', before: '1', sent: { link: '1' }, changes: {} },
  { name: 'none as before', before: null, sent: { link: null }, changes: {} },
  {
    name: 'the first one, and a status',
    before: null,
    sent: { link: '1', syncStatus: 'PENDING' },
    changes: { syncStatus: 'PENDING', lastSyncedAt: 'now' },
  },
  {
    name: 'the first one, and a time',
    before: null,
    sent: { link: '1', lastSyncedAt: NEW },
    changes: { syncStatus: 'SYNCED', lastSyncedAt: NEW },
  },
  {
    name: 'the first one, and no time',
    before: null,
    sent: { link: '1', lastSyncedAt: null },
    changes: { syncStatus: 'SYNCED', lastSyncedAt: null },
  },
  {
    name: 'none any more, and a status',
    before: '1',
    sent: { link: null, syncStatus: 'FAILED' },
    changes: { lastSyncedAt: null },
  },
];

describe.each(COLLECTIONS)('$of.path', ({ of, link }) => {
  const { path } = of;
  const isProduct = 'lastSyncError' in of.full;
  const failed = { ...FAILED, ...(isProduct && { lastSyncError: 'Out of range' }) };

  describe.each(Object.entries(WAYS))('%s', (_, change) => {
    it.each(CASES)(
      'The sync fields follow from the store id that is sent: $name',
      async ({ before, sent, changes }) => {
        const brand = await TestBrand.create();
        const initial = { ...of.bare(1), ...failed, [link]: before };
        const created = await brand.create(path, initial);
        const { link: storeId, ...named } = sent;
        const shown = await change(brand, of, created.id, { [link]: storeId, ...named });
        const { lastSyncedAt, ...fields } = { ...failed, ...changes };
        const begins = before === null || storeId === null;
        const isCleared = isProduct && begins && before !== storeId;
        expect(shown).toMatchObject({
          ...fields,
          ...(isCleared && { lastSyncError: null }),
          ...(isProduct && { source: created['source'] }),
        });
        if (lastSyncedAt !== 'now') expect(shown['lastSyncedAt']).toBe(lastSyncedAt);
        else expect(Date.parse(String(shown['lastSyncedAt']))).toBeGreaterThan(Date.now() - 60_000);
        expect(await brand.list(path)).toEqual([shown]);
      },
    );
  });

  it('The sync fields are as they were if a change does not name the store id', async () => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, { ...of.bare(1), ...failed, [link]: '1' });
    await brand.send('PATCH', `${path}/${id}`, { [of.note]: 'Other' });
    const items = [{ id, [of.note]: 'Another' }];
    await brand.send('POST', `${path}?match=id`, { [of.many]: items });
    expect(await brand.list(path)).toMatchObject([{ ...failed, [link]: '1' }]);
  });

  it('The sync fields are reset by a PUT that leaves the store id out, because that is then null', async () => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, { ...of.bare(1), ...failed, [link]: '1' });
    const answer = await brand.send('PUT', `${path}/${id}`, of.bare(1));
    expect(resourceOf(answer)).toMatchObject({
      [link]: null,
      syncStatus: 'NOT_LINKED',
      lastSyncedAt: null,
      ...(isProduct && { lastSyncError: null }),
    });
  });

  it('The sync fields are no difference of their own: the same change again writes nothing', async () => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, of.bare(1));
    await brand.send('PATCH', `${path}/${id}`, { [link]: '1' });
    await brand.send('PATCH', `${path}/${id}`, failed);
    const before = await brand.send('GET', `${path}/${id}`);
    for (const method of ['PUT', 'PATCH']) {
      const body = { ...of.bare(1), [link]: '1' };
      const again = await brand.send(method, `${path}/${id}`, body);
      expect([again.text, again.headers.get('ETag')]).toEqual([
        before.text,
        before.headers.get('ETag'),
      ]);
    }
    const pushed = await brand.send('POST', `${path}?match=id`, {
      [of.many]: [{ id, [link]: '1' }],
    });
    expect(pushed.body['results']).toEqual([{ id, status: 'unchanged' }]);
  });

  it('The sync fields follow each of its own item in one push', async () => {
    const brand = await TestBrand.create();
    const bare = [1, 2, 3, 4, 5].map((n) => of.bare(n));
    const stored = [null, '2', '3', null, '5'];
    const created = await Promise.all(
      bare.map((body, n) => brand.create(path, { ...body, ...failed, [link]: stored[n] })),
    );
    const changes: readonly Fields[] = [
      { [link]: '1' },
      { [link]: null },
      { [of.note]: 'Other' },
      { [link]: '4', syncStatus: 'PENDING' },
      { syncStatus: 'PENDING' },
    ];
    const items = changes.map((change, n) => ({ id: created[n]?.id, ...change }));
    const answer = await brand.send('POST', `${path}?match=id`, { [of.many]: items });
    expect(resourcesOf(answer).map(({ syncStatus }) => syncStatus)).toEqual([
      'SYNCED',
      'NOT_LINKED',
      'FAILED',
      'PENDING',
      'PENDING',
    ]);
    expect(resourcesOf(answer).map(({ lastSyncedAt }) => lastSyncedAt === OLD)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(await brand.list(path)).toHaveLength(5);
  });
});
