import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { expectShape } from './json-shapes.ts';
import type { Finished } from './processes.ts';
import { runScriptWith } from './processes.ts';

// A simulated Cloudflare API: the query of Workers Logs over a few lines, and the keys in D1.

const DAY = 86_400_000;
const [BRAND, KEY] = [
  '01890000-0000-7000-8000-000000000001',
  '01890000-0000-7000-8000-000000000002',
];
const SUSPENDED = '2026-01-31T09:30:00.000Z';
const GONE = '01890000-0000-7000-8000-000000000003';
const hash = 'a'.repeat(16);

const LINES: readonly Readonly<Record<string, unknown>>[] = [
  { status: 200, brandId: BRAND, keyHash: hash, rowsRead: 10, rowsWritten: 0 },
  { status: 201, brandId: BRAND, keyHash: hash, rowsRead: 5, rowsWritten: 3 },
  { status: 404, brandId: BRAND, keyHash: hash, rowsRead: 2, rowsWritten: 0 },
  { status: 500, brandId: BRAND, keyHash: hash, rowsRead: 0, rowsWritten: 0 },
  // Rejected before the key lookup, so the line has no brand.
  { status: 429, keyHash: hash },
  { status: 429, keyHash: hash },
  { status: 200, brandId: GONE, keyHash: 'b'.repeat(16), rowsRead: 7, rowsWritten: 1 },
  { status: 401 },
  { status: 401, keyHash: 'c'.repeat(16), rowsRead: 1, rowsWritten: 0 },
  // This is not a request line.
  { level: 'error', route: '/api/brand/v1/products' },
];

const filter = z.strictObject({
  key: z.string(),
  operation: z.enum(['eq', 'neq', 'gte', 'exists']),
  type: z.enum(['string', 'number']),
  value: z.optional(z.union([z.string(), z.number()])),
});
const query = z.strictObject({
  queryId: z.string(),
  timeframe: z.strictObject({ from: z.int(), to: z.int() }),
  view: z.literal('calculations'),
  dry: z.boolean(),
  ignoreSeries: z.boolean(),
  limit: z.int(),
  parameters: z.strictObject({
    datasets: z.array(z.string()),
    filterCombination: z.literal('and'),
    filters: z.array(filter),
    calculations: z.array(
      z.strictObject({
        alias: z.string(),
        operator: z.enum(['count', 'sum']),
        key: z.optional(z.string()),
        keyType: z.optional(z.literal('number')),
      }),
    ),
    groupBys: z.array(z.strictObject({ type: z.literal('string'), value: z.string() })),
    limit: z.int(),
  }),
});

type Query = z.infer<typeof query>;
const asked: Query[] = [];
let abrLevel = 1;
let status = 200;
let api: Server;

beforeAll(async () => {
  api = createServer((request, response) => {
    void json(request).then((body) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({
          success: status === 200,
          errors: [],
          messages: [],
          ...answer(String(request.url), body),
        }),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
});

afterAll(() => {
  api.close();
});

function answer(url: string, body: unknown): object {
  if (url.startsWith('/accounts/account/d1/')) {
    const names = { brand_name: 'Northwind', prefix: 'bik_12345678', label: 'shop' };
    return {
      result: [
        {
          results: [{ logged: hash, id: KEY, brand_id: BRAND, ...names, suspended_at: SUSPENDED }],
          success: true,
          meta: {},
        },
      ],
    };
  }
  expect(url).toBe('/accounts/account/workers/observability/telemetry/query');
  const { parameters, ...rest } = query.parse(body);
  asked.push({ parameters, ...rest });
  const lines = LINES.map((line) => ({
    ...line,
    '$metadata.service': 'brand-integration-api-staging',
  })).filter((line) => parameters.filters.every((filter) => holds(filter, line)));
  const groups = Map.groupBy(lines, (line: Readonly<Record<string, unknown>>) =>
    JSON.stringify(
      parameters.groupBys.map(({ value: key }) => ({ key, value: line[key] ?? null })),
    ),
  );
  const calculations = parameters.calculations.map(({ alias, operator, key = '' }) => ({
    alias,
    aggregates: [...groups].map(([group, members]) => ({
      groups: parsed(group),
      value:
        operator === 'count'
          ? members.length
          : members.reduce(
              (sum, line: Readonly<Record<string, unknown>>) => sum + Number(line[key] ?? 0),
              0,
            ),
    })),
  }));
  return { result: { statistics: { abr_level: abrLevel }, calculations } };
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}

function holds(
  { key, operation, value = '' }: z.infer<typeof filter>,
  line: Readonly<Record<string, unknown>>,
): boolean {
  const actual = line[key];
  if (operation === 'exists') return actual !== undefined;
  if (operation === 'gte') return actual !== undefined && Number(actual) >= Number(value);
  return (actual === value) === (operation === 'eq');
}

/** Runs `npm run admin -- usage` with the simulated API. */
function usage(...args: readonly string[]): Promise<Finished> {
  const address = api.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const account = {
    CLOUDFLARE_ACCOUNT_ID: 'account',
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
  };
  return runScriptWith(account, 'admin', 'usage', ...args);
}

describe('usage', () => {
  it('sums up the log of an environment by brand and key', async () => {
    const { code, stdout, stderr } = await usage(
      '--remote',
      '--env',
      'staging',
      '--days',
      '3',
      '--json',
    );
    expect([code, stderr]).toEqual([0, '']);
    expectShape('usage', JSON.parse(stdout));
    const nobody = { brandName: null, keyId: null, prefix: null, label: null, suspendedAt: null };
    expect(JSON.parse(stdout)).toEqual({
      days: 3,
      usage: [
        {
          ...{
            brandId: BRAND,
            brandName: 'Northwind',
            keyId: KEY,
            prefix: 'bik_12345678',
            label: 'shop',
            suspendedAt: SUSPENDED,
          },
          ...{ requests: 6, errors: 2, rateLimited: 2, rowsRead: 17, rowsWritten: 3 },
        },
        {
          brandId: null,
          ...nobody,
          requests: 2,
          errors: 2,
          rateLimited: 0,
          rowsRead: 1,
          rowsWritten: 0,
        },
        {
          brandId: GONE,
          ...nobody,
          requests: 1,
          errors: 0,
          rateLimited: 0,
          rowsRead: 7,
          rowsWritten: 1,
        },
      ],
    });
    for (const { timeframe } of asked) expect(timeframe.to - timeframe.from).toBe(3 * DAY);
  });

  it('reports when the figures are estimates, and shows them as a table', async () => {
    abrLevel = 10;
    const { code, stdout, stderr } = await usage('--remote', '--env', 'staging');
    abrLevel = 1;
    expect(code).toBe(0);
    expect(stdout).toContain('Northwind');
    expect(stderr).toContain('estimates');
  });

  it.each([
    [['--days', '3'], 200, 1, 'Add --remote'],
    [['--remote', '--days', '8'], 200, 2, 'from 1 to 7'],
    [['--remote'], 403, 1, 'Workers Observability: Read'],
    [['--remote'], 500, 1, 'status 500'],
  ])(
    '%j, answered with %i, exits with %i and a sentence',
    async (args, answered, exit, sentence) => {
      status = answered;
      const { code, stdout, stderr } = await usage(...args);
      status = 200;
      expect([code, stdout]).toEqual([exit, '']);
      expect(stderr).toMatch(/^error: .+/);
      expect(stderr).toContain(sentence);
    },
  );
});
