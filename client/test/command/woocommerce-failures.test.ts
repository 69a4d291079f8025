import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { woocommerce as platform } from '../../src/stores/woocommerce/store.ts';
import { freePort } from '../../../test/node/processes.ts';
import { commandOf } from './commanded.ts';
import { listening } from './listening.ts';
import { passed } from './passing-time.ts';
import { whyUnread } from './read-store.ts';
import { STOP_LIMIT } from './stopping.ts';
import { connectedStore, containing } from './woocommerce-shop.ts';
import type { Asked, Fault, StandIn } from './woocommerce-stand-in.ts';
import {
  KEY,
  PAGE,
  product,
  SECRET,
  variableProduct,
  variation,
  woocommerce,
  woocommerceAt,
} from './woocommerce-stand-in.ts';

const JSON_TYPE = { 'Content-Type': 'application/json', 'X-WP-Total': '250' };

function pageOf({ path, query }: Asked): number | undefined {
  return path === '/products' ? Number(query.get('page')) : undefined;
}

/** Answers page two of the products in another way. */
function onPageTwo(fault: Fault | ((store: StandIn) => Fault)): (store: StandIn) => void {
  return (store) => {
    store.onRequest = (asked) => {
      if (pageOf(asked) !== 2) return undefined;
      return typeof fault === 'function' ? fault(store) : fault;
    };
  };
}

/** Answers each question in the same way. */
function always(fault: Fault): (store: StandIn) => void {
  return (store) => {
    store.onRequest = () => fault;
  };
}

/** Answers the first question in another way. */
function onFirst(fault: Fault): (store: StandIn) => void {
  return (store) => {
    store.onRequest = ({ path }) => (path.includes('currencies') ? fault : undefined);
  };
}

/** Gives none of the products, and counts them. */
const none = (store: StandIn): void => {
  for (const { id } of store.products.slice(0, 200)) store.broken.add(id);
};

const FAILURES: readonly (readonly [
  name: string,
  breakIt: (store: StandIn) => void,
  says: RegExp,
])[] = [
  ['a page of HTML', onPageTwo({ body: PAGE }), /no JSON, but "<!DOCTYPE html>.*firewall/],
  ['half a JSON text', onPageTwo({ body: '[{"id":101', headers: JSON_TYPE }), /no JSON, but "\[/],
  ['two empty pages of three', none, /gave only 0 of 200 products, 3 times in a row/],
  [
    'page one as page two',
    onPageTwo((store) => ({
      body: JSON.stringify(store.products.slice(0, 100)),
      headers: JSON_TYPE,
    })),
    /gave its first page of products again as page 2\. .*drop the query.*try_files/,
  ],
  ['a page without the total', onPageTwo({ body: '[{"id":101}]' }), /X-WP-Total/],
  ['a list of texts', onPageTwo({ body: '["a"]', headers: JSON_TYPE }), /no list/],
  [
    'an object in place of a list',
    onPageTwo({ body: '{"data":[]}', headers: JSON_TYPE }),
    /no list/,
  ],
  [
    'a total that keeps moving',
    (store) => {
      store.onRequest = (asked) => {
        if (pageOf(asked) === 2) store.products = store.products.slice(1);
        return undefined;
      };
    },
    /had 248 products and then 247 while they were read, 3 times in a row/,
  ],
  [
    'maintenance',
    onPageTwo({ status: 503, headers: { 'Retry-After': '600' }, body: '<html>Maintenance</html>' }),
    /maintenance.*in 10 minutes/,
  ],
  [
    'a firewall',
    onPageTwo({ status: 403, body: '<html>Attention Required! | Cloudflare</html>' }),
    /refuses the request \(403\): "<html>Attention.*A firewall.*User-Agent brand-integration/,
  ],
  [
    'a firewall that finds something wrong',
    onPageTwo({ status: 406, body: '<html>Not Acceptable! Mod_Security</html>' }),
    /refuses the request \(406\): "<html>Not Acceptable.*A firewall.*\/wp-json\/wc\/v3/,
  ],
  [
    'a firewall with a status of its own',
    onPageTwo({ status: 455, body: '<html>Blocked</html>' }),
    /refuses the request \(455\): .*A firewall/,
  ],
  [
    'a page for browsers, from a host with 200',
    onFirst({ body: '<html><body><script type="text/javascript" src="/aes.js" ></script>' }),
    /refuses the request \(200\): "<html>.*aes\.js.*A firewall blocks/,
  ],
  [
    'a page for browsers, from a host with 202',
    onPageTwo({ status: 202, body: '<html><head><meta content="0;/.well-known/sgcaptcha/">' }),
    /refuses the request \(202\): "<html>.*A firewall blocks/,
  ],
  ...[200, 415].map((status): (typeof FAILURES)[number] => [
    `the refusal of a firewall in JSON, with ${status}`,
    onPageTwo({ status, body: '{"message":"Access denied by Imunify360 bot-protection."}' }),
    new RegExp(`refuses the request \\(${status}\\): "Access denied by Imunify360 .*A firewall`),
  ]),
  [
    'the status of what has not changed',
    onPageTwo({ status: 304 }),
    /answered with the status 304 .*A cache in between/,
  ],
  [
    'a redirect to the same address',
    (store) => {
      store.onRequest = ({ path, query }) => ({
        status: 307,
        headers: { Location: `${store.url}/wp-json/wc/v3${path}?${query.toString()}` },
      });
    },
    /redirects to the same address \(status 307\)\. A firewall/,
  ],
  [
    'a password before the site',
    onPageTwo({ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="staging"' } }),
    /refuses the request \(401\): nothing\. The web server asks for a password of its own/,
  ],
  [
    'an API that is switched off',
    onFirst({ status: 404, body: '{"code":"rest_disabled","message":"Aus"}' }),
    /does not say which currency .*\(404 rest_disabled\)\. A plugin .*switched off/,
  ],
  [
    'a part of the API that is switched off',
    onFirst({ status: 404, body: '{"code":"rest_no_route","message":"Keine Route"}' }),
    /does not say which currency .*\(404 rest_no_route\)\. A plugin .*switched off/,
  ],
  [
    'a list that is switched off',
    (store) => {
      store.onRequest = ({ path }) =>
        path === '/products' ? { status: 404, body: '{"code":"rest_no_route"}' } : undefined;
    },
    /has no list of products \(404 rest_no_route\)\. A plugin .*switched off/,
  ],
  [
    'nothing to the user of the key',
    always({ status: 403, body: '{"code":"woocommerce_rest_cannot_view","message":"Sorry"}' }),
    /user of this key.*administrator or a shop manager/,
  ],
  [
    'no API, because WooCommerce is not active',
    always({ status: 404, body: '{"code":"rest_no_route","message":"Keine Route"}' }),
    /WordPress without WooCommerce/,
  ],
  [
    'a plugin that refuses',
    onPageTwo({ status: 401, body: '{"code":"rest_disabled","message":"Gesperrt"}' }),
    /refuses the request \(401 rest_disabled\): "Gesperrt"\. A plugin .*switched off/,
  ],
  [
    'variations that come twice',
    (store) => {
      store.products.push(variableProduct(900, [901]));
      store.variations = [variation(901, 900, '38'), variation(901, 900, '39')];
    },
    /variations of product 900 twice/,
  ],
  ...['IRT', 'BTC', 'IRHT'].map((code): (typeof FAILURES)[number] => [
    `prices in a currency that the service does not know: ${code}`,
    onFirst({ body: JSON.stringify({ code }) }),
    new RegExp(`^The currency "${code}" has no code of ISO 4217, so the service cannot`),
  ]),
  [
    'no currency',
    (store) => {
      store.onRequest = ({ path }) =>
        path.includes('currencies') ? { body: '{"code":""}' } : undefined;
    },
    /does not say which currency/,
  ],
];

/** A store with three pages of products. */
async function shopOf250(): Promise<StandIn> {
  const store = await woocommerce();
  store.products = Array.from({ length: 250 }, (_, index) => product(index + 1));
  return store;
}

describe('stores that are not read', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(FAILURES)(
    'A store of WooCommerce is not read if its answers are wrong: it gives %s',
    async (_, breakIt, says) => {
      const store = await shopOf250();
      breakIt(store);
      expect(await whyUnread(platform, store)).toMatch(says);
    },
  );

  it.each([
    [
      'a wrong secret',
      () => ({ WOOCOMMERCE_SECRET: 'cs_wrong' }),
      /refuses the key \(401\): "Consumer secret is invalid\." Check WOOCOMMERCE_SECRET/,
    ],
    [
      'an unknown key',
      () => ({ WOOCOMMERCE_KEY: 'ck_wrong' }),
      /did not see a key that it knows.*HTTPS.*Authorization.*: SetEnvIf Authorization "\(\.\*\)" HTTP_AUTHORIZATION=\$1$/,
    ],
    [
      'an address without a store',
      (url: string) => ({ WOOCOMMERCE_URL: `${url}/elsewhere` }),
      /has no API of WordPress.*Is WOOCOMMERCE_URL/,
    ],
  ])('A store of WooCommerce is not read with wrong variables: %s', async (_, special, says) => {
    const { env, url, fetch } = await woocommerce();
    expect(await whyUnread(platform, { env: { ...env, ...special(url) }, fetch })).toMatch(says);
  });

  it('A store of WooCommerce is not read if nothing listens at its address, which is said', async () => {
    const { env } = woocommerceAt(`http://127.0.0.1:${await freePort()}`);
    // Over the network, where the connection is refused.
    expect(await whyUnread(platform, { env, fetch })).toMatch(
      /gave no complete answer\. Nothing listens there\. .*ECONNREFUSED/,
    );
  });
});

it('`sync --from woocommerce` changes nothing if it cannot read the store', async () => {
  const { store, client, sync, products } = await connectedStore();
  await client.products.push(
    [{ title: 'Old', priceCents: 1, storeVariantId: '1', source: 'WOOCOMMERCE' }],
    { match: 'storeVariantId' },
  );
  store.products = (await shopOf250()).products;
  onPageTwo({ body: PAGE })(store);

  const { code, stderr } = await sync(['--delete']);

  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*no JSON, but [^\n]*\n$/)]);
  expect(await products()).toMatchObject([{ title: 'Old' }]);
});

it.each([
  ['WOOCOMMERCE_URL', { WOOCOMMERCE_URL: '' }, /WOOCOMMERCE_URL is not set/],
  [
    'the key and the secret',
    { WOOCOMMERCE_KEY: '', WOOCOMMERCE_SECRET: ' ' },
    /WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET are not set/,
  ],
  [
    'the scheme of the address',
    { WOOCOMMERCE_URL: 'shop.example' },
    /is not the address of the shop, such as/,
  ],
  [
    'TLS',
    { WOOCOMMERCE_URL: 'http://shop.example/shop/' },
    /Set WOOCOMMERCE_URL to https:\/\/shop\.example\/shop\./,
  ],
  [
    'TLS at an address of this machine that a proxy would be asked for',
    { WOOCOMMERCE_URL: 'http://127.0.0.2:9' },
    /Set WOOCOMMERCE_URL to https:\/\/127\.0\.0\.2/,
  ],
])(
  '`sync --from woocommerce` changes nothing without its variables, which is wrong usage: %s',
  async (_, env, says) => {
    const { store, sync } = await connectedStore();
    const { code, stderr } = await sync([], { env });

    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(store.asked).toEqual([]);
  },
);

it('A request to WooCommerce says who asks, and that no cache is to answer', async () => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    const { 'user-agent': agent, 'cache-control': cache } = request.headers;
    asked.push([agent, cache]);
    response.writeHead(403).end();
  });
  const url = await listening(server);
  const { sync } = await connectedStore();

  await sync([], { env: { WOOCOMMERCE_URL: url } });

  expect(asked).toEqual([['brand-integration', 'no-cache']]);
});

it.each([
  ['shown on a terminal', true],
  ['not shown elsewhere', false],
])(
  'A request to WooCommerce has a pause that is shown on a terminal alone: %s',
  async (_, hasTerminal) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = await woocommerce();
    store.products = [product(1)];
    let isLimited = true;
    store.onRequest = () => {
      const fault = isLimited ? { status: 429, headers: { 'Retry-After': '2' } } : undefined;
      isLimited = false;
      return fault;
    };

    const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
    const special = { env: store.env, fetch: store.fetch, hasTerminal };
    const { result } = await passed(command(['read', '--from', 'woocommerce'], special), 100);

    const pause = 'Waiting 2 seconds before the store is asked again.\n';
    expect(result).toMatchObject({
      code: 0,
      stderr: hasTerminal ? containing(pause) : '',
    });
  },
);

it('A request to WooCommerce is not repeated elsewhere if it is redirected, and its key stays', async () => {
  const asked: unknown[] = [];
  const other = createServer((request, response) => {
    asked.push(request.headers);
    response.end('[]');
  });
  const elsewhere = (await listening(other)).replace('127.0.0.1', 'localhost');
  const { store, sync } = await connectedStore({ folder: '/shop' });
  store.onRequest = ({ path }) => ({
    status: 301,
    headers: { Location: `${elsewhere}/laden/wp-json/wc/v3${path}?_fields=code` },
  });

  // Over the network, where `fetch` itself can follow.
  const { code, stderr } = await sync([], { fetch });

  expect(stderr).toContain(`Set WOOCOMMERCE_URL to ${elsewhere}/laden.`);
  expect(code).toBe(1);
  expect(asked).toEqual([]);
});

it('A request to WooCommerce shows and records no part of a secret that stands where a text is cut', async () => {
  const { store, client, sync } = await connectedStore();
  const basic = btoa(`${KEY}:${SECRET}`);
  for (const secret of [KEY, SECRET, basic, basic.slice(9, 90)]) {
    const message = `${'x'.repeat(157)} ${secret}`;
    store.onRequest = () => ({
      status: 403,
      body: JSON.stringify({ code: 'rest_forbidden', message }),
    });
    const { code, stderr, stdout } = await sync(['--record', '--json']);
    const { data } = await client.profile.get();
    const shown = `${stdout} ${stderr} ${data.connection.lastSyncError ?? ''}`;
    expect([code, shown]).toEqual([1, expect.stringContaining('x'.repeat(157))]);
    for (let at = 0; at + 8 <= secret.length; at++) {
      expect(shown).not.toContain(secret.slice(at, at + 8));
    }
  }
});

it.each(['before its answer', 'within its answer'])(
  'A request to WooCommerce ends within two seconds after a signal: %s',
  async (when) => {
    const end = new AbortController();
    let abortedAt = Infinity;
    const hanging = createServer((_, response) => {
      if (when === 'within its answer') response.write('[');
      setTimeout(() => {
        abortedAt = Date.now();
        end.abort();
      }, 300);
    });
    const url = await listening(hanging);
    const { sync } = await connectedStore();

    const { code, stderr } = await sync([], {
      env: { WOOCOMMERCE_URL: url },
      signal: end.signal,
    });

    expect(stderr).toMatch(/Stopped/);
    expect(code).toBe(1);
    expect(Date.now() - abortedAt).toBeLessThan(STOP_LIMIT);
  },
);
