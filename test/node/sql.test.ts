import { readdir, readFile } from 'node:fs/promises';
import { diff } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { format } from 'sql-formatter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery } from 'wrangler';
import { app } from '../../src/app.ts';
import { createBrand } from '../../tools/admin/brands.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import { collections, couponCodes, products } from '../support/collections.ts';
import type { Fields, TestCollection } from '../support/collections/collection.ts';

// The SQL of every operation as sent to D1, one readable file each, so that a reviewer sees the effect of a change.

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    workers: [
      {
        name: 'database',
        modules: true,
        script: 'export default {}',
        d1Databases: ['DB'],
        compatibilityDate: '2026-10-06',
      },
    ],
  }),
);

const CHANGED =
  'the SQL is another: read it, then run "npm test -- --project node test/node/sql.test.ts --update"';

let db: Awaited<ReturnType<typeof miniflare.getD1Database>>;
let apiKey: string;
let sent: string[] = [];

beforeAll(async () => {
  db = await miniflare.getD1Database('DB');
  for (const file of (await readdir('migrations')).sort()) {
    const migration = await readFile(`migrations/${file}`, 'utf8');
    for (const query of unstable_splitSqlQuery(migration)) await db.prepare(query).run();
  }
  const brand = await createBrand(executeOn(db, 'tests'), 'SQL');
  apiKey = brand.apiKey;
});

afterAll(() => miniflare.dispose());

/** Wraps the database and records every prepared statement. */
function recorded<T extends object>(session: T): T {
  return new Proxy(session, {
    get(_, name): unknown {
      const member: unknown = Reflect.get(session, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (name === 'prepare') sent.push(String(args[0]));
        return Reflect.apply(member, session, args);
      };
    },
  });
}

/** Miniflare has its own copy of D1's classes. The service uses only `withSession` of the binding. */
function binding(database: unknown): D1Database {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return database as D1Database;
}

const limiter = { limit: () => Promise.resolve({ success: true }) };

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ readonly sql: string; readonly answer: Response }> {
  sent = [];
  const raw = body === undefined ? '' : JSON.stringify(body);
  // Node has no `readAtLeast`, with which the service reads a body of unknown length.
  const length = { 'Content-Length': String(new Blob([raw]).size) };
  const answer = await app.request(
    `http://api.test/api/brand/v1${path}`,
    {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, ...headers, ...(raw !== '' && length) },
      ...(raw !== '' && { body: raw }),
    },
    {
      DB: binding({ withSession: (from: string) => recorded(db.withSession(from)) }),
      KEY_RATE_LIMIT: limiter,
      FAILURE_RATE_LIMIT: limiter,
    },
  );
  if (answer.status >= 500) {
    throw new Error(`${method} ${path}: ${answer.status}. Does a migration create every column?`);
  }
  const sql = sent.map((text) => format(text, { language: 'sqlite', expressionWidth: 120 }));
  return { sql: `${sql.join(';\n\n')};\n`, answer };
}

const absent = '01890000-0000-7000-8000-000000000000';

const profile: readonly Sent[] = [
  { file: 'read', method: 'GET', path: '/profile' },
  {
    file: 'replace',
    method: 'PUT',
    path: '/profile',
    body: { brand: { brandName: 'B' }, connection: {} },
  },
  { file: 'update', method: 'PATCH', path: '/profile', body: { brand: { brandName: 'C' } } },
];

interface Sent {
  readonly file: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The collection of which all SQL is kept. That of the others differs in names only, but for their columns. */
const WHOLE = couponCodes;

function operationsOn(of: TestCollection): Sent[] {
  const { path, many } = of;
  const [match = ''] = Object.keys(of.values).slice(-1);
  const item = newItem(of, match);
  const push = { method: 'POST', path: `${path}?match=${match}`, body: { [many]: [item] } };
  const create = { method: 'POST', path, body: item };
  if (of !== WHOLE) return [{ file: 'create', ...create }];
  return [
    { file: 'list-all', method: 'GET', path },
    { file: 'list-page', method: 'GET', path: `${path}?limit=2` },
    { file: 'list-changes-start', method: 'GET', path: `${path}?since=0` },
    { file: 'create', ...create },
    { file: 'create-once', ...create, headers: { 'Idempotency-Key': 'sql' } },
    { file: 'push', ...push },
    { file: 'push-once', ...push, headers: { 'Idempotency-Key': 'push' } },
    { file: 'read', method: 'GET', path: `${path}/${absent}` },
    { file: 'replace', method: 'PUT', path: `${path}/${absent}`, body: item },
    { file: 'update', method: 'PATCH', path: `${path}/${absent}`, body: item },
    { file: 'delete', method: 'DELETE', path: `${path}/${absent}` },
  ];
}

/** What a POST needs, and a field that matches. */
function newItem({ bare, values }: TestCollection, match: string): Fields {
  return { ...bare(1), [match]: match === 'id' ? absent : values[match]?.(1) };
}

describe('The SQL of the profile', () => {
  it.each(profile)('$file', async ({ file, method, path, body }) => {
    const { sql } = await send(method, path, body);
    await expect(sql, CHANGED).toMatchFileSnapshot(`sql/profile/${file}.sql`);
  });
});

describe.each(collections)('The SQL of $path', (of) => {
  it.each(operationsOn(of))('$file', async ({ file, method, path, body, headers }) => {
    const { sql } = await send(method, path, body, headers);
    await expect(sql, CHANGED).toMatchFileSnapshot(`sql${of.path}/${file}.sql`);
  });
});

describe('The SQL of a push of products', () => {
  const pushBy = async (match: string): Promise<string> => {
    const body = { products: [newItem(products, match)] };
    return (await send('POST', `/products?match=${match}`, body)).sql;
  };

  // The rest is in the file of coupon codes.
  it.each([
    ['without an index', 'sku'],
    ['with an index', 'storeProductId'],
  ])('by a field %s, as far as it differs from that by id', async (_, match) => {
    const changes = changedLines(await pushBy('id'), await pushBy(match));
    await expect(changes, CHANGED).toMatchFileSnapshot(`sql/products/push-by-${match}.diff`);
  });
});

/** The lines in which two texts differ, each group below the last line that both have. */
function changedLines(before: string, after: string): string {
  const marks = { '1': '-', '0': ' ', '-1': '+' } as const;
  const lines = diff(before.split('\n'), after.split('\n'));
  const isShared = (index: number): boolean => (lines[index]?.[0] ?? 0) === 0;
  return lines
    .filter((_, index) => !isShared(index) || !isShared(index + 1))
    .map(([operation, line]) => `${marks[operation]} ${line}\n`)
    .join('');
}

describe('The SQL of changes', () => {
  it('list-changes', async () => {
    const { answer } = await send('GET', '/products?since=0');
    const body: unknown = await answer.json();
    const since = String(Reflect.get(Object(body), 'since'));
    const { sql } = await send('GET', `/products?since=${since}`);
    await expect(sql, CHANGED).toMatchFileSnapshot('sql/products/list-changes.sql');
  });
});
