import { readdir, readFile } from 'node:fs/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { format } from 'sql-formatter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery } from 'wrangler';
import { app } from '../../src/app.ts';
import { collections } from '../../src/resources/registry.ts';
import { createBrand } from '../../tools/admin/brands.ts';
import { executeOn } from '../../tools/admin/execute.ts';

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

const once = { 'Idempotency-Key': 'sql' };
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

function operationsOn(path: string, key: string, match: string, item: object): Sent[] {
  return [
    { file: 'list-all', method: 'GET', path },
    { file: 'list-page', method: 'GET', path: `${path}?limit=2` },
    { file: 'list-changes-start', method: 'GET', path: `${path}?since=0` },
    { file: 'create', method: 'POST', path, body: item },
    { file: 'create-once', method: 'POST', path, body: item, headers: once },
    { file: 'push', method: 'POST', path: `${path}?match=${match}`, body: { [key]: [item] } },
    {
      file: 'push-once',
      method: 'POST',
      path: `${path}?match=${match}`,
      body: { [key]: [item] },
      headers: { 'Idempotency-Key': 'push' },
    },
    { file: 'read', method: 'GET', path: `${path}/${absent}` },
    { file: 'replace', method: 'PUT', path: `${path}/${absent}`, body: item },
    { file: 'update', method: 'PATCH', path: `${path}/${absent}`, body: item },
    { file: 'delete', method: 'DELETE', path: `${path}/${absent}` },
  ];
}

/** The requests on each collection whose SQL is kept. Products keep only what differs from coupon codes. */
const kept: Readonly<Record<string, readonly Sent[]>> = {
  'coupon-codes': operationsOn('/coupon-codes', 'couponCodes', 'storeDiscountId', {
    code: 'SQL',
    discountPercent: 1,
    storeDiscountId: 'd',
  }),
  products: operationsOn('/products', 'products', 'sku', {
    title: 'T',
    priceCents: 1,
    sku: 'S',
  }).filter(({ file }) => /^(create|push)$/.test(file)),
};

describe('The SQL of the profile', () => {
  it.each(profile)('$file', async ({ file, method, path, body }) => {
    const { sql } = await send(method, path, body);
    await expect(sql, CHANGED).toMatchFileSnapshot(`sql/profile/${file}.sql`);
  });
});

describe.each(collections)('The SQL of $path', ({ path: collection }) => {
  it('is kept', () => {
    expect(
      Object.keys(kept),
      'in test/node/sql.test.ts, add the requests whose SQL is to be kept',
    ).toContain(collection);
  });

  it.for(kept[collection] ?? [])('$file', async ({ file, method, path, body, headers }) => {
    const { sql } = await send(method, path, body, headers);
    await expect(sql, CHANGED).toMatchFileSnapshot(`sql/${collection}/${file}.sql`);
  });
});

describe('The SQL of changes', () => {
  it('list-changes', async () => {
    const { answer } = await send('GET', '/products?since=0');
    const body: unknown = await answer.json();
    const since = String(Reflect.get(Object(body), 'since'));
    const { sql } = await send('GET', `/products?since=${since}`);
    await expect(sql, CHANGED).toMatchFileSnapshot('sql/products/list-changes.sql');
  });
});
