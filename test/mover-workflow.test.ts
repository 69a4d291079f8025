import { createScheduledController, introspectWorkflowInstance } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Move } from '../mover/index.ts';
import worker from '../mover/worker.ts';
import type { Started } from '../mover/bindings.ts';
import { interceptD1 } from './support/d1.ts';
import type { DatabaseNumber } from './support/databases.ts';
import { brandIn, databases, migrateAll, PAST, setKeys } from './support/databases.ts';
import { dataIn, expectHome, expectSame, smallBrand } from './support/moved-brand.ts';
import { begin, moveBrand, moveIn } from './support/moves.ts';

// The Workflow in the real engine, with its waits cut short, and the mover's schedule.

beforeAll(migrateAll);

type Instance = Awaited<ReturnType<typeof introspectWorkflowInstance>>;

/** What starts an instance for a move. */
function started({ id: move, brandId, source }: Move): Started {
  return { move, brandId, source };
}

/** Watches an instance, whose waits are cut short. */
async function watch(id: string): Promise<Instance> {
  const instance = await introspectWorkflowInstance(env.MOVES, id);
  return instance.modify(async (modifier) => {
    await modifier.disableSleeps();
    await modifier.disableRetryDelays();
  });
}

async function run(number: DatabaseNumber, statement: string, ...values: string[]): Promise<void> {
  await databases[number]
    .prepare(statement)
    .bind(...values)
    .run();
}

describe('The Workflow', () => {
  it('moves a brand, redirects its old keys, and deletes the old data after seven days', async () => {
    const known = await smallBrand(1);
    const { brandId } = known.brand.issued;
    await moveBrand(brandId, 1, 0);
    const move = await begin(brandId, 0, 2);
    // With its waits: it is asleep when all is done that can be done at once.
    await using first = await introspectWorkflowInstance(env.MOVES, move.id);
    await env.MOVES.create({ id: move.id, params: started(move) });
    await first.waitForStepResult({ name: 'redirect' });
    await expectHome(brandId, 2, []);
    await expectSame(known);
    for (const old of [0, 1] as const) {
      const key = await databases[old]
        .prepare('select moved_to from api_keys where brand_id = ?')
        .bind(brandId)
        .first();
      expect(key).toEqual({ moved_to: 2 });
    }
    expect(await moveIn(0, brandId)).toMatchObject({ state: 'gone', driver: move.id });
    expect(await dataIn(0, brandId)).toBeGreaterThan(0);

    const old = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-7 days')`;
    await run(0, `update moves set changed_at = ${old} where brand_id = ?`, brandId);
    await using second = await watch('second');
    await env.MOVES.create({ id: 'second', params: started(move) });
    await second.waitForStatus('complete');
    expect(await second.getOutput()).toBeUndefined();
    expect(await moveIn(0, brandId)).toMatchObject({ state: 'tidied', driver: 'second' });
    await expectHome(brandId, 2, [0]);
  });

  it('continues a long move in a further instance', async () => {
    const { brandId } = (await brandIn(0)).issued;
    const tombstone = `?1, 'products', value, printf('01890000-0000-7000-8000-%012d', value), ?2`;
    await run(
      0,
      `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
       with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < 15500)
       select ${tombstone} from numbers`,
      ...[brandId, new Date().toISOString()],
    );
    const move = await begin(brandId, 0, 1);
    await using first = await watch(move.id);
    await using second = await introspectWorkflowInstance(env.MOVES, `${move.id}-2`);
    await env.MOVES.create({ id: move.id, params: started(move) });
    await first.waitForStatus('complete');
    expect(await moveIn(0, brandId)).toMatchObject({ state: 'copying' });
    await second.waitForStepResult({ name: 'redirect' });
    await expectHome(brandId, 1, []);
    expect(await dataIn(1, brandId)).toBe(15_500);
    expect(await moveIn(0, brandId)).toMatchObject({ driver: move.id });
  });

  it('ends if another one drives the move, or if it is over', async () => {
    const { brandId } = (await brandIn(0)).issued;
    const move = await begin(brandId, 0, 1);
    for (const params of [
      { ...started(move), part: 2, driver: 'other' },
      { ...started(move), move: crypto.randomUUID() },
      { ...started(move), brandId: crypto.randomUUID() },
    ]) {
      const id = crypto.randomUUID();
      await using instance = await watch(id);
      await env.MOVES.create({ id, params });
      await instance.waitForStatus('complete');
    }
    expect(await moveIn(0, brandId)).toMatchObject({ attempt: 0, driver: null });
  });

  it('gives a move up if a step fails too often, and deletes the copy', async () => {
    const known = await smallBrand(0);
    const { brandId } = known.brand.issued;
    const move = await begin(brandId, 0, 3);
    await run(3, 'alter table idempotency_records rename to not_there');
    try {
      await using instance = await watch(move.id);
      await env.MOVES.create({ id: move.id, params: started(move) });
      await instance.waitForStepResult({ name: 'give up after run 1' });
      await run(3, 'alter table not_there rename to idempotency_records');
      await instance.waitForStatus('complete');
    } finally {
      await run(3, 'alter table not_there rename to idempotency_records').catch(() => undefined);
    }
    expect(await moveIn(0, brandId)).toMatchObject({
      state: 'over',
      reason: `A step failed too often: see the instance ${move.id} of the Workflow.`,
    });
    await expectHome(brandId, 0, [3]);
    await expectSame(known);
  });

  it('gives a move up if the brand changes too often', async () => {
    const known = await smallBrand(0);
    const { brandId } = known.brand.issued;
    const move = await begin(brandId, 0, 1);
    await using instance = await watch(move.id);
    await instance.modify(async (modifier) => {
      for (const [name, failedCommits] of [
        ['run 1', 99],
        ['run 2', 100],
      ] as const) {
        await modifier.mockStepResult({ name }, { next: 'later', isSettled: false, failedCommits });
      }
    });
    await env.MOVES.create({ id: move.id, params: started(move) });
    await instance.waitForStatus('complete');
    const over = await moveIn(0, brandId);
    expect(over).toMatchObject({
      state: 'over',
      attempt: 1,
      reason: 'The brand changes too often.',
    });
    await expectHome(brandId, 0, [1]);
    await expectSame(known);
  });

  it('gives no move up that another one drives', async () => {
    const { brandId } = (await brandIn(0)).issued;
    const move = await begin(brandId, 0, 1);
    const id = crypto.randomUUID();
    await using instance = await watch(id);
    const busy = { next: 'later', isSettled: false, failedCommits: 100 };
    await instance.modify((modifier) => modifier.mockStepResult({ name: 'run 1' }, busy));
    await env.MOVES.create({ id, params: { ...started(move), part: 2, driver: 'earlier' } });
    await instance.waitForStatus('complete');
    expect(await moveIn(0, brandId)).toMatchObject({ state: 'copying', attempt: 0 });
  });
});

describe('The schedule', () => {
  it('unfreezes what has been frozen for a minute, although a database fails', async () => {
    const numbers = [0, 1, 2] as const;
    const brands = await Promise.all(numbers.map((number) => brandIn(number)));
    const status = async (number: DatabaseNumber): Promise<number | undefined> =>
      (await brands[number]?.send('PATCH', '/profile', {}))?.status;
    for (const number of numbers) {
      const brandId = String(brands[number]?.issued.brandId);
      await begin(brandId, number, 3);
      await setKeys(number, brandId, 'frozen_at', PAST);
      expect(await status(number)).toBe(503);
    }
    const [DB, DB_1, DB_2] = [
      databases[0],
      interceptD1(databases[1], () => Promise.reject(new Error('D1 is not there.'))),
      databases[2],
    ];
    await expect(
      worker.scheduled(createScheduledController(), { DB, DB_1, DB_2, MOVES: env.MOVES }),
    ).rejects.toThrow('Database 1: Error: D1 is not there.');
    expect(await Promise.all(numbers.map(status))).toEqual([200, 503, 200]);
    const { frozen_ms: frozen } = (await moveIn(0, String(brands[0]?.issued.brandId))) ?? {};
    expect(frozen).toBeGreaterThan(60_000);
  });
});
