import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { BehindEdge, Send } from './behind-edge.ts';
import { sender, startBehindEdge, tagOf } from './behind-edge.ts';
import type { Edge } from './edge.ts';
import type { PlainRequest } from './plain-request.ts';
import { open, sendPlain } from './plain-request.ts';

const BASE = '/api/brand/v1';
const PRODUCTS = `${BASE}/products`;
const PROFILE = `${BASE}/profile`;
const NOBODY = '01890000-0000-7000-8000-000000000000';
const ENCODINGS = ['gzip', 'br', 'zstd'] as const;
const MIB = 1024 * 1024;

let service: BehindEdge;
let edge: Edge;
let send: Send;

beforeAll(async () => {
  service = await startBehindEdge();
  ({ edge, send } = service);
});

afterAll(async () => {
  await service.stop();
});

const list = z.object({ products: z.array(z.object({ title: z.string() })) });

/** The tag of the profile as the service gives it. */
async function profileTag(): Promise<string> {
  const headers = { 'Accept-Encoding': 'identity' };
  const tag = tagOf(await send('GET', PROFILE, { headers }));
  expect(tag).toMatch(/^"[^"]+"$/);
  return tag;
}

/** What Cloudflare adds to a request, and overwrites if a client sends it. */
const FORGED = {
  'CF-Connecting-IP': '203.0.113.7',
  'CF-Ray': 'forged',
  'X-Forwarded-Proto': 'gopher',
};

describe('The simulated edge', () => {
  it.each(ENCODINGS)(
    'compresses with %s, makes the tag weak and drops the length',
    async (encoding) => {
      const tag = await profileTag();
      const response = await send('GET', PROFILE, { headers: { 'Accept-Encoding': encoding } });
      const { headers, size, text: json } = response;
      expect(headers.get('Content-Encoding')).toBe(encoding);
      expect(headers.get('Vary')).toBe('accept-encoding');
      expect(headers.has('Content-Length')).toBe(false);
      expect(tagOf(response)).toBe(`W/${tag}`);
      expect(size).toBeLessThan(json.length);
      expect(JSON.parse(json)).toHaveProperty('brand.brandName', 'Raw');
    },
  );

  it.each(['', 'identity', 'gzip;q=0, *;q=0', 'deflate'])(
    'leaves a response alone for %o',
    async (accepted) => {
      const tag = await profileTag();
      const response = await send('GET', PROFILE, { headers: { 'Accept-Encoding': accepted } });
      expect(response.headers.has('Content-Encoding')).toBe(false);
      expect(response.headers.get('Content-Length')).toBe(String(response.size));
      expect(tagOf(response)).toBe(tag);
    },
  );

  it('compresses neither 201 nor short responses', async () => {
    const created = await send('POST', PRODUCTS, { body: '{"title":"a","priceCents":1}' });
    const unknown = await send('GET', `${PRODUCTS}/${NOBODY}`);
    expect([created.status, unknown.status]).toEqual([201, 404]);
    for (const { headers } of [created, unknown]) {
      expect(headers.has('Content-Encoding')).toBe(false);
    }
  });

  it('adds its headers and overwrites those of the client', async () => {
    const { headers } = await send('GET', PROFILE, {
      headers: {
        ...FORGED,
        'X-Forwarded-For': '198.51.100.1',
        'a.b': 'c',
        Connection: 'close, x-hop',
        'X-Hop': '1',
      },
    });
    const received = edge.forwarded.at(-1)?.headers;
    expect(received?.get('cf-connecting-ip')).toBe('127.0.0.1');
    expect(received?.get('cf-ray')).toBe(headers.get('CF-Ray'));
    expect(received?.get('x-forwarded-proto')).toBe('http');
    expect(received?.get('x-forwarded-for')).toBe('198.51.100.1,127.0.0.1');
    expect(received?.has('a.b')).toBe(false);
    expect(received?.has('x-hop')).toBe(false);
    expect(headers.get('Server')).toBe('cloudflare');
  });

  it.each<[string, PlainRequest, number]>([
    [
      'a body above 100 MB',
      { method: 'POST', path: PRODUCTS, headers: { 'Content-Length': String(101 * MIB) } },
      413,
    ],
    ['a URL above 16 KB', { path: `${PRODUCTS}?sku=${'a'.repeat(17_000)}` }, 414],
    ['headers above 128 KB', { path: PRODUCTS, headers: { 'X-Long': 'a'.repeat(140_000) } }, 431],
  ])('refuses %s by itself, in HTML', async (_, request, status) => {
    const before = edge.forwarded.length;
    const refused = await sendPlain(edge.url, request);
    expect(refused.status).toBe(status);
    expect(refused.headers.get('Content-Type')).toBe('text/html');
    expect(edge.forwarded).toHaveLength(before);
  });
});

describe('A complete list of 4,000 products', () => {
  const COUNT = 4000;
  let titles: string[];
  let apiKey: string;
  let send: Send;

  beforeAll(async () => {
    apiKey = await service.server.newBrand();
    send = sender(edge.url, apiKey);
    titles = Array.from({ length: COUNT }, (_, index) => `Number ${index}`);
    for (let start = 0; start < COUNT; start += 500) {
      const products = titles.slice(start, start + 500).map((title) => ({ title, priceCents: 1 }));
      const { status } = await send('POST', PRODUCTS, { body: JSON.stringify({ products }) });
      expect(status).toBe(201);
    }
  });

  it.each([...ENCODINGS, 'identity'])('arrives complete with %s', async (encoding) => {
    const {
      status,
      headers,
      text: json,
    } = await send('GET', PRODUCTS, { headers: { 'Accept-Encoding': encoding } });
    expect(status).toBe(200);
    expect(headers.get('Content-Encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(headers.has('Content-Length')).toBe(false);
    const { products } = list.parse(JSON.parse(json));
    expect(products.map(({ title }) => title)).toEqual(titles);
  });

  // A busy machine may run this process only after the service has finished.
  it('starts before the service has read all of it', { retry: 3 }, async () => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Accept-Encoding': 'gzip' };
    const incoming = await open(edge.url, { path: PRODUCTS, headers });
    const decoded = incoming.pipe(createGunzip());
    await once(decoded, 'readable');
    expect(edge.forwarded.at(-1)?.isAnswered).toBe(false);
    const { products } = list.parse(JSON.parse(await text(decoded)));
    expect(products).toHaveLength(COUNT);
    expect(edge.forwarded.at(-1)?.isAnswered).toBe(true);
  });

  it('is paged by Link, whose URL has the host of the request', async () => {
    const seen: string[] = [];
    let path: string | undefined = `${PRODUCTS}?limit=250`;
    while (path !== undefined) {
      const { headers, text: json } = await send('GET', path, {
        headers: { Host: 'api.example.com' },
      });
      seen.push(...list.parse(JSON.parse(json)).products.map(({ title }) => title));
      const link = /^<(.+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
      const next: URL | undefined = link === undefined ? undefined : new URL(link);
      if (next) expect(next.host).toBe('api.example.com');
      path = next && next.pathname + next.search;
    }
    expect(seen).toEqual(titles);
  });
});

describe('A retry with the same Idempotency-Key', () => {
  it('is replayed in every form that the edge produces', async () => {
    const body = JSON.stringify({ title: 'Once', priceCents: 1 });
    const key = { 'Idempotency-Key': 'edge-1' };
    const variants: readonly (readonly [string, Record<string, string>])[] = [
      [PRODUCTS, { 'Accept-Encoding': 'gzip' }],
      [PRODUCTS, { 'Accept-Encoding': 'identity' }],
      [PRODUCTS, { 'Transfer-Encoding': 'chunked' }],
      [PRODUCTS, { Expect: '100-continue' }],
      ['//api/brand//v1/x/../%70roducts', {}],
    ];
    const answers = [];
    for (const [path, headers] of variants) {
      answers.push(await send('POST', path, { body, headers: { ...key, ...headers } }));
    }
    expect(answers.map(({ status }) => status)).toEqual(variants.map(() => 201));
    expect(new Set(answers.map(tagOf)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    const replayed = answers.map(({ headers }) => headers.get('Idempotent-Replayed'));
    expect(replayed).toEqual([null, ...variants.slice(1).map(() => 'true')]);
  });
});

describe('The bookmark', () => {
  it('passes through in both directions', async () => {
    const first = await send('GET', PROFILE);
    const bookmark = first.headers.get('x-d1-bookmark') ?? '';
    expect(bookmark).not.toBe('');
    const second = await send('GET', PROFILE, { headers: { 'x-d1-bookmark': bookmark } });
    expect(second.status).toBe(200);
    expect(edge.forwarded.at(-1)?.headers.get('x-d1-bookmark')).toBe(bookmark);
  });
});

describe('An unusual path', () => {
  it.each([
    // What Cloudflare makes the one path of them is that path to the service.
    [`${BASE}/x/../products`, 200],
    [`${BASE}/%2e/products`, 200],
    [`${BASE}/coupon-codes/%2E%2e/products`, 200],
    ['//api//brand/v1///products', 200],
    ['/api\\brand/v1/products', 200],
    [`${BASE}/%70%72oducts`, 200],
    // The rest stays what it is.
    [`${BASE}/products\\`, 404],
    [`${BASE}/products/`, 404],
    [`${BASE}/products/.`, 404],
    [`${BASE}/products/..`, 404],
    [`${BASE}%2Fproducts`, 404],
    [`${BASE}%2fproducts`, 404],
    [`${BASE}%5cproducts`, 404],
    [`${BASE}/PRODUCTS`, 404],
    [`${BASE}/products;v=1`, 404],
    [`${BASE}/products%00`, 404],
    [`${BASE}/products%3flimit=1`, 404],
    [`${BASE}/products/${NOBODY.toUpperCase()}/..%2f`, 404],
    [`${BASE}/%zz`, 404],
    [`${BASE}/products/%c3%a4`, 404],
  ])('%s: %i', async (path, status) => {
    const response = await send('GET', path);
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    const body: unknown = JSON.parse(response.text);
    if (status === 200) expect(list.safeParse(body).success).toBe(true);
    else expect(body).toHaveProperty('error', expect.stringMatching(/^(?:Product n|N)ot found\.$/));
  });
});

describe('An error', () => {
  const error = z.strictObject({ error: z.string().min(1) });

  it.each<[number, string, string, Omit<PlainRequest, 'path'>]>([
    [400, 'POST', PRODUCTS, { body: '{' }],
    [
      400,
      'POST',
      PRODUCTS,
      { body: JSON.stringify({ products: Array.from({ length: 100 }, () => ({})) }) },
    ],
    [400, 'GET', `${PRODUCTS}?limit=0`, {}],
    [400, 'GET', PROFILE, { headers: { 'If-None-Match': 'W/a' } }],
    [401, 'GET', PRODUCTS, { headers: { Authorization: '' } }],
    [404, 'GET', `${PRODUCTS}/${NOBODY}`, {}],
    [405, 'DELETE', PRODUCTS, {}],
    [412, 'PATCH', PROFILE, { body: '{}', headers: { 'If-Match': 'W/"a"' } }],
    [413, 'POST', PRODUCTS, { body: ' '.repeat(3 * MIB) }],
    [
      413,
      'POST',
      PRODUCTS,
      { body: ' '.repeat(3 * MIB), headers: { 'Transfer-Encoding': 'chunked' } },
    ],
  ])('%i stays exact: %s %s', async (status, method, path, options) => {
    for (const encoding of [...ENCODINGS, 'identity']) {
      const headers = { ...options.headers, 'Accept-Encoding': encoding };
      const response = await send(method, path, { ...options, headers });
      expect(response.status).toBe(status);
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.get('X-Request-Id')).toBeTruthy();
      expect(error.safeParse(JSON.parse(response.text)).success, response.text).toBe(true);
    }
  });
});

describe('Through the edge', () => {
  it('HEAD has the headers of GET and no body', async () => {
    for (const path of [PROFILE, PRODUCTS, `${BASE}/openapi.json`]) {
      const accepted = { headers: { 'Accept-Encoding': 'identity' } };
      const get = await send('GET', path, accepted);
      const head = await send('HEAD', path);
      expect([head.status, head.size]).toEqual([200, 0]);
      for (const name of ['ETag', 'Content-Type', 'Cache-Control', 'RateLimit-Policy']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    }
  });

  it('OPTIONS has Allow and no body', async () => {
    const { status, headers, size } = await send('OPTIONS', `${PRODUCTS}/${NOBODY}`);
    expect([status, size]).toEqual([204, 0]);
    expect(headers.get('Allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect(headers.has('Content-Encoding')).toBe(false);
  });

  it.each([PRODUCTS, `${BASE}/openapi.json`])('Range gets the whole of %s', async (path) => {
    const whole = await send('GET', path);
    const ranged = await send('GET', path, { headers: { Range: 'bytes=0-9' } });
    expect(ranged.status).toBe(200);
    expect(ranged.headers.has('Content-Range')).toBe(false);
    expect(ranged.text).toBe(whole.text);
  });

  it('nothing is cached', async () => {
    for (const path of [PROFILE, PRODUCTS, `${BASE}/openapi.json`]) {
      expect((await send('GET', path)).headers.get('Cache-Control')).toBe('no-store');
    }
  });
});
