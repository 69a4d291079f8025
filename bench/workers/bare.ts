import { v7 } from 'uuid';
import { sha256 } from '../../src/hash/sha256.ts';
import { DEFAULTS } from './defaults.ts';

// The best that this platform allows: no framework, no ORM, little validation. Each request is one batch of handwritten
// SQL, including the key lookup. It does a part of what the service does, as fast as possible. Whatever it needs the
// platform for, it needs as often as the service: a session with its bookmark, the headers, a request id, an entity tag,
// the request's signal, and `waitUntil` for a line of the log.

type Row = Readonly<Record<string, unknown>>;

const PATH = /^\/api\/brand\/v1\/products(?:\/([0-9a-f-]{36}))?$/;

const LIVE = `revoked_at is null and (expires_at is null or expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;
const KEY = `select brand_id, scope from api_keys where hash = ?1 and ${LIVE}`;
const BRAND = `(select brand_id from api_keys where hash = ?1 and ${LIVE})`;

/** The columns of the fields that a body may set. */
const COLUMNS: ReadonlyMap<string, string> = new Map(
  ['title', 'priceCents', 'handle', ...Object.keys(DEFAULTS)].map((field) => [
    field,
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);
const SHOWN = `id, ${Array.from(COLUMNS, ([field, column]) => `${column} as ${field}`).join(', ')},
  created_at as createdAt, updated_at as updatedAt, revision`;

const GET = `select key.brand_id as keyBrand, ${SHOWN} from (${KEY}) as key
  left join products on products.brand_id = key.brand_id and id = ?2`;
const LIST = `select ${SHOWN} from products where brand_id = ${BRAND} order by id limit ?2`;
const NEXT_CHANGE = `1 + (select coalesce(max(change_number), 0) from products where brand_id = ${BRAND})`;
const CREATE = `insert into products (brand_id, id, revision, created_at, updated_at, change_number, ${[...COLUMNS.values()].join(', ')})
  select brand_id, ?2, ?2, ?3, ?3, ${NEXT_CHANGE}, ${Array.from(COLUMNS, (_, index) => `?${index + 4}`).join(', ')}
  from api_keys where hash = ?1 and ${LIVE} and scope = 'write' returning ${SHOWN}`;

interface BareEnv {
  readonly DB: D1Database;
}

export default {
  async fetch(request, env, context) {
    const start = Date.now();
    const requestId = crypto.randomUUID();
    const db = env.DB.withSession('first-primary');
    const response = await answer(request, db);
    response.headers.set('X-Request-Id', requestId);
    response.headers.set('x-d1-bookmark', db.getBookmark() ?? '');
    const line = async (): Promise<void> => {
      await Promise.resolve();
      const { method, signal } = request;
      const ended = signal.aborted ? 'aborted' : 'complete';
      const fields = { requestId, method, status: response.status, ended, ms: Date.now() - start };
      // eslint-disable-next-line no-console -- this is where a Worker's log is written
      console.log(JSON.stringify(fields));
    };
    context.waitUntil(line());
    return response;
  },
} satisfies ExportedHandler<BareEnv>;

async function answer(request: Request, db: D1DatabaseSession): Promise<Response> {
  const url = new URL(request.url);
  const match = PATH.exec(url.pathname);
  if (!match) return json({ error: 'Not found.' }, 404);
  const apiKey = request.headers.get('Authorization')?.slice('Bearer '.length) ?? '';
  const hash = await sha256(apiKey);
  const key = db.prepare(KEY).bind(hash);
  const id = match[1];

  if (request.method === 'GET' && id !== undefined) {
    const [found] = await db.batch<Row>([db.prepare(GET).bind(hash, id)]);
    return one(found?.results[0]);
  }
  if (request.method === 'GET') {
    const limit = Number(url.searchParams.get('limit') ?? -1);
    const [keys, found] = await db.batch<Row>([key, db.prepare(LIST).bind(hash, limit)]);
    if (!keys?.results[0]) return one(undefined);
    return json({ products: found?.results.map(represent) });
  }
  const body: unknown = await request.json();
  if (!isRow(body)) return json({ error: 'Invalid JSON payload.' }, 400);
  const now = new Date().toISOString();
  if (id === undefined) {
    const { title, priceCents } = body;
    const isValid = typeof title === 'string' && typeof priceCents === 'number';
    if (!isValid) return json({ error: 'Invalid request.' }, 400);
    const handle = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const values: Row = { handle, ...DEFAULTS, ...body };
    const parameters = Array.from(COLUMNS.keys(), (field) => encode(values[field]));
    const create = db.prepare(CREATE).bind(hash, v7(), now, ...parameters);
    const [, made] = await db.batch<Row>([key, create]);
    return one(made?.results[0], 201);
  }
  const fields = Object.keys(body).filter((field) => COLUMNS.has(field));
  const set = fields.map((field, index) => `${COLUMNS.get(field) ?? ''} = ?${index + 5}`);
  const differs = set.map((assignment) => assignment.replace(' = ', ' is not '));
  const update = db
    .prepare(
      `update products set ${set.join(', ')}, revision = ?3, updated_at = ?4, change_number = ${NEXT_CHANGE}
         where brand_id = ${BRAND} and id = ?2 and (${differs.join(' or ')})`,
    )
    .bind(hash, id, crypto.randomUUID(), now, ...fields.map((field) => encode(body[field])));
  const [, found] = await db.batch<Row>([update, db.prepare(GET).bind(hash, id)]);
  return one(found?.results[0]);
}

function one(row: Row | undefined, status = 200): Response {
  if (row === undefined) return json({ error: 'Invalid API key.' }, 401);
  if (row['id'] === null) return json({ error: 'Product not found.' }, 404);
  return json({ product: represent(row) }, status, { ETag: `"${String(row['revision'])}"` });
}

function represent({ revision: _, keyBrand: __, ...row }: Row): Row {
  const imageUrls: unknown = JSON.parse(String(row['imageUrls']));
  return { ...row, featured: row['featured'] === 1, imageUrls };
}

function encode(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...headers } });
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
