import * as z from 'zod';
import { AdminError } from './admin-error.ts';

// The query API of Workers Logs:
// https://developers.cloudflare.com/api/resources/workers/subresources/observability/subresources/telemetry/methods/query/

/** The maximum number of groups in a response. */
const MAX_GROUPS = 2000;

/** How long to wait for Cloudflare's response, in milliseconds. */
const TIMEOUT = 60_000;

/** A condition on a field of log lines. */
export interface Filter {
  readonly key: string;
  readonly operation: 'eq' | 'neq' | 'gte' | 'exists';
  readonly type: 'string' | 'number';
  readonly value?: string | number;
}

/** A figure over the lines of each group: their number, or the sum of a field. */
export interface Calculation {
  readonly alias: string;
  readonly operator: 'count' | 'sum';
  readonly key?: string;
  readonly keyType?: 'number';
}

/** A query of the log. */
export interface LogQuery {
  /** Unix times in milliseconds. */
  readonly timeframe: { readonly from: number; readonly to: number };
  readonly filters: readonly Filter[];
  readonly calculations: readonly Calculation[];
  /** The text fields by which lines are grouped. */
  readonly groupBy: readonly string[];
}

/** A figure of a group. */
export interface Figure {
  readonly alias: string;
  readonly value: number;
  /** The fields of the group; fields that its lines do not have are absent. */
  readonly group: Readonly<Record<string, string>>;
}

/** The result of a query. */
export interface LogResult {
  readonly figures: readonly Figure[];
  /** Why the figures are not exact: Cloudflare sampled the lines, or there are more groups than it returns. */
  readonly caveat: string | undefined;
}

const groupField = z.object({ key: z.string(), value: z.unknown() });
const answer = z.object({
  success: z.literal(true),
  result: z.object({
    statistics: z.optional(z.object({ abr_level: z.optional(z.number()) })),
    calculations: z.array(
      z.object({
        alias: z.string(),
        aggregates: z.array(
          z.object({ value: z.number(), groups: z.optional(z.array(groupField)) }),
        ),
      }),
    ),
  }),
});

/**
 * Queries Workers Logs, which keeps lines for some days. Account and token come from the same environment variables as
 * wrangler's.
 * @throws AdminError
 */
export async function queryLogs(query: LogQuery): Promise<LogResult> {
  const { timeframe, filters, calculations, groupBy } = query;
  const { success, data } = answer.safeParse(
    await post({
      queryId: 'brand-integration-api-usage',
      timeframe,
      view: 'calculations',
      // Cloudflare does not store the query.
      dry: true,
      ignoreSeries: true,
      limit: MAX_GROUPS,
      parameters: {
        datasets: ['cloudflare-workers'],
        filterCombination: 'and',
        filters,
        calculations,
        groupBys: groupBy.map((value) => ({ type: 'string', value })),
        limit: MAX_GROUPS,
      },
    }),
  );
  if (!success)
    throw new AdminError('The response of Cloudflare has a format that this tool does not know.');
  const { calculations: results, statistics } = data.result;
  const isCut = results.some(({ aggregates }) => aggregates.length >= MAX_GROUPS);
  const isSampled = (statistics?.abr_level ?? 1) > 1;
  return {
    figures: results.flatMap(({ alias, aggregates }) =>
      aggregates.map(({ value, groups = [] }) => ({ alias, value, group: textFields(groups) })),
    ),
    caveat: isCut
      ? `Cloudflare returns at most ${MAX_GROUPS} keys: some are not shown.`
      : isSampled
        ? 'Cloudflare sampled the log: the figures are estimates.'
        : undefined,
  };
}

function textFields(fields: readonly z.infer<typeof groupField>[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ key, value }) => (typeof value === 'string' && value ? [[key, value]] : [])),
  );
}

async function post(body: object): Promise<unknown> {
  const { CLOUDFLARE_ACCOUNT_ID: account, CLOUDFLARE_API_TOKEN: token } = process.env;
  if (!account || !token) {
    throw new AdminError(
      'Set CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN. The token needs the permissions Workers Observability: Read and D1: Read.',
    );
  }
  const base = process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4';
  let response: Response;
  try {
    response = await fetch(`${base}/accounts/${account}/workers/observability/telemetry/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (response.ok) return await response.json();
  } catch {
    throw new AdminError('Cloudflare cannot be reached. Check the network and try again.');
  }
  throw new AdminError(
    response.status === 401 || response.status === 403
      ? 'Cloudflare rejected the token. It needs the permission Workers Observability: Read.'
      : `Cloudflare rejected the log query with status ${response.status}.`,
  );
}
