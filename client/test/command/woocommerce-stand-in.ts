import type { Served, WhenFinished } from './listening.ts';
import { answeredAt, cutAfter, served } from './listening.ts';

/** A JSON object of the store. */
export type Row = Readonly<Record<string, unknown>>;

/** What the stand-in was asked. */
export interface Asked {
  readonly method: string;
  /** Below `/wp-json/wc/v3`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** An answer that is not the store's own. `isCut`: its connection ends within it. */
export interface Fault {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isCut?: boolean;
}

/** The store, which a test may change at any time. */
export interface StandIn extends Served {
  products: Row[];
  /** Each with its `parent_id`. */
  variations: Row[];
  coupons: Row[];
  /** The ids of what is counted and cannot be read: it is in no list, and unknown if it is asked for. */
  readonly broken: Set<unknown>;
  /** Called before each answer. It may change the store, or return another answer. */
  onRequest: (asked: Asked) => Fault | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly asked: Asked[];
  /** All that was sent. */
  readonly sent: string[];
}

export interface StandInOptions {
  /** Whether `/wp-json` gives a page. */
  readonly hasPlainPermalinks?: boolean;
  /** Whether it is 10.3 or later, and has a list of all variations. */
  readonly hasAllVariations?: boolean;
  /** The folder of the shop, such as `/shop`. */
  readonly folder?: string;
  /** What its host makes of pages. */
  readonly pages?: Pages | undefined;
  /** Whether its web server drops the query of each request. */
  readonly losesQuery?: boolean;
}

/** What a host does to pages with many entries. */
export interface Pages {
  /** How many a page has at most. */
  readonly most: number;
  /** What becomes of a question for more: a shorter page whose length is counted or not, or an answer in its place. */
  readonly otherwise: 'fewer' | 'cut' | Fault;
}

export const KEY = 'ck_0123456789abcdef0123456789abcdef01234567';
export const SECRET = 'cs_76543210fedcba9876543210fedcba9876543210';

export const PAGE =
  '<!DOCTYPE html>\n<html lang="de"><head><title>Hallenladen</title></head><body>Klettern</body></html>';

/** Starts a stand-in for a WooCommerce 10.0, which answers as the real one was recorded. It ends with the test. */
export async function woocommerce(
  options: StandInOptions = {},
  whenFinished?: WhenFinished,
): Promise<StandIn> {
  const here = await served((request) => answer(request, store, options), whenFinished);
  const store = storeOf(here, options);
  return store;
}

/** The same for who has its `fetch`: nothing listens at its address. */
export function woocommerceAt(url: string): StandIn {
  const here = answeredAt(url, (request) => answer(request, store, {}));
  const store = storeOf(here, {});
  return store;
}

function storeOf({ url: origin, fetch }: Served, { folder = '' }: StandInOptions): StandIn {
  const url = origin + folder;
  return {
    products: [],
    variations: [],
    coupons: [],
    broken: new Set(),
    onRequest: () => undefined,
    url,
    fetch,
    env: { WOOCOMMERCE_URL: url, WOOCOMMERCE_KEY: KEY, WOOCOMMERCE_SECRET: SECRET },
    asked: [],
    sent: [],
  };
}

function answer(request: Request, store: StandIn, options: StandInOptions): Response {
  const url = new URL(request.url);
  const path = apiPath(url, options);
  const send = (fault: Fault): Response => {
    const { status = 200, headers = {}, body = '', isCut = false } = fault;
    store.sent.push(body);
    const half = new TextEncoder().encode(body.slice(0, body.length / 2));
    const sent = isCut ? cutAfter(half) : body;
    return new Response(status === 304 ? null : sent, { status, headers });
  };
  if (path === undefined) return send({ headers: { 'Content-Type': 'text/html' }, body: PAGE });
  const asked = { method: request.method, path, query: url.searchParams };
  store.asked.push(asked);
  const fault = store.onRequest(asked);
  return send(fault ?? refusalOf(request) ?? route(asked, store, options));
}

/** Returns the path below the API; undefined if it is a page. */
function apiPath(
  url: URL,
  { folder = '', hasPlainPermalinks }: StandInOptions,
): string | undefined {
  const base = `${folder}/wp-json/wc/v3`;
  if (!hasPlainPermalinks)
    return url.pathname.startsWith(base) ? url.pathname.slice(base.length) : undefined;
  const rest = url.searchParams.get('rest_route');
  // WooCommerce looks at the key only if the address has this text as it is.
  const isSeen = url.search.includes('wp-json/wc/');
  return isSeen && url.pathname === `${folder}/index.php`
    ? rest?.slice('/wc/v3'.length)
    : undefined;
}

function refusalOf(request: Request): Fault | undefined {
  const basic = /^Basic (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
  const [key, secret] = atob(basic).split(':');
  if (key !== KEY)
    return error(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
  if (secret !== SECRET) {
    return error(401, 'woocommerce_rest_authentication_error', 'Consumer secret is invalid.');
  }
  return undefined;
}

function error(status: number, code: string, message: string): Fault {
  return json({ code, message, data: { status } }, {}, status);
}

function json(body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): Fault {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  };
}

function route({ path, query: sent }: Asked, store: StandIn, options: StandInOptions): Fault {
  if (path === '/data/currencies/current')
    return json({ code: 'EUR', name: 'Euro', symbol: '&euro;' });
  if (path === '') return json({ namespace: 'wc/v3', routes: {} });
  const query = hosted(sent, options);
  if (!(query instanceof URLSearchParams)) return query;
  const isShown = ({ id }: Row): boolean => !store.broken.has(id);
  if (path === '/products') return list(store.products, query, isShown);
  if (path === '/coupons') {
    const code = query.get('code')?.toLowerCase();
    return list(
      store.coupons.filter(
        (one) => code === undefined || (one['code'] === code && one['status'] === 'publish'),
      ),
      query,
      isShown,
    );
  }
  if (path === '/variations' && options.hasAllVariations === true) {
    const parents = new Set(store.products.map(({ id }) => id));
    return list(store.variations, query, (one) => isShown(one) && parents.has(one['parent_id']));
  }
  const [, collection, id, rest] = path.split('/');
  if (collection === 'products' && rest === 'variations') {
    return list(
      store.variations.filter((one) => String(one['parent_id']) === id),
      query,
      isShown,
    );
  }
  const rows = { products: [...store.products, ...store.variations], coupons: store.coupons };
  if ((collection === 'products' || collection === 'coupons') && id !== undefined) {
    const found = rows[collection].filter(isShown).find((one) => String(one['id']) === id);
    const what = collection === 'products' ? 'product' : 'shop_coupon';
    return found ? json(fields(found, query)) : unknown(what);
  }
  return error(404, 'rest_no_route', 'No route was found matching the URL and request method.');
}

/** Returns what a host makes of a list: the answer in its place, or the query that the store gets. */
function hosted(
  query: URLSearchParams,
  { pages, losesQuery }: StandInOptions,
): Fault | URLSearchParams {
  if (losesQuery === true) return new URLSearchParams();
  if (pages === undefined || Number(query.get('per_page') ?? 0) <= pages.most) return query;
  if (typeof pages.otherwise === 'object') return pages.otherwise;
  const smaller = new URLSearchParams(query);
  smaller.set(pages.otherwise === 'fewer' ? 'per_page' : 'cut', String(pages.most));
  return smaller;
}

/**
 * Lists leave out what is in the trash, unless they are asked for it. Without an order by id they are not stable.
 * @param isShown whether something that is counted is in the list too
 */
function list(rows: readonly Row[], query: URLSearchParams, isShown: (row: Row) => boolean): Fault {
  const isTrash = query.get('status') === 'trash';
  const include = query.get('include')?.split(',');
  const found = rows
    .filter((one) => (one['status'] === 'trash') === isTrash)
    .filter((one) => include?.includes(String(one['id'])) ?? true)
    .sort((a, b) => Number(a['id']) - Number(b['id']));
  if (query.get('orderby') !== 'id' || query.get('order') !== 'asc') found.reverse();
  const size = Number(query.get('per_page') ?? 10);
  const start = (Number(query.get('page') ?? 1) - 1) * size;
  return json(
    found
      .slice(start, start + Math.min(size, Number(query.get('cut') ?? size)))
      .filter(isShown)
      .map((one) => fields(one, query)),
    {
      'X-WP-Total': String(found.length),
      'X-WP-TotalPages': String(Math.ceil(found.length / size)),
    },
  );
}

function fields(row: Row, query: URLSearchParams): Row {
  const wanted = query.get('_fields')?.split(',');
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted?.includes(name) ?? true));
}

/** Answers that say nothing of the product or the coupon that was asked for, by what they are. */
export const NO_WORD: readonly (readonly [name: string, answer: Fault])[] = [
  ['404 rest_no_route', { status: 404, body: '{"code":"rest_no_route","message":"x"}' }],
  ['404 rest_disabled', { status: 404, body: '{"code":"rest_disabled","message":"x"}' }],
  ['a page of HTML for 404', { status: 404, body: '<html>' }],
  ['a page of HTML', { body: '<html>' }],
  ['a page of HTML for 403', { status: 403, body: '<html>' }],
  ['an empty object', { body: '{}' }],
  ['an empty list', { body: '[]' }],
  ['an empty list that is counted', { body: '[]', headers: { 'X-WP-Total': '0' } }],
  ['a list of nothing', { body: '[null]', headers: { 'X-WP-Total': '1' } }],
  ['null', { body: 'null' }],
  ['an error with status 200', { body: '{"error":"maintenance"}' }],
  ['another one', { body: '{"id":98765,"code":"c-98765","status":"trash"}' }],
];

/** WooCommerce's answer for an id that it does not know. */
export function unknown(what: 'product' | 'shop_coupon'): Fault {
  return error(404, `woocommerce_rest_${what}_invalid_id`, 'Invalid ID.');
}

/** A product without variations, as the real store answers. */
export function product(id: number, members: Row = {}): Row {
  return {
    id,
    name: `Griff ${id}`,
    slug: `griff-${id}`,
    date_modified_gmt: '2026-11-27T21:52:23',
    type: 'simple',
    status: 'publish',
    description: '<p>Aus Holz</p>\n',
    sku: `HN-${id}`,
    price: '8.50',
    regular_price: '8.5',
    sale_price: '',
    manage_stock: true,
    stock_quantity: 4,
    stock_status: 'instock',
    parent_id: 0,
    images: [],
    attributes: [],
    variations: [],
    ...members,
  };
}

/** A variable product that differs by size and colour. Its variations are apart. */
export function variableProduct(id: number, variations: readonly number[], members: Row = {}): Row {
  return product(id, {
    name: `Kletterschuh ${id}`,
    slug: `kletterschuh-${id}`,
    type: 'variable',
    price: '99.90',
    regular_price: '',
    manage_stock: false,
    stock_quantity: null,
    attributes: [
      { id: 0, name: 'Größe', slug: 'Größe', variation: true, options: ['38', '39'] },
      { id: 1, name: 'Farbe', slug: 'pa_farbe', variation: true, options: ['Blau', 'Rot'] },
      { id: 0, name: 'Material', slug: 'Material', variation: false, options: ['Leder'] },
    ],
    variations,
    ...members,
  });
}

/** A variation of such a product. Without a colour it is for any. */
export function variation(id: number, parent: number, size: string, members: Row = {}): Row {
  return {
    id,
    type: 'variation',
    date_modified_gmt: '2026-11-27T21:52:27',
    description: '',
    sku: `HN-V-${id}`,
    price: '99.90',
    regular_price: '99.90',
    sale_price: '',
    status: 'publish',
    manage_stock: true,
    stock_quantity: 2,
    stock_status: 'instock',
    image: null,
    attributes: [{ id: 0, name: 'Größe', slug: 'grosse', option: size }],
    name: size,
    parent_id: parent,
    ...members,
  };
}

/** A coupon, with the addresses of people that nobody should ask for. */
export function coupon(id: number, code: string, members: Row = {}): Row {
  return {
    id,
    code,
    amount: '10.00',
    status: 'publish',
    date_created_gmt: '2026-01-01T10:00:00',
    date_expires: null,
    date_expires_gmt: null,
    discount_type: 'percent',
    description: '',
    usage_count: 2,
    usage_limit: null,
    free_shipping: false,
    email_restrictions: ['*@verein.example', 'anna@example.test'],
    used_by: ['kunde1@example.test'],
    ...members,
  };
}
