import { newId } from '../../src/collection/identifier.ts';
import { STANDARD_HEADERS } from '../../src/http/standard-headers.ts';
import { DEFAULTS, REQUIRED } from './product-fields.ts';

// Four operations by hand: no ORM, little validation. Each is one batch of handwritten SQL, including the key lookup.

type Row = Readonly<Record<string, unknown>>;

const LIVE = `revoked_at is null and (expires_at is null or expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;
const KEY = `select brand_id, scope, suspended_at from api_keys where hash = ?1 and ${LIVE}`;
const BRAND = `(select brand_id from api_keys where hash = ?1 and ${LIVE})`;

/** The columns of the fields that a body may set. */
const COLUMNS: ReadonlyMap<string, string> = new Map(
  [...Object.keys(REQUIRED), 'handle', ...Object.keys(DEFAULTS)].map((field) => [
    field,
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);
const SHOWN = [
  'id',
  ...Array.from(COLUMNS, ([field, column]) => `${column} as ${field}`),
  'created_at as createdAt, updated_at as updatedAt, revision',
].join(', ');

// Each in one line: D1 takes longer for several.
const GET = `select key.*, ${SHOWN} from (${KEY}) as key left join products on products.brand_id = key.brand_id and id = ?2`;
const LIST = `select ${SHOWN} from products where brand_id = ${BRAND} order by id limit ?2 + 0`;
const NEXT_CHANGE = `1 + (select coalesce(max(change_number), 0) from products where brand_id = ${BRAND})`;
const CREATE = [
  `insert into products (brand_id, id, revision, created_at, updated_at, change_number, ${[...COLUMNS.values()].join(', ')})`,
  `select brand_id, ?2, ?2, ?3, ?3, ${NEXT_CHANGE}, ${Array.from(COLUMNS, (_, index) => `?${index + 4}`).join(', ')}`,
  `from api_keys where hash = ?1 and ${LIVE} and scope = 'write' returning ${SHOWN}`,
].join(' ');

const VALUES = Object.entries({ ...REQUIRED, ...DEFAULTS });
const BOOLEANS = VALUES.flatMap(([field, value]) => (typeof value === 'boolean' ? field : []));
const LISTS = VALUES.flatMap(([field, value]) => (Array.isArray(value) ? field : []));

/** A value as D1 takes it. */
type SqlValue = string | number | null;

type Bound = readonly [text: string, parameters: readonly SqlValue[]];

const HEADERS = { 'Content-Type': 'application/json', ...STANDARD_HEADERS };

export function respond(body: unknown, status: number, headers = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...headers } });
}

/** Answers a GET, POST or PATCH of products. */
export async function answer(
  request: Request,
  id: string | undefined,
  keyHash: string,
  db: D1DatabaseSession,
): Promise<Response> {
  const run = async (...all: readonly Bound[]): Promise<readonly Row[][]> => {
    const statements = all.map(([text, values]) => db.prepare(text).bind(...values));
    return (await db.batch<Row>(statements)).map(({ results }) => results);
  };
  const key: Bound = [KEY, [keyHash]];

  if (request.method === 'GET' && id !== undefined) {
    const [found] = await run([GET, [keyHash, id]]);
    return one(found?.[0]);
  }
  if (request.method === 'GET') {
    const limit = Number(new URL(request.url).searchParams.get('limit') ?? -1);
    const [found, keys] = await run([LIST, [keyHash, limit]], key);
    return keys?.[0] ? respond({ products: found?.map(represent) }, 200) : one(undefined);
  }
  const body: unknown = await request.json();
  if (!isRow(body)) return respond({ error: 'Invalid JSON payload.' }, 400);
  const now = new Date().toISOString();
  if (id === undefined) {
    const { title, priceCents } = body;
    const isValid = typeof title === 'string' && typeof priceCents === 'number';
    if (!isValid) return respond({ error: 'Invalid request.' }, 400);
    const handle = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const values: Row = { handle, ...DEFAULTS, ...syncFields(body, now), ...body };
    const parameters = Array.from(COLUMNS.keys(), (field) => encode(values[field]));
    const [made] = await run([CREATE, [keyHash, newId(), now, ...parameters]], key);
    return one(made?.[0], 201);
  }
  const fields = Object.keys(body).filter((field) => COLUMNS.has(field));
  const set = fields.map((field, index) => `${COLUMNS.get(field) ?? ''} = ?${index + 5}`);
  const differs = set.map((assignment) => assignment.replace(' = ', ' is not '));
  const followers =
    'storeProductId' in body ? { ...syncFields(body, now), lastSyncError: null } : {};
  const followed = Object.entries(followers).filter(([field]) => !(field in body));
  const isLinkedAsBefore = `(store_product_id is null) = (?${fields.indexOf('storeProductId') + 5} is null)`;
  const follow = followed.map(([field], index) => {
    const column = COLUMNS.get(field) ?? '';
    return `${column} = iif(${isLinkedAsBefore}, ${column}, ?${fields.length + index + 5})`;
  });
  const update = `update products set ${[...set, ...follow].join(', ')}, revision = ?3, updated_at = ?4, change_number = ${NEXT_CHANGE} where brand_id = ${BRAND} and id = ?2 and (${differs.join(' or ')})`;
  const parameters = [...fields.map((field) => body[field]), ...followed.map(([, value]) => value)];
  const [, found] = await run(
    [update, [keyHash, id, crypto.randomUUID(), now, ...parameters.map(encode)]],
    [GET, [keyHash, id]],
  );
  return one(found?.[0]);
}

/** Responds with a product. No row: the key is not valid. A row without an id: there is no such product. */
function one(row: Row | undefined, status = 200): Response {
  if (row === undefined) return respond({ error: 'Invalid API key.' }, 401);
  if (row['id'] === null) return respond({ error: 'Product not found.' }, 404);
  return respond({ product: represent(row) }, status, { ETag: `"${String(row['revision'])}"` });
}

function represent({
  revision: _,
  brand_id: __,
  scope: ___,
  suspended_at: ____,
  ...row
}: Row): Row {
  const shown: Record<string, unknown> = row;
  for (const field of BOOLEANS) shown[field] = row[field] === 1;
  for (const field of LISTS) shown[field] = JSON.parse(String(row[field]));
  return shown;
}

/** The sync fields of a product with this store id, or without one. */
function syncFields({ storeProductId = null }: Row, now: string): Row {
  return storeProductId === null
    ? { syncStatus: 'NOT_LINKED', lastSyncedAt: null }
    : { syncStatus: 'SYNCED', lastSyncedAt: now };
}

function encode(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Array.isArray(value) ? JSON.stringify(value) : null;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
