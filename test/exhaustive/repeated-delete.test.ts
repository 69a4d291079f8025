import { describe, expect, it } from 'vitest';
import { resourceOf } from '../support/brand.ts';
import { collectionsAndWidgets } from '../support/collections.ts';
import { keyed } from '../support/collections/collection.ts';
import type { Moment } from '../support/faults.ts';
import { listed, sendInterrupted, twoPushesOfDeletions } from '../support/repeats.ts';
import { brandWith } from '../support/widget-service.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const MOMENTS: readonly Moment[] = ['before', 'after'];

describe.each(collectionsAndWidgets)('A repeated DELETE ($path)', (of) => {
  const { path, note } = of;
  it.each(MOMENTS)('of an id that never was is 404 (failure %s the write)', async (moment) => {
    const brand = await brandWith(of);
    const others = await brand.create(path, keyed(of, 'OTHER'));
    const between = (): Promise<unknown> => brand.send('DELETE', `${path}/${others.id}`);
    for (const options of [{ moment }, { moment, between }]) {
      const target = `${path}/${UNKNOWN_ID}`;
      const answer = await sendInterrupted(brand, 'DELETE', target, undefined, options);
      expect(answer.status).toBe(404);
    }
  });

  it.each(MOMENTS)('of what was there is 200 (failure %s the write)', async (moment) => {
    const brand = await brandWith(of);
    for (const guarded of [false, true]) {
      const answer = await brand.send('POST', path, keyed(of, 'MINE'));
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
    const brand = await brandWith(of);
    const mine = await brand.create(path, keyed(of, 'MINE'));
    const others = await brand.create(path, keyed(of, 'OTHER'));
    const kept = await brand.create(path, keyed(of, 'KEPT'));
    const between = (): Promise<unknown> => brand.send('DELETE', `${path}/${others.id}`);
    const target = `${path}/${mine.id}`;
    const answer = await sendInterrupted(brand, 'DELETE', target, undefined, {
      moment: 'after',
      between,
    });
    expect(answer.status).toBe(200);
    expect(await listed(brand, path)).toEqual([kept]);
  });

  it('is 200 if others delete a thousand meanwhile', async () => {
    const brand = await brandWith(of);
    const between = await twoPushesOfDeletions(brand, of);
    const mine = await brand.create(path, keyed(of, 'MINE'));
    const options = { moment: 'after', between } as const;
    const target = `${path}/${mine.id}`;
    const answer = await sendInterrupted(brand, 'DELETE', target, undefined, options);
    expect(answer.status).toBe(200);
    expect(await listed(brand, path)).toEqual([]);
  });

  it.each([
    { moment: 'before', mine: 404, others: 200 },
    { moment: 'after', mine: 200, others: 404 },
  ] as const)(
    'of what another deletes meanwhile: one of both did it (failure $moment the write)',
    async ({ moment, mine, others }) => {
      const brand = await brandWith(of);
      const { id } = await brand.create(path, keyed(of, 'MINE'));
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
    const brand = await brandWith(of);
    const answer = await brand.send('POST', path, keyed(of, 'MINE'));
    const target = `${path}/${resourceOf(answer).id}`;
    const between = (): Promise<unknown> => brand.send('PATCH', target, { [note]: 'Other' });
    const deleted = await sendInterrupted(brand, 'DELETE', target, undefined, {
      moment: 'before',
      between,
      headers: { 'If-Match': answer.headers.get('ETag') ?? '' },
    });
    expect(deleted.status).toBe(412);
    expect(await listed(brand, path)).toMatchObject([{ [note]: 'Other' }]);
  });
});
