import { readdir, readFile } from 'node:fs/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { format } from 'sql-formatter';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unstable_splitSqlQuery } from 'wrangler';
import { app } from '../../src/app.ts';
import { createBrand } from '../../tools/admin/brands.ts';
import { executeOn } from '../../tools/admin/execute.ts';

// The SQL of four operations as sent to D1, one readable file each, so that a reviewer sees the effect of a change.

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

interface Sent {
  readonly file: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const absent = '01890000-0000-7000-8000-000000000000';
const code = { code: 'SAVE10', discountPercent: 10 };
const OPERATIONS: readonly Sent[] = [
  { file: 'list', method: 'GET', path: '/coupon-codes?limit=2' },
  { file: 'create', method: 'POST', path: '/coupon-codes', body: code },
  { file: 'update', method: 'PATCH', path: `/coupon-codes/${absent}`, body: code },
  {
    file: 'push',
    method: 'POST',
    path: '/coupon-codes?match=code',
    body: { couponCodes: [code] },
  },
];

it.each(OPERATIONS)('The SQL of a request: $file', async ({ file, method, path, body }) => {
  sent = [];
  const raw = body === undefined ? '' : JSON.stringify(body);
  // Node has no `readAtLeast`, with which the service reads a body of unknown length.
  const length = { 'Content-Length': String(new Blob([raw]).size) };
  const answer = await app.request(
    `http://api.test/api/brand/v1${path}`,
    {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, ...(raw !== '' && length) },
      ...(raw !== '' && { body: raw }),
    },
    {
      DB: binding({ withSession: (from: string) => recorded(db.withSession(from)) }),
      KEY_RATE_LIMIT: limiter,
      FAILURE_RATE_LIMIT: limiter,
    },
  );
  expect(answer.status).toBeLessThan(500);
  const sql = sent.map((text) => format(text, { language: 'sqlite', expressionWidth: 120 }));
  await expect(`${sql.join(';\n\n')};\n`, CHANGED).toMatchFileSnapshot(`sql/${file}.sql`);
});
