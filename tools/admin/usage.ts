import { sql } from 'drizzle-orm';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import { LOGGED_HASH_DIGITS } from '../../src/http/api-env.ts';
import { apiKeys, brands } from '../../src/db/tables.ts';
import type { Execute } from './execute.ts';
import { andAtHome } from './home.ts';
import { inGroups } from './pages.ts';
import type { Calculation, Filter } from './workers-logs.ts';
import { queryLogs } from './workers-logs.ts';

/** The usage of one key in the last days. */
export interface Usage {
  /** Null for requests without a valid key. */
  readonly brandId: string | null;
  readonly brandName: string | null;
  readonly keyId: string | null;
  /** The first characters of the key. */
  readonly prefix: string | null;
  readonly label: string | null;
  /** Since when the brand is suspended: its requests are errors. */
  readonly suspendedAt: string | null;
  requests: number;
  /** Requests that failed, other than by a rate limit. */
  errors: number;
  /** Requests that a rate limit rejected. */
  rateLimited: number;
  rowsRead: number;
  rowsWritten: number;
}

type Measure = 'requests' | 'errors' | 'rateLimited' | 'rowsRead' | 'rowsWritten';
const isMeasure = (text: string): text is Measure =>
  ['requests', 'errors', 'rateLimited', 'rowsRead', 'rowsWritten'].includes(text);

const DAY = 86_400_000;

// Only request lines have a status.
const ofRequests: Filter = { key: 'status', operation: 'exists', type: 'number' };
const limited: Filter = { key: 'status', operation: 'eq', type: 'number', value: 429 };
const failed: readonly Filter[] = [
  { key: 'status', operation: 'gte', type: 'number', value: 400 },
  { key: 'status', operation: 'neq', type: 'number', value: 429 },
];
const count = (alias: Measure): Calculation => ({ alias, operator: 'count' });
const sum = (key: Measure): Calculation => ({
  alias: key,
  operator: 'sum',
  key,
  keyType: 'number',
});

const configuration = z.object({ name: z.string() });

/**
 * Sums up the request log that Cloudflare keeps, by key, the busiest key first. The databases are used only for the names
 * of the keys.
 * @throws AdminError
 */
export async function readUsage(
  databases: readonly Execute[],
  { env, days }: { env?: string | undefined; days: number },
): Promise<{ usage: Usage[]; caveat: string | undefined }> {
  const worker = configuration.parse(unstable_readConfig({ env }, { hideWarnings: true })).name;
  const to = Date.now();
  const query = (filters: readonly Filter[], ...calculations: Calculation[]) =>
    queryLogs({
      timeframe: { from: to - days * DAY, to },
      filters: [
        { key: '$metadata.service', operation: 'eq', type: 'string', value: worker },
        ...filters,
      ],
      calculations,
      groupBy: ['brandId', 'keyHash'],
    });
  const results = await Promise.all([
    query([ofRequests], count('requests'), sum('rowsRead'), sum('rowsWritten')),
    query(failed, count('errors')),
    query([limited], count('rateLimited')),
  ]);

  const keys = new Map((await inGroups(databases, keysByHash)).flat());
  const usage = new Map<string, Usage>();
  for (const { alias, value, group } of results.flatMap(({ figures }) => figures)) {
    // A line has no brand if a rate limit rejected the request before the key was looked up.
    const key = keys.get(group['keyHash'] ?? '') ?? {
      ...NOBODY,
      brandId: group['brandId'] ?? null,
    };
    const id = key.keyId ?? key.brandId ?? '';
    const row = usage.get(id) ?? { ...key, ...NOTHING };
    if (isMeasure(alias)) row[alias] += value;
    usage.set(id, row);
  }
  return {
    usage: [...usage.values()].sort((one, other) => other.requests - one.requests),
    caveat: results.find(({ caveat }) => caveat !== undefined)?.caveat,
  };
}

type KeyNames = Omit<Usage, Measure>;

/** A key that the database does not have: never issued, or deleted with its brand. */
const NOBODY: KeyNames = {
  brandId: null,
  brandName: null,
  keyId: null,
  prefix: null,
  label: null,
  suspendedAt: null,
};
const NOTHING = { requests: 0, errors: 0, rateLimited: 0, rowsRead: 0, rowsWritten: 0 };

/** Returns all keys, by the logged part of their hash. */
async function keysByHash(execute: Execute): Promise<[hash: string, key: KeyNames][]> {
  const [rows = []] = await execute(
    sql`select substr(${apiKeys.hash}, 1, ${LOGGED_HASH_DIGITS}) as logged, api_keys.id, brand_id, brand_name, prefix, label, brands.suspended_at
      from ${apiKeys} join ${brands} on ${brands.id} = ${apiKeys.brandId} where true${andAtHome(execute, sql`${brands.id}`)}`,
  );
  return rows.map((row) => [
    String(row['logged']),
    {
      brandId: String(row['brand_id']),
      brandName: String(row['brand_name']),
      keyId: String(row['id']),
      prefix: String(row['prefix']),
      label: String(row['label']),
      suspendedAt: typeof row['suspended_at'] === 'string' ? row['suspended_at'] : null,
    },
  ]);
}
