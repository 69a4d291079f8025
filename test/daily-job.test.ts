import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import worker from '../src/index.ts';
import { D1_ERRORS, failing } from './support/faults.ts';

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

it.each([1, 2, 3])('A job whose call %i fails leaves the time of the last one', async (first) => {
  const fault = { text: D1_ERRORS.bug[0], moment: 'before', times: 1, first } as const;
  const { db, calls } = failing(env.DB, fault);
  const run = worker.scheduled(createScheduledController(), { ...env, DB: db });
  await expect(run).rejects.toThrow(`DB: Error: D1_ERROR: ${fault.text}`);
  expect([await doneAt(), calls()]).toEqual([LAST_NIGHT, Math.max(2, first)]);
});
