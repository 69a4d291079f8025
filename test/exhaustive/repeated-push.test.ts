import { describe, expect, it } from 'vitest';
import type { Answer, Resource } from '../support/brand.ts';
import { TestBrand } from '../support/brand.ts';
import type { Moment } from '../support/faults.ts';
import { withKey } from '../support/idempotency.ts';
import { listed, sendInterrupted } from '../support/repeats.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

/** What a push did to its three items, in order. */
const DONE = ['updated', 'created', 'unchanged'];

interface PushCase {
  readonly act: string;
  readonly between: (
    brand: TestBrand,
    ids: Readonly<Record<'changed' | 'made', string>>,
  ) => Promise<unknown>;
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
  },
  {
    act: 'a change of the same field of what was updated',
    between: (brand, { changed }) => brand.send('PATCH', `/products/${changed}`, { priceCents: 7 }),
  },
  {
    act: 'a change of another field of what was updated',
    between: (brand, { changed }) =>
      brand.send('PATCH', `/products/${changed}`, { featured: true }),
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
    'that failed before it took effect is done once, with an Idempotency-Key: $act',
    async (pushCase) => {
      const { brand, answer, results } = await push(pushCase, 'before', withKey('once').headers);
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
    },
  );

  it.each(['before', 'after'] as const)(
    'without one is 503 if the answer of D1 is lost $0 the write, and the client may repeat it',
    async (moment) => {
      for (const prefer of [{}, { Prefer: 'handling=lenient' }, { Prefer: 'return=minimal' }]) {
        const nothing = { act: 'nothing', between: () => Promise.resolve() };
        const { brand, answer, written, left } = await push(nothing, moment, prefer);
        expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
        expect(written).toHaveLength(moment === 'before' ? 2 : 3);
        expect(await listed(brand, '/products')).toEqual(left);

        const again = await brand.send('POST', '/products?match=sku', { products });
        const statuses = moment === 'before' ? DONE : DONE.map(() => 'unchanged');
        expect(again.body['results']).toMatchObject(statuses.map((status) => ({ status })));
        expect(await listed(brand, '/products')).toHaveLength(3);
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
