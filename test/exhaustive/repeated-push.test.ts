import { describe, expect, it } from 'vitest';
import type { Answer, Resource } from '../support/brand.ts';
import { resourcesOf, TestBrand } from '../support/brand.ts';
import type { Moment } from '../support/faults.ts';
import { withKey } from '../support/idempotency.ts';
import { COLLECTIONS, listed, sendInterrupted } from '../support/repeats.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

/** What a push did to its three items, in order. */
const DONE = ['updated', 'created', 'unchanged'];

interface PushCase {
  readonly act: string;
  readonly between: (
    brand: TestBrand,
    ids: Readonly<Record<'changed' | 'made', string>>,
  ) => Promise<unknown>;
  /** What a push without an Idempotency-Key reports, if it is not what it did at first. */
  readonly unkeyed?: readonly string[];
  /** Whether a push without an Idempotency-Key writes again. */
  readonly isRepeated?: true;
}

const PUSH_CASES: readonly PushCase[] = [
  { act: 'nothing', between: () => Promise.resolve() },
  {
    act: 'a change of what was created',
    between: (brand, { made }) => brand.send('PATCH', `/products/${made}`, { title: 'Theirs' }),
  },
  {
    act: 'another sku for what was created',
    between: (brand, { made }) => brand.send('PATCH', `/products/${made}`, { sku: 'ELSE' }),
  },
  {
    act: 'a deletion of what was created',
    between: (brand, { made }) => brand.send('DELETE', `/products/${made}`),
  },
  {
    act: 'a deletion of everything',
    between: async (brand) => {
      for (const { id } of await listed(brand, '/products')) {
        await brand.send('DELETE', `/products/${id}`);
      }
    },
    // What it had found is gone: without a record it is a new push, and creates what it can.
    unkeyed: ['created', 'created', 'created'],
    isRepeated: true,
  },
  {
    act: 'a change of the same field of what was updated',
    between: (brand, { changed }) => brand.send('PATCH', `/products/${changed}`, { priceCents: 7 }),
    isRepeated: true,
  },
  {
    act: 'a change of another field of what was updated',
    between: (brand, { changed }) =>
      brand.send('PATCH', `/products/${changed}`, { featured: true }),
    // The mark of the push was the revision of the resource. Without a record, nothing else tells who set the field.
    unkeyed: ['unchanged', 'created', 'unchanged'],
  },
];

describe('A repeated push', () => {
  const item = (sku: string, priceCents: number): object => ({ sku, title: sku, priceCents });
  const products = [item('CHANGED', 2), item('MADE', 2), item('SAME', 1)];

  async function push(
    { between }: PushCase,
    moment: Moment,
    headers: Record<string, string>,
  ): Promise<{
    readonly brand: TestBrand;
    readonly answer: Answer;
    readonly results: unknown;
    readonly written: readonly Resource[];
    readonly left: readonly Resource[];
  }> {
    const brand = await TestBrand.create();
    const changed = await brand.create('/products', item('CHANGED', 1));
    await brand.create('/products', item('SAME', 1));
    let written: Resource[] = [];
    let left: Resource[] = [];
    const answer = await sendInterrupted(
      brand,
      'POST',
      '/products?match=sku',
      { products },
      {
        moment,
        headers,
        between: async () => {
          written = await listed(brand, '/products');
          const made = written.find((one) => one['sku'] === 'MADE')?.id ?? UNKNOWN_ID;
          await between(brand, { changed: changed.id, made });
          left = await listed(brand, '/products');
        },
      },
    );
    return { brand, answer, results: answer.body['results'], written, left };
  }

  it.each(PUSH_CASES)(
    'with an Idempotency-Key is done once and reports what it did, whatever others do meanwhile: $act',
    async (pushCase) => {
      for (const prefer of [{}, { Prefer: 'handling=lenient' }, { Prefer: 'return=minimal' }]) {
        const headers = { ...withKey('once').headers, ...prefer };
        const { brand, answer, results, written, left } = await push(pushCase, 'after', headers);
        expect(answer.status, answer.text).toBe(200);
        const ids = ['CHANGED', 'MADE', 'SAME'].map(
          (sku) => written.find((one) => one['sku'] === sku)?.id,
        );
        expect(results).toEqual(DONE.map((status, index) => ({ id: ids[index], status })));
        expect(await listed(brand, '/products')).toEqual(left);
        const again = await brand.send('POST', '/products?match=sku', { products }, { headers });
        expect(again.headers.get('Idempotent-Replayed')).toBe('true');
        expect(again.body['results']).toEqual(results);
      }
    },
  );

  it.each(PUSH_CASES)(
    'without one creates nothing again, and reports what it did as far as that can be seen: $act',
    async ({ unkeyed = DONE, isRepeated, ...pushCase }) => {
      const { brand, answer, written, left } = await push(pushCase, 'after', {});
      expect(answer.status, answer.text).toBe(200);
      const { results } = answer.body;
      expect(results).toMatchObject(unkeyed.map((status) => ({ status })));
      const made = written.find((one) => one['sku'] === 'MADE');
      if (!isRepeated) {
        expect(results).toMatchObject([{}, { id: made?.id }, {}]);
        expect(await listed(brand, '/products')).toEqual(left);
      }
      // The last of two writes of the same field wins.
      for (const resource of await listed(brand, '/products')) {
        if (resource['sku'] === 'CHANGED') expect(resource['priceCents']).toBe(2);
      }
      for (const shown of resourcesOf(answer)) {
        expect(String(shown['createdAt'])).toMatch(/^\d{4}-/);
        expect(String(shown['updatedAt'])).toMatch(/^\d{4}-/);
      }
    },
  );

  it.each(PUSH_CASES)('that failed before it took effect is done once: $act', async (pushCase) => {
    for (const headers of [{}, withKey('once').headers]) {
      const { brand, answer, results } = await push(pushCase, 'before', headers);
      expect(answer.status, answer.text).toBe(200);
      const now = await listed(brand, '/products');
      const statuses =
        pushCase.act === 'a deletion of everything' ? DONE.map(() => 'created') : DONE;
      expect(results).toMatchObject(statuses.map((status) => ({ status })));
      expect(now.map(({ sku, priceCents }) => [sku, priceCents]).sort()).toEqual([
        ['CHANGED', 2],
        ['MADE', 2],
        ['SAME', 1],
      ]);
    }
  });

  it('shows what it created as it was, if that is gone', async () => {
    for (const others of [0, 1]) {
      const brand = await TestBrand.create();
      for (let n = 0; n < others; n++) await brand.create('/products', item('OTHER', 1));
      let made: Resource[] = [];
      const between = async (): Promise<void> => {
        made = (await listed(brand, '/products')).slice(others);
        for (const { id } of made) await brand.send('DELETE', `/products/${id}`);
      };
      const body = { products: [item('MADE', 1)] };
      const answer = await sendInterrupted(brand, 'POST', '/products?match=sku', body, {
        moment: 'after',
        between,
      });
      expect(made).toHaveLength(1);
      expect(resourcesOf(answer)).toEqual(made);
      expect(await listed(brand, '/products')).toHaveLength(others);
    }
  });

  it.each([
    { title: 'Theirs' },
    { sku: 'ELSE' },
    { featured: true },
    { priceCents: 2, storeInventoryQuantity: 9, serviceListingStatus: 'LIVE' },
  ])('shows what it created as it was, if another has changed it: %j', async (change) => {
    const brand = await TestBrand.create();
    let made: Resource[] = [];
    const between = async (): Promise<void> => {
      made = await listed(brand, '/products');
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const { id } of made) await brand.send('PATCH', `/products/${id}`, change);
    };
    const body = { products: [{ ...item('MADE', 1), storeProductId: 'x' }] };
    const options = { moment: 'after', between } as const;
    const target = '/products?match=sku';
    const answer = await sendInterrupted(brand, 'POST', target, body, options);
    expect(made).toHaveLength(1);
    expect(resourcesOf(answer)).toEqual(made);
  });

  it('shows what it changed again with the time of that change', async () => {
    const brand = await TestBrand.create();
    const changed = await brand.create('/products', item('CHANGED', 1));
    const body = { products: [item('MADE', 2), item('CHANGED', 2)] };
    const answer = await sendInterrupted(brand, 'POST', '/products?match=sku', body, {
      moment: 'after',
      between: async () => {
        const made = (await listed(brand, '/products')).find(({ id }) => id !== changed.id);
        await brand.send('DELETE', `/products/${made?.id ?? ''}`);
        await brand.send('PATCH', `/products/${changed.id}`, { priceCents: 3 });
      },
    });
    const [, shown] = resourcesOf(answer);
    expect([shown]).toEqual(await listed(brand, '/products'));
    expect(shown?.['priceCents']).toBe(2);
  });

  it.each([
    {
      path: '/products',
      target: '/products?match=sku',
      body: { products: [{ sku: 'A', title: 'Mine', priceCents: 3 }] },
      theirs: { sku: 'A', title: 'Theirs', priceCents: 1 },
    },
    {
      path: '/coupon-codes',
      target: '/coupon-codes?match=code',
      body: { couponCodes: [{ code: 'a', discountPercent: 3 }] },
      theirs: { code: 'A', discountPercent: 1 },
    },
  ])('changes what took the place of what it created: $target', async (one) => {
    for (const headers of [{}, { Prefer: 'handling=lenient' }]) {
      const brand = await TestBrand.create();
      const between = async (): Promise<void> => {
        for (const { id } of await listed(brand, one.path)) {
          await brand.send('DELETE', `${one.path}/${id}`);
        }
        await brand.create(one.path, one.theirs);
      };
      const options = { moment: 'after', between, headers } as const;
      const answer = await sendInterrupted(brand, 'POST', one.target, one.body, options);
      const now = await listed(brand, one.path);
      expect(now).toMatchObject(Object.values(one.body)[0] ?? []);
      expect(resourcesOf(answer)).toEqual(now);
      expect(answer.body['results']).toEqual([{ id: now[0]?.id, status: 'updated' }]);
    }
  });

  it.each(['DELETE', 'PATCH'])(
    'may have been done if two items find the same: what one created has the value of the other after a %s',
    async (method) => {
      for (const { path, many, unique, make } of COLLECTIONS) {
        for (const headers of [{}, { Prefer: 'handling=lenient' }]) {
          const brand = await TestBrand.create();
          const old = await brand.create(path, make('A'));
          const items = ['A', 'B'].map((name) => ({ ...make(name), description: 'Mine' }));
          const between = async (): Promise<void> => {
            const [, made] = await listed(brand, path);
            await brand.send(method, `${path}/${old.id}`, { [unique]: 'ELSE' });
            const moved = await brand.send('PATCH', `${path}/${made?.id ?? ''}`, { [unique]: 'A' });
            expect(moved.status).toBe(200);
          };
          const options = { moment: 'after', between, headers } as const;
          const target = `${path}?match=${unique}`;
          const answer = await sendInterrupted(brand, 'POST', target, { [many]: items }, options);
          expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
        }
      }
    },
  );

  it('of which every item was refused is known by its key too', async () => {
    const brand = await TestBrand.create();
    const headers = { ...withKey('once').headers, Prefer: 'handling=lenient' };
    const send = (title: unknown): Promise<Answer> =>
      brand.send('POST', '/products?match=sku', { products: [{ sku: 'A', title }] }, { headers });
    const first = await send(1);
    expect(first.body['results']).toMatchObject([{ status: 'refused' }]);
    const again = await send(1);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect((await send(2)).status).toBe(422);
  });
});

/** What others do to a push without an `Idempotency-Key`, so that the database refuses an item of it afterwards. */
const REFUSED: readonly {
  readonly what: string;
  readonly match: string;
  readonly item: object;
  readonly between: (brand: TestBrand, id: string) => Promise<unknown>;
}[] = [
  {
    what: 'its code went to another',
    match: 'id',
    item: { code: 'MINE' },
    between: async (brand, id) => {
      await brand.send('PATCH', `/coupon-codes/${id}`, { code: 'RENAMED' });
      await brand.create('/coupon-codes', { code: 'mine', discountPercent: 1 });
    },
  },
  {
    what: 'two have its match value',
    match: 'storeDiscountId',
    item: { storeDiscountId: 'S', description: 'mine' },
    between: (brand) =>
      brand.create('/coupon-codes', { code: 'B', discountPercent: 1, storeDiscountId: 'S' }),
  },
  {
    what: 'what it changed is gone',
    match: 'storeDiscountId',
    item: { storeDiscountId: 'S', description: 'mine' },
    between: (brand, id) => brand.send('DELETE', `/coupon-codes/${id}`),
  },
];

describe('A repeated push of which an item is refused', () => {
  const moments: readonly Moment[] = ['before', 'after'];

  it.each(REFUSED.flatMap((row) => moments.map((moment) => ({ ...row, moment }))))(
    'may have been done: $what (failure $moment the write)',
    async ({ match, item, between, moment }) => {
      const brand = await TestBrand.create();
      const code = { code: 'A', discountPercent: 1, storeDiscountId: 'S' };
      const { id } = await brand.create('/coupon-codes', code);
      const body = { couponCodes: [match === 'id' ? { ...item, id } : item] };
      const target = `/coupon-codes?match=${match}`;
      let left: Resource[] = [];
      const options = {
        moment,
        between: async () => {
          await between(brand, id);
          left = await listed(brand, '/coupon-codes');
        },
      };
      const answer = await sendInterrupted(brand, 'POST', target, body, options);
      expect(answer.status, answer.text).toBe(503);
      expect(await listed(brand, '/coupon-codes')).toEqual(left);

      // Sent again, it is refused for what is true now.
      const again = await brand.send('POST', target, body);
      expect([400, 409]).toContain(again.status);
    },
  );

  it('is reported by a lenient push, with the results of the others', async () => {
    const brand = await TestBrand.create();
    const item = { code: 'NEW', storeDiscountId: 'S', discountPercent: 1 };
    const couponCodes = [item, { storeDiscountId: 'T', description: 'of none' }];
    const answer = await sendInterrupted(
      brand,
      'POST',
      '/coupon-codes?match=storeDiscountId',
      { couponCodes },
      { moment: 'after', headers: { Prefer: 'handling=lenient' } },
    );
    expect(answer.body['results']).toMatchObject([{ status: 'created' }, { status: 'refused' }]);
  });

  it('by a rule of the request is refused with the reason, since no try could write', async () => {
    const brand = await TestBrand.create();
    await brand.create('/coupon-codes', { code: 'A', discountPercent: 1 });
    const couponCodes = [{ storeDiscountId: 'S' }, { storeDiscountId: 'T', discountPercent: -1 }];
    const target = '/coupon-codes?match=storeDiscountId';
    const send = (): Promise<Answer> => brand.send('POST', target, { couponCodes });
    const repeated = await sendInterrupted(
      brand,
      'POST',
      target,
      { couponCodes },
      { moment: 'after' },
    );
    expect(repeated.status).toBe(400);
    expect(repeated.text).toBe((await send()).text);
  });
});
