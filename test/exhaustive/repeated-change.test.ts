import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/brand.ts';
import { resourceOf, TestBrand } from '../support/brand.ts';
import { collectionsAndWidgets } from '../support/collections.ts';
import { keyed } from '../support/collections/collection.ts';
import type { Moment } from '../support/faults.ts';
import { listed, sendInterrupted } from '../support/repeats.ts';
import { brandWith } from '../support/widget-service.ts';

const MOMENTS: readonly Moment[] = ['before', 'after'];

/** What comes of a PUT or PATCH of the key to MINE. */
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

describe.each(collectionsAndWidgets)('A repeated change ($path)', (of) => {
  const { path, key, note } = of;
  const interfere = {
    nothing: () => Promise.resolve(),
    'the same field': (brand: TestBrand, target: string) =>
      brand.send('PATCH', target, { [key]: 'OTHER' }),
    'another field': (brand: TestBrand, target: string) =>
      brand.send('PATCH', target, { [note]: 'Other' }),
    deletes: (brand: TestBrand, target: string) => brand.send('DELETE', target),
  };

  it.each(
    (['PUT', 'PATCH'] as const).flatMap((method) => CHANGES.map((row) => ({ ...row, method }))),
  )(
    '$method is $status if another changes $act (failure $moment the write, If-Match: $guarded)',
    async ({ method, act, moment, guarded, status, value }) => {
      const brand = await brandWith(of);
      const created = await brand.send('POST', path, keyed(of, 'FIRST'));
      const target = `${path}/${resourceOf(created).id}`;
      const headers = guarded ? { 'If-Match': created.headers.get('ETag') ?? '' } : {};
      const between = async (): Promise<unknown> => interfere[act](brand, target);
      const body = method === 'PUT' ? keyed(of, 'MINE') : { [key]: 'MINE' };
      const answer = await sendInterrupted(brand, method, target, body, {
        moment,
        between,
        headers,
      });

      expect(answer.status, answer.text).toBe(status);
      const [now] = await listed(brand, path);
      expect(now?.[key]).toBe(value);
      if (status !== 200) return;
      expect(resourceOf(answer)).toEqual(now);
      const current = await brand.send('GET', target);
      expect(answer.headers.get('ETag')).toBe(current.headers.get('ETag'));
      // A PATCH leaves alone what another changed in another field.
      if (method === 'PATCH' && act === 'another field') expect(now?.[note]).toBe('Other');
    },
  );
});

it.each(
  collectionsAndWidgets.flatMap((of) =>
    (['PUT', 'PATCH'] as const).map((method) => ({ of, method })),
  ),
)(
  'A repeated $method has another entity tag than its first try ($of.path)',
  async ({ of, method }) => {
    const { path, key, note } = of;
    const brand = await brandWith(of);
    const { id } = await brand.create(path, keyed(of, 'FIRST'));
    const target = `${path}/${id}`;
    let read = '';
    const between = async (): Promise<void> => {
      const answer = await brand.send('GET', target);
      expect(resourceOf(answer)[key]).toBe('MINE');
      read = answer.headers.get('ETag') ?? '';
      await brand.send('PATCH', target, { [key]: 'OTHER', [note]: 'Other' });
    };
    const options = { moment: 'after', between } as const;
    const answer = await sendInterrupted(brand, method, target, keyed(of, 'MINE'), options);
    expect(answer.status, answer.text).toBe(200);

    const [now] = await listed(brand, path);
    expect(now?.[key]).toBe('MINE');
    // What was read before the other's change is not the resource as it is now.
    const headers = { 'If-Match': read };
    const stale = await brand.send('PATCH', target, { [key]: 'STALE' }, { headers });
    expect(stale.status).toBe(412);
    const current = await brand.send('GET', target, undefined, {
      headers: { 'If-None-Match': read },
    });
    expect(current.status).toBe(200);
    expect(current.headers.get('ETag')).toMatch(/^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/);
  },
);

it('A repeated change of the profile has another entity tag than its first try', async () => {
  const brand = await TestBrand.create();
  const change = (brandName: string): object => ({ brand: { brandName } });
  let read = '';
  const between = async (): Promise<void> => {
    read = (await brand.send('GET', '/profile')).headers.get('ETag') ?? '';
    await brand.send('PATCH', '/profile', change('2'));
  };
  const options = { moment: 'after', between } as const;
  const answer = await sendInterrupted(brand, 'PATCH', '/profile', change('1'), options);
  expect(answer.body).toMatchObject(change('1'));
  const headers = { 'If-Match': read };
  expect((await brand.send('PATCH', '/profile', change('3'), { headers })).status).toBe(412);
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
