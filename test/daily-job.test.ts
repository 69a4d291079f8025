import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import worker from '../src/index.ts';
import { D1_ERRORS, failing } from './support/faults.ts';
import { interceptD1 } from './support/intercept-d1.ts';

// What the daily job notes in each database, from which the operator's tool sees a job that fails every night.

const LAST_NIGHT = '2026-01-31T03:23:00.000Z';

beforeEach(async () => {
  vi.spyOn(console, 'log').mockReturnValue(undefined);
  await env.DB.prepare('update daily_job set done_at = ?').bind(LAST_NIGHT).run();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function doneAt(): Promise<string | null> {
  return env.DB.prepare('select done_at from daily_job').first<string>('done_at');
}

async function workLeft(): Promise<number | null> {
  return env.DB.prepare('select work_left from daily_job').first<number>('work_left');
}

it('A new database has one row, which says since when a job could have run', async () => {
  const { results } = await env.DB.prepare('select id, created_at from daily_job').all();
  const time: unknown = expect.stringMatching(/^20.*Z$/);
  expect(results).toEqual([{ id: 1, created_at: time }]);
});

it.each([
  ["insert into daily_job (id, created_at) values (2, '2026-01-31T09:30:00.000Z')", 'id = 1'],
  ["update daily_job set done_at = '2026-01-31 09:30:00'", 'done_at'],
  ["update daily_job set created_at = ''", 'created_at'],
])('The database refuses a second row, and a time in another form: %s', async (sql, rule) => {
  await expect(env.DB.prepare(sql).run()).rejects.toThrow(rule);
});

it('A job that has done its work notes when', async () => {
  const before = new Date().toISOString();
  await worker.scheduled(createScheduledController(), env);
  const time = String(await doneAt());
  expect(time >= before).toBe(true);
  expect(time <= new Date().toISOString()).toBe(true);
});

it.each([
  [50, 7],
  [1000, 166],
  // In an environment of the operator's own that does not say it, as many as on the free plan.
  [undefined, 7],
])(
  'A job takes as many steps of each task as its queries allow, and notes that work is left: %s queries, %i steps',
  async (queries, steps) => {
    let calls = 0;
    const db = interceptD1(env.DB, async (call) => {
      calls++;
      return calls <= 2 * steps ? { meta: { changes: 5000 } } : await call();
    });
    await worker.scheduled(createScheduledController(), {
      ...env,
      DB: db,
      DAILY_JOB_QUERIES: queries,
    });
    expect([calls, await workLeft()]).toEqual([2 * steps + 1, 1]);
    await worker.scheduled(createScheduledController(), env);
    expect(await workLeft()).toBe(0);
  },
);

it.each([1, 2, 3])(
  'A job that fails leaves the time of the last one: call %i fails',
  async (first) => {
    const fault = { text: D1_ERRORS.bug[0], moment: 'before', times: 1, first } as const;
    const { db, calls } = failing(env.DB, fault);
    const run = worker.scheduled(createScheduledController(), { ...env, DB: db });
    await expect(run).rejects.toThrow(`DB: Error: D1_ERROR: ${fault.text}`);
    expect([await doneAt(), calls()]).toEqual([LAST_NIGHT, Math.max(2, first)]);
  },
);
