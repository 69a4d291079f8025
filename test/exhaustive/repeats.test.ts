import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { Answer, Resource } from '../support/brand.ts';
import { resourceOf, resourcesOf, TestBrand } from '../support/brand.ts';
import type { Moment } from '../support/faults.ts';
import { interrupted } from '../support/faults.ts';
import { withKey } from '../support/idempotency.ts';

// A call to D1 that failed in passing is made again, and nobody knows whether the first took effect. Here another client
// writes between the two tries. What the service does then is as if it had done the request once, or the last of two
// writes of the same thing had won; what it created or deleted, it never creates or deletes again.

vi.setConfig({ testTimeout: 60_000 });

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const MOMENTS: readonly Moment[] = ['before', 'after'];

/** A request whose first try fails, and what another client does before the second. */
interface Interrupted {
  readonly moment: Moment;
  readonly between?: () => Promise<unknown>;
  readonly headers?: Record<string, string>;
}

async function sendInterrupted(
  brand: TestBrand,
  method: string,
  path: string,
  body: unknown,
  { moment, between = () => Promise.resolve(), headers = {} }: Interrupted,
): Promise<Answer> {
  const { db, calls } = interrupted(env.DB, { moment, between });
  const answer = await brand.send(method, path, body, { headers, db });
  expect(calls()).toBe(2);
  return answer;
}

async function listed(brand: TestBrand, path: string): Promise<Resource[]> {
  return resourcesOf(await brand.send('GET', path));
}

/** The collections, with what it takes to create and to change a resource. */
const COLLECTIONS = [
  {
    path: '/products',
    many: 'products',
    unique: 'sku',
    make: (name: string) => ({ title: 'Made', priceCents: 1, sku: name }),
  },
  {
    path: '/coupon-codes',
    many: 'couponCodes',
    unique: 'code',
    make: (name: string) => ({ code: name, discountPercent: 1 }),
  },
] as const;

describe.each(COLLECTIONS)('A repeated DELETE ($path)', ({ path, make }) => {
  it.each(MOMENTS)('of an id that never was is 404 (failure %s the write)', async (moment) => {
    const brand = await TestBrand.create();
    const others = await brand.create(path, make('OTHER'));
    const between = (): Promise<unknown> => brand.send('DELETE', `${path}/${others.id}`);
    for (const options of [{ moment }, { moment, between }]) {
      const target = `${path}/${UNKNOWN_ID}`;
      const answer = await sendInterrupted(brand, 'DELETE', target, undefined, options);
      expect(answer.status).toBe(404);
    }
  });

  it.each(MOMENTS)('of what was there is 200 (failure %s the write)', async (moment) => {
    const brand = await TestBrand.create();
    for (const guarded of [false, true]) {
      const answer = await brand.send('POST', path, make('MINE'));
      const { id } = resourceOf(answer);
      const headers = guarded ? { 'If-Match': answer.headers.get('ETag') ?? '' } : {};
      const target = `${path}/${id}`;
      const deleted = await sendInterrupted(brand, 'DELETE', target, undefined, {
        moment,
        headers,
      });
      expect(deleted.status).toBe(200);
      expect(await listed(brand, path)).toEqual([]);
    }
  });

  it('is 200 if others delete others meanwhile, and that is all that is gone', async () => {
    const brand = await TestBrand.create();
    const mine = await brand.create(path, make('MINE'));
    const others = await brand.create(path, make('OTHER'));
    const kept = await brand.create(path, make('KEPT'));
    const between = (): Promise<unknown> => brand.send('DELETE', `${path}/${others.id}`);
    const target = `${path}/${mine.id}`;
    const answer = await sendInterrupted(brand, 'DELETE', target, undefined, {
      moment: 'after',
      between,
    });
    expect(answer.status).toBe(200);
    expect(await listed(brand, path)).toEqual([kept]);
  });

  it.each([
    { moment: 'before', mine: 404, others: 200 },
    { moment: 'after', mine: 200, others: 404 },
  ] as const)(
    'of what another deletes meanwhile: one of both did it (failure $moment the write)',
    async ({ moment, mine, others }) => {
      const brand = await TestBrand.create();
      const { id } = await brand.create(path, make('MINE'));
      const target = `${path}/${id}`;
      const statuses: number[] = [];
      const between = async (): Promise<void> => {
        statuses.push((await brand.send('DELETE', target)).status);
      };
      const answer = await sendInterrupted(brand, 'DELETE', target, undefined, { moment, between });
      expect([answer.status, ...statuses]).toEqual([mine, others]);
    },
  );

  it('with If-Match deletes nothing that another has changed before it could', async () => {
    const brand = await TestBrand.create();
    const answer = await brand.send('POST', path, make('MINE'));
    const target = `${path}/${resourceOf(answer).id}`;
    const between = (): Promise<unknown> => brand.send('PATCH', target, { discountPercent: 9 });
    const deleted = await sendInterrupted(brand, 'DELETE', target, undefined, {
      moment: 'before',
      between,
      headers: { 'If-Match': answer.headers.get('ETag') ?? '' },
    });
    expect(deleted.status).toBe(412);
    expect(await listed(brand, path)).toMatchObject([{ discountPercent: 9 }]);
  });
});

/** What another client does to what a POST has created before it was acknowledged: whatever is left of it is in order. */
const INTERFERENCES: readonly {
  readonly what: string;
  readonly act: (brand: TestBrand, path: string, first: Resource) => Promise<unknown>;
}[] = [
  { what: 'nothing', act: () => Promise.resolve() },
  {
    what: 'a deletion of the first',
    act: (brand, path, first) => brand.send('DELETE', `${path}/${first.id}`),
  },
  {
    what: 'a deletion of all',
    act: async (brand, path) => {
      for (const { id } of await listed(brand, path)) await brand.send('DELETE', `${path}/${id}`);
    },
  },
  {
    what: 'a change',
    act: (brand, path, first) => brand.send('PATCH', `${path}/${first.id}`, { discountPercent: 7 }),
  },
  {
    what: 'a deletion, and another with the same values',
    act: async (brand, path, first) => {
      await brand.send('DELETE', `${path}/${first.id}`);
      await brand.create(path, first);
    },
  },
  {
    what: 'another name for the first, and another resource of its name',
    act: async (brand, path, first) => {
      const unique = path === '/products' ? { sku: 'RENAMED' } : { code: 'RENAMED' };
      await brand.send('PATCH', `${path}/${first.id}`, unique);
      await brand.create(path, first);
    },
  },
];

describe.each(COLLECTIONS)('A repeated POST ($path)', ({ path, many, make }) => {
  const bodies = [
    { what: 'one', count: 1, body: make('ONE') },
    {
      what: 'three',
      count: 3,
      body: { [many]: ['ONE', 'TWO', 'THREE'].map((name) => make(name)) },
    },
  ];

  describe.each(bodies)('of $what', ({ count, body }) => {
    it.each([{ key: undefined }, { key: 'once' }])(
      'creates once, and answers what it created, whatever others do meanwhile (Idempotency-Key: $key)',
      async ({ key }) => {
        for (const { what, act } of INTERFERENCES) {
          const brand = await TestBrand.create();
          const { headers } = key === undefined ? { headers: {} } : withKey(key);
          let left: Resource[] = [];
          let made: Resource[] = [];
          const between = async (): Promise<void> => {
            made = await listed(brand, path);
            for (const first of made.slice(0, 1)) await act(brand, path, first);
            left = await listed(brand, path);
          };
          const options = { moment: 'after', between, headers } as const;
          const answer = await sendInterrupted(brand, 'POST', path, body, options);

          expect(made).toHaveLength(count);
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

  it('that failed before it took effect is done after what another did', async () => {
    const brand = await TestBrand.create();
    const between = (): Promise<unknown> => brand.create(path, make('ONE'));
    const options = { moment: 'before', between } as const;
    const answer = await sendInterrupted(brand, 'POST', path, make('ONE'), options);
    expect(answer.status).toBe(path === '/products' ? 201 : 409);
    expect(await listed(brand, path)).toHaveLength(path === '/products' ? 2 : 1);
  });
});

/** What comes of a PUT or PATCH of the field `sku` or `code` to MINE. */
const CHANGES: readonly {
  readonly moment: Moment;
  readonly act: 'nothing' | 'the same field' | 'another field' | 'deletes';
  readonly guarded: boolean;
  readonly status: number;
  /** The value of the field afterwards. */
  readonly value?: string;
}[] = MOMENTS.flatMap((moment) =>
  [false, true].flatMap((guarded) => {
    const isDone = moment === 'after';
    // With If-Match, what another has changed is safe. The answer is not 412, because the first try may have taken effect.
    const raced = guarded ? { status: 503, value: 'OTHER' } : { status: 200, value: 'MINE' };
    const kept = guarded ? { status: 503, value: isDone ? 'MINE' : 'FIRST' } : raced;
    return [
      { act: 'nothing' as const, status: 200, value: 'MINE' },
      { act: 'the same field' as const, ...raced },
      { act: 'another field' as const, ...kept },
      { act: 'deletes' as const, status: 404 },
    ].map((row) => ({ ...row, moment, guarded }));
  }),
);

describe.each(COLLECTIONS)('A repeated change ($path)', ({ path, unique, make }) => {
  const interfere = {
    nothing: () => Promise.resolve(),
    'the same field': (brand: TestBrand, target: string) =>
      brand.send('PATCH', target, { [unique]: 'OTHER' }),
    'another field': (brand: TestBrand, target: string) =>
      brand.send('PATCH', target, { discountPercent: 7 }),
    deletes: (brand: TestBrand, target: string) => brand.send('DELETE', target),
  };

  it.each(
    (['PUT', 'PATCH'] as const).flatMap((method) => CHANGES.map((row) => ({ ...row, method }))),
  )(
    '$method is $status if another changes $act (failure $moment the write, If-Match: $guarded)',
    async ({ method, act, moment, guarded, status, value }) => {
      const brand = await TestBrand.create();
      const created = await brand.send('POST', path, make('FIRST'));
      const target = `${path}/${resourceOf(created).id}`;
      const headers = guarded ? { 'If-Match': created.headers.get('ETag') ?? '' } : {};
      const between = async (): Promise<unknown> => interfere[act](brand, target);
      const body = method === 'PUT' ? make('MINE') : { [unique]: 'MINE' };
      const answer = await sendInterrupted(brand, method, target, body, {
        moment,
        between,
        headers,
      });

      expect(answer.status, answer.text).toBe(status);
      const [now] = await listed(brand, path);
      expect(now?.[unique]).toBe(value);
      if (status !== 200) return;
      expect(resourceOf(answer)).toEqual(now);
      const current = await brand.send('GET', target);
      expect(answer.headers.get('ETag')).toBe(current.headers.get('ETag'));
      // A PATCH leaves alone what another changed in another field.
      if (method === 'PATCH' && act === 'another field') expect(now?.['discountPercent']).toBe(7);
    },
  );
});

it('A repeated change is no 409 if its code went to another meanwhile', async () => {
  const brand = await TestBrand.create();
  const { id } = await brand.create('/coupon-codes', { code: 'FIRST', discountPercent: 1 });
  const target = `/coupon-codes/${id}`;
  const body = { code: 'MINE', description: 'mine' };
  const answer = await sendInterrupted(brand, 'PATCH', target, body, {
    moment: 'after',
    between: async () => {
      await brand.send('PATCH', target, { code: 'RENAMED' });
      await brand.create('/coupon-codes', { code: 'mine', discountPercent: 1 });
    },
  });
  expect(answer.status, answer.text).toBe(503);
  expect(await listed(brand, '/coupon-codes')).toMatchObject([
    { code: 'RENAMED', description: 'mine' },
    { code: 'mine', description: '' },
  ]);
});

it('Of two clients that count with If-Match, one gets 503 if it may have counted already', async () => {
  const brand = await TestBrand.create();
  const created = await brand.send('POST', '/coupon-codes', { code: 'A', discountPercent: 1 });
  const target = `/coupon-codes/${resourceOf(created).id}`;
  const ifMatch = (answer: Answer): Record<string, string> => ({
    'If-Match': answer.headers.get('ETag') ?? '',
  });
  const answer = await sendInterrupted(
    brand,
    'PATCH',
    target,
    { currentUses: 1 },
    {
      moment: 'after',
      headers: ifMatch(created),
      between: async () => {
        const read = await brand.send('GET', target);
        const uses = Number(resourceOf(read)['currentUses']);
        await brand.send('PATCH', target, { currentUses: uses + 1 }, { headers: ifMatch(read) });
      },
    },
  );
  expect(answer.status).toBe(503);
  expect(await listed(brand, '/coupon-codes')).toMatchObject([{ currentUses: 2 }]);
});

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
