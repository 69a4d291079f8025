import { sha256 } from '../../src/hash/sha256.ts';

// What this platform allows: no framework, no ORM, no validation to speak of. One batch of SQL by hand for each
// request, in which the key is looked up too. It does a part of what the service does, as fast as that can be done.

interface BareEnv {
  readonly DB: D1Database;
}

type Row = Readonly<Record<string, unknown>>;

const PATH = /^\/api\/brand\/v1\/products(?:\/([0-9a-f-]{36}))?$/;

const LIVE = `revoked_at is null and (expires_at is null or expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;
const KEY = `select brand_id, scope from api_keys where hash = ?1 and ${LIVE}`;
const BRAND = `(select brand_id from api_keys where hash = ?1 and ${LIVE})`;

/** The columns of the fields that a body may set. */
const COLUMNS: ReadonlyMap<string, string> = new Map(
  (
    'title description handle sku priceCents currencyCode discountPercent marginPercent featured imageUrl imageUrls ' +
    'marketplaceCategory serviceInventoryQuantity serviceListingStatus storeInventoryQuantity storeProductId ' +
    'storeVariantId storeStatus source syncStatus lastSyncedAt lastSyncError sourceUpdatedAt'
  )
    .split(' ')
    .map((field) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
);
const SHOWN = [
  'id',
  ...Array.from(COLUMNS, ([field, column]) => `${column} as ${field}`),
  'created_at as createdAt',
  'updated_at as updatedAt',
  'revision',
].join(', ');

const GET = `select key.brand_id as keyBrand, ${SHOWN} from (${KEY}) as key
  left join products on products.brand_id = key.brand_id and id = ?2`;
const LIST = `select ${SHOWN} from products where brand_id = ${BRAND} order by id limit ?2`;
const CREATE = `insert into products (brand_id, id, revision, created_at, updated_at, ${Array.from(COLUMNS.values()).join(', ')})
  select brand_id, ?2, ?2, ?3, ?3, ${Array.from(COLUMNS, (_, index) => `?${index + 4}`).join(', ')}
  from api_keys where hash = ?1 and ${LIVE} and scope = 'write' returning ${SHOWN}`;

const DEFAULTS: Row = {
  description: '',
  sku: null,
  currencyCode: 'USD',
  discountPercent: 0,
  marginPercent: null,
  featured: false,
  imageUrl: null,
  imageUrls: [],
  marketplaceCategory: 'OTHER',
  serviceInventoryQuantity: 0,
  serviceListingStatus: 'DRAFT',
  storeInventoryQuantity: 0,
  storeProductId: null,
  storeVariantId: null,
  storeStatus: null,
  source: 'API',
  syncStatus: 'NOT_LINKED',
  lastSyncedAt: null,
  lastSyncError: null,
  sourceUpdatedAt: null,
};

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const match = PATH.exec(url.pathname);
    if (!match) return failure(404, 'Not found.');
    const apiKey = request.headers.get('Authorization')?.slice('Bearer '.length) ?? '';
    const hash = await sha256(apiKey);
    const db = env.DB.withSession('first-primary');
    const key = db.prepare(KEY).bind(hash);

    const id = match[1];
    if (request.method === 'GET' && id !== undefined) {
      const [found] = await db.batch<Row>([db.prepare(GET).bind(hash, id)]);
      return one(found?.results[0]);
    }
    if (request.method === 'GET') {
      const limit = Number(url.searchParams.get('limit') ?? -1);
      const [keys, found] = await db.batch<Row>([key, db.prepare(LIST).bind(hash, limit)]);
      if (!keys?.results[0]) return failure(401, 'Invalid API key.');
      return json({ products: found?.results.map(represent) });
    }
    const body: unknown = await request.json();
    if (!isRow(body)) return failure(400, 'Invalid JSON payload.');
    if (request.method === 'POST') {
      const { title, priceCents } = body;
      if (typeof title !== 'string' || typeof priceCents !== 'number') {
        return failure(400, 'Invalid request.');
      }
      const values: Row = {
        handle: title.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
        ...DEFAULTS,
        ...body,
      };
      const parameters = Array.from(COLUMNS.keys(), (field) => encode(values[field]));
      const now = new Date().toISOString();
      const create = db.prepare(CREATE).bind(hash, newId(), now, ...parameters);
      const [keys, made] = await db.batch<Row>([key, create]);
      if (!keys?.results[0]) return failure(401, 'Invalid API key.');
      return one(made?.results[0], 201);
    }
    if (request.method === 'PATCH' && id !== undefined) {
      const fields = Object.keys(body).filter((field) => COLUMNS.has(field));
      const columns = fields.map((field, index) => `${COLUMNS.get(field) ?? ''} = ?${index + 5}`);
      const differences = fields.map(
        (field, index) => `${COLUMNS.get(field) ?? ''} is not ?${index + 5}`,
      );
      const update = db
        .prepare(
          `update products set ${columns.join(', ')}, revision = ?3, updated_at = ?4
           where brand_id = ${BRAND} and id = ?2 and (${differences.join(' or ')})`,
        )
        .bind(
          ...[hash, id, crypto.randomUUID(), new Date().toISOString()],
          ...fields.map((field) => encode(body[field])),
        );
      const [, found] = await db.batch<Row>([update, db.prepare(GET).bind(hash, id)]);
      return one(found?.results[0]);
    }
    return failure(405, 'Method not allowed.');
  },
} satisfies ExportedHandler<BareEnv>;

function one(row: Row | undefined, status = 200): Response {
  if (row === undefined) return failure(401, 'Invalid API key.');
  if (row['id'] === null) return failure(404, 'Product not found.');
  return json({ product: represent(row) }, status, { ETag: `"${String(row['revision'])}"` });
}

function represent({ revision: _, keyBrand: __, ...row }: Row): Row {
  return {
    ...row,
    featured: row['featured'] === 1,
    imageUrls: parse(row['imageUrls']),
  };
}

function parse(text: unknown): unknown {
  return JSON.parse(String(text));
}

function encode(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

function failure(status: number, error: string): Response {
  return json({ error }, status);
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  });
}

/** A UUIDv7. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
