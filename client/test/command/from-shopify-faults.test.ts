import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Secrets } from '../../src/stores/secrets.ts';
import { AdminApi } from '../../src/stores/shopify/api.ts';
import { runBulkOperation } from '../../src/stores/shopify/bulk-operation.ts';
import { ALL_PRODUCTS } from '../../src/stores/shopify/queries.ts';
import { settingsIn } from '../../src/stores/shopify/settings.ts';
import { shopify } from '../../src/stores/shopify/store.ts';
import type { Environment } from '../../src/stores/store.ts';
import { commandOf } from './commanded.ts';
import { passed } from './passing-time.ts';
import { readStore, whyUnread } from './read-store.ts';
import type { ShopAnswer } from './shopify/stand-in.ts';
import { brokenOff, inLatin1, StandIn } from './shopify/stand-in.ts';
import { STOP_LIMIT } from './stopping.ts';

// Whatever is wrong with a shop: it is not read, and a sentence says what to do. That a sync changes nothing then is proved with
// WooCommerce.

const APP = { SHOPIFY_ACCESS_TOKEN: undefined, SHOPIFY_CLIENT_ID: 'the-app' };
const CREDENTIALS = { ...APP, SHOPIFY_CLIENT_SECRET: 'shpss_secret' };
const HTML = '<html><body>Something went wrong. shpat_lasting shpss_secret</body></html>';

/** What is wrong with a shop, and what else its environment has. */
type Fault = (shop: StandIn) => Readonly<Record<string, string | undefined>> | undefined;

/** Answers each request that names this operation; by default all of them. */
function answers(answer: ShopAnswer, name?: string): Fault {
  return (shop) => {
    shop.faults.answer = (request) =>
      name === undefined || request.name === name ? answer : undefined;
    return undefined;
  };
}

/** Refuses the credentials of an app. */
function refuses(status: number, error: string): Fault {
  return (shop) => {
    answers({ status, body: `<html>Oauth error ${error}: shpss_secret</html>` }, 'token')(shop);
    return CREDENTIALS;
  };
}

function ends(end: Record<string, unknown>): Fault {
  return (shop) => {
    shop.faults.end = end;
    return undefined;
  };
}

function graphqlError(code: string, message = 'Refused'): ShopAnswer {
  return { status: 200, body: { errors: [{ message, extensions: { code } }] } };
}

/** Gives this answer to the first request. */
function once(answer: ShopAnswer): (shop: StandIn) => void {
  return (shop) => {
    let given = false;
    shop.faults.answer = () => {
      if (given) return undefined;
      given = true;
      return answer;
    };
  };
}

/** Lets the connection break off so many times within the file. */
function breaksOff(times: number): (shop: StandIn) => void {
  return (shop) => {
    let left = times;
    shop.faults.sent = (text) => (left-- > 0 ? brokenOff(text) : text);
  };
}

const FAULTS: readonly (readonly [string, Fault, RegExp])[] = [
  [
    'a wrong token',
    () => ({ SHOPIFY_ACCESS_TOKEN: 'shpat_wrong' }),
    /does not accept the token in SHOPIFY_ACCESS_TOKEN\. It may be revoked.* \(status 401\)\. It says: "\[API\] Invalid API key or access token/,
  ],
  ['a frozen shop', answers({ status: 402, body: HTML }), /is frozen \(status 402\)/],
  ['a forbidden app', answers({ status: 403, body: HTML }), /forbids .* scopes read_products/],
  [
    'a token that it no longer accepts',
    answers({
      status: 403,
      body: { errors: '[API] Non-expiring access tokens are no longer accepted: shpat_lasting.' },
    }),
    /\(status 403\)\. .* It says: "\[API\] Non-expiring access tokens are no longer accepted: …\."/,
  ],
  [
    'a request that it refuses, with a list of reasons',
    answers({ status: 400, body: { errors: { query: ['is required', 'is too long'] } } }),
    /refuses the request \(status 400\)\. It says: "is required is too long"/,
  ],
  [
    'a reason that has a secret where it is cut',
    answers({ status: 403, body: { errors: `${'x'.repeat(290)} shpat_lasting` } }),
    /It says: "x{290} …"/,
  ],
  [
    'errors that are a text',
    answers({ status: 200, body: { errors: 'Internal error.' } }),
    /does not answer a query\. It says: "Internal error\."/,
  ],
  [
    'letters that are not UTF-8',
    answers({ status: 200, body: inLatin1('{"data":{"shop":{"name":"Caf\u00e9"}}}') }),
    /answered with bytes that are not UTF-8/,
  ],
  ['a wrong name', answers({ status: 404, body: HTML }), /Is SHOPIFY_SHOP right\?/],
  ['a locked shop', answers({ status: 423, body: HTML }), /is locked \(status 423\)/],
  ['a page in place of JSON', answers({ status: 200, body: HTML }), /something that is not JSON/],
  [
    'another name',
    answers({
      status: 302,
      body: '',
      headers: { Location: 'https://first-name.myshopify.com/admin/api/graphql.json' },
    }),
    /Its own name is first-name\.myshopify\.com: set SHOPIFY_SHOP to it\./,
  ],
  [
    'a page to log in',
    answers({ status: 302, body: '', headers: { Location: 'https://accounts.example/login' } }),
    /Set SHOPIFY_SHOP to its own name, which ends in \.myshopify\.com\./,
  ],
  [
    'a missing scope',
    (shop) => {
      shop.scopes = ['read_orders'];
      return undefined;
    },
    /it lacks the scope read_products\. Add it to the app/,
  ],
  [
    'a wrong secret',
    () => ({ ...APP, SHOPIFY_CLIENT_SECRET: 'shpss_wrong' }),
    /does not accept SHOPIFY_CLIENT_ID with SHOPIFY_CLIENT_SECRET \(status 401\)\. .* It says: "invalid_client: client secret …"/,
  ],
  [
    'an unknown app',
    () => ({ ...CREDENTIALS, SHOPIFY_CLIENT_ID: 'another' }),
    /does not accept SHOPIFY_CLIENT_ID with SHOPIFY_CLIENT_SECRET \(status 400\)/,
  ],
  [
    "an app of another's organization",
    refuses(400, 'shop_not_permitted'),
    /belong to different organizations/,
  ],
  [
    'a page whose reason has a secret where it is cut',
    refuses(400, 'x'.repeat(293)),
    /It says: "x{293}: …"/,
  ],
  ['an app that is not installed', refuses(400, 'app_not_installed'), /not installed in the shop/],
  ...[{}, { access_token: '' }, { access_token: 'a\nb' }, { error: 'no shpss_secret' }, HTML].map(
    (body) =>
      [
        `an answer to the question for a token that has none: ${JSON.stringify(body)}`,
        (shop: StandIn) => {
          answers({ status: 200, body }, 'token')(shop);
          return CREDENTIALS;
        },
        /gave no token for SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET \(status 200\)\. Open the app in the Dev Dashboard, /,
      ] as const,
  ),
  ['an error of OAuth', refuses(500, 'oops'), /has an error of its own \(status 500/],
  [
    'a bulk operation that fails for a scope',
    ends({ status: 'FAILED', errorCode: 'ACCESS_DENIED', url: null }),
    /did not let the app read everything\. Give the app the scopes/,
  ],
  [
    'one that fails for its time',
    ends({ status: 'FAILED', errorCode: 'TIMEOUT', url: null, partialDataUrl: 'http://x.example' }),
    /took too long for its own limit/,
  ],
  [
    'one that fails without a reason',
    ends({ status: 'FAILED', url: null }),
    /could not complete its bulk operation \(without a reason\)/,
  ],
  ['one that is canceled', ends({ status: 'CANCELED', url: null }), /canceled by somebody/],
  ['one that has expired', ends({ status: 'EXPIRED', url: null }), /no longer has the result/],
  [
    'one of which there is a part',
    ends({ partialDataUrl: 'http://127.0.0.1:1/part' }),
    /has only a part of the result/,
  ],
  ['one with objects and without a file', ends({ url: null }), /has only a part of the result/],
  [
    'one that disappears',
    answers({ status: 200, body: { data: { bulkOperation: null } } }, 'Operation'),
    /does not know its own bulk operation any more/,
  ],
  [
    'one that is refused',
    answers(
      {
        status: 200,
        body: {
          data: {
            bulkOperationRunQuery: {
              bulkOperation: null,
              userErrors: [{ code: 'INVALID', message: 'Bulk queries need a connection.' }],
            },
          },
        },
      },
      'Start',
    ),
    /does not start a bulk operation: Bulk queries need a connection\./,
  ],
  [
    'a file that lacks lines',
    (shop) => {
      shop.faults.file = (lines) => lines.slice(0, -1);
      return undefined;
    },
    /The file from Shopify has \d+ lines, and it should have \d+\./,
  ],
  [
    'a file with too many lines',
    (shop) => {
      shop.faults.file = (lines) => [...lines, ...lines.slice(-1)];
      return undefined;
    },
    /The file from Shopify has \d+ lines, and it should have \d+\./,
  ],
  [
    'a file that is cut off within its last line',
    (shop) => {
      shop.faults.sent = (text) => text.slice(0, -9);
      return undefined;
    },
    /Line \d+ of the file from Shopify is cut off\./,
  ],
  [
    'a file that is not UTF-8',
    (shop) => {
      shop.faults.sent = inLatin1;
      return undefined;
    },
    /answered with bytes that are not UTF-8/,
  ],
  [
    'a file that breaks off each time',
    (shop) => {
      shop.faults.sent = brokenOff;
      return undefined;
    },
    /gave no complete answer/,
  ],
  [
    'a file at an address without TLS',
    ends({ url: 'http://files.example/file.jsonl' }),
    /an address for the result that is not encrypted/,
  ],
  [
    'a query that it refuses',
    answers(graphqlError('undefinedField', "Field 'x' doesn't exist"), 'AboutShop'),
    /does not answer a query\. It says: "Field 'x' doesn't exist"/,
  ],
  [
    'access that it denies',
    answers(graphqlError('ACCESS_DENIED', 'Access denied for products field.'), 'Start'),
    /read everything\. Give it the scopes read_products and read_discounts\. It says: "Access denied/,
  ],
  ['a shop that is not active', answers(graphqlError('SHOP_INACTIVE')), /is not active/],
];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Reads a shop, while the time of all pauses passes. */
async function read(shop: StandIn, special?: Environment): Promise<unknown> {
  const env = { ...shop.env, ...special };
  return (await passed(readStore(shopify, { env, fetch: shop.fetch }), 100)).result;
}

it.each(FAULTS)(
  'A shop that cannot be read to its end is not read, and what to do is said: %s',
  async (_, fault, sentence) => {
    const shop = await StandIn.start();
    const special = fault(shop);
    const env = { ...shop.env, ...special };
    const why = await whyUnread(shopify, { env, fetch: shop.fetch });
    expect(why).toMatch(sentence);
    expect(why).not.toMatch(/shpat_|shpss_|Signature=abc/);
  },
);

const WHOLE = { items: { length: 48 }, skipped: [], doubts: [] };

it.each<[string, (shop: StandIn) => unknown]>([
  ['queries that are throttled', (shop) => (shop.faults.throttled = 2)],
  ['a file that breaks off', breaksOff(2)],
  ['operations of others', (shop) => (shop.faults.busy = 3)],
  ['an internal error of a query', once(graphqlError('INTERNAL_SERVER_ERROR'))],
])('A shop is read in spite of a fault that passes: %s', async (_, fault) => {
  const shop = await StandIn.start();
  fault(shop);
  expect(await read(shop)).toMatchObject(WHOLE);
});

it('A shop is read in spite of a token of a day that has expired', async () => {
  const shop = await StandIn.start();
  let expired = false;
  shop.faults.answer = ({ name }) => {
    if (name === 'Operation' && !expired) {
      expired = true;
      for (const token of shop.tokens) shop.tokens.delete(token);
    }
    return undefined;
  };
  expect(await read(shop, CREDENTIALS)).toMatchObject(WHOLE);
  expect(shop.asked.filter((name) => name === 'token')).toHaveLength(2);
});

it('A bulk operation whose start was not answered is started again', async () => {
  const shop = await StandIn.start();
  let isLost = false;
  const losing: typeof fetch = async (input, init) => {
    const response = await shop.fetch(input, init);
    if (isLost || shop.asked.at(-1) !== 'Start') return response;
    isLost = true;
    throw new TypeError('fetch failed');
  };
  const { result } = await passed(readStore(shopify, { env: shop.env, fetch: losing }), 100);
  expect(result).toMatchObject(WHOLE);
  expect(shop.mutations).toHaveLength(2);
});

it('A version of the API that Shopify no longer serves is named, and the shop is read', async () => {
  const shop = await StandIn.start();
  shop.version = '2027-01';
  const notes: unknown = expect.arrayContaining([
    expect.stringMatching(/answered in 2027-01: ask for a newer brand-integration-client\./),
  ]);
  expect(await read(shop)).toMatchObject({ ...WHOLE, notes });
});

it('A token of a day that the shop sends back is not shown', async () => {
  const shop = await StandIn.start();
  shop.faults.answer = ({ name, headers }) =>
    name === 'AboutShop'
      ? graphqlError('X', `No: ${String(headers.get('x-shopify-access-token'))}`)
      : undefined;
  const env = { ...shop.env, ...CREDENTIALS };
  expect(await whyUnread(shopify, { env, fetch: shop.fetch })).toMatch(
    /does not answer a query\. It says: "No: …"/,
  );
});

it('Progress is reported while operations of others are waited for', async () => {
  const shop = await StandIn.start();
  shop.faults.busy = 2;
  const { env, fetch } = shop;
  const { signal } = new AbortController();
  const api = new AdminApi(settingsIn(env), { fetch, signal, secrets: new Secrets() });
  const counts: number[] = [];
  const onCount = (count: number): unknown => counts.push(count);
  await passed(runBulkOperation(api, ALL_PRODUCTS, { signal, onCount }), 100);
  expect(counts.slice(0, 3)).toEqual([0, 0, 0]);
});

it('Operations of others that do not end are an error after a quarter of an hour', async () => {
  const shop = await StandIn.start();
  shop.faults.busy = Infinity;
  const { result, time } = await passed(readStore(shopify, shop));
  expect(String(result)).toContain(
    'is still busy with other bulk operations of this app. Run the command again when they have ended',
  );
  expect(time).toBeGreaterThan(15 * 60_000);
  expect(time).toBeLessThan(16 * 60_000);
});

it('A signal ends the wait for a bulk operation at once', async () => {
  const shop = await StandIn.start();
  shop.faults.end = { status: 'RUNNING', url: null };
  const controller = new AbortController();
  const { signal } = controller;
  let abortedAt = Infinity;
  shop.faults.answer = ({ name }) => {
    if (name === 'Operation') {
      abortedAt = Date.now();
      controller.abort();
    }
    return undefined;
  };
  const { result } = await passed(readStore(shopify, shop, { signal }), 100);
  expect(result).toBe(signal.reason);
  expect(Date.now() - abortedAt).toBeLessThan(STOP_LIMIT);
});

it.each<[string, Record<string, string | undefined>, RegExp]>([
  ['no shop', { SHOPIFY_SHOP: undefined }, /Which shop\? Set .* SHOPIFY_SHOP/],
  [
    "the customers' domain",
    { SHOPIFY_SHOP: 'shop.example' },
    /SHOPIFY_SHOP is the shop's own name/,
  ],
  ['a name alone', { SHOPIFY_SHOP: 'name' }, /such as name\.myshopify\.com/],
  ['another host', { SHOPIFY_SHOP: 'a.myshopify.com.evil.example' }, /the shop's own name/],
  ['no credentials', { SHOPIFY_ACCESS_TOKEN: undefined }, /Set SHOPIFY_ACCESS_TOKEN to a lasting/],
  ['an id without its secret', APP, /SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET/],
  [
    'both kinds',
    { SHOPIFY_CLIENT_ID: 'a', SHOPIFY_CLIENT_SECRET: 'shpss_b' },
    /and not all of them/,
  ],
  ['a broken token', { SHOPIFY_ACCESS_TOKEN: 'shpat_x\ny' }, /has a character that no key has/],
])('A shop or credentials that are wrong are wrong usage: %s', async (_, env, sentence) => {
  const shop = { SHOPIFY_SHOP: 'name.myshopify.com', SHOPIFY_ACCESS_TOKEN: 'shpat_lasting' };
  const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
  const words = ['read', '--from', 'shopify'];
  const { code, stderr } = await command(words, { env: { ...shop, ...env } });
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  expect(stderr).not.toMatch(/shpat_|shpss_/);
});
