import { env } from 'cloudflare:workers';
import { interceptD1 } from '../d1.ts';
import { serviceOver } from './service.ts';

/** The databases of the tests, by number. */
export const SHARDS = { '00': env.DB, '01': env.DB_01, '02': env.DB_02 };

/** The number of a database. */
export type Shard = keyof typeof SHARDS;

/** All numbers. */
export const ALL: readonly Shard[] = ['00', '01', '02'];

/** Starts the service, and counts its calls to each database and the statuses of its responses. */
export function watchedService(): {
  readonly fetch: typeof fetch;
  readonly calls: Record<Shard, number>;
  readonly statuses: number[];
} {
  const calls = { '00': 0, '01': 0, '02': 0 };
  const counted = (shard: Shard): D1Database =>
    interceptD1(SHARDS[shard], (call) => {
      calls[shard]++;
      return call();
    });
  const service = serviceOver(Object.fromEntries(ALL.map((shard) => [shard, counted(shard)])));
  const statuses: number[] = [];
  return {
    calls,
    statuses,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.headers.set('CF-Connecting-IP', crypto.randomUUID());
      const response = await service(request);
      statuses.push(response.status);
      return response;
    },
  };
}
