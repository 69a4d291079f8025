import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CALLS, ID, ITEM } from './client-calls.ts';
import { connectNowhere } from './connected.ts';
import type { Delivery } from './faulty-network.ts';
import { all, failure } from './outcomes.ts';

// What a client does if something else answers than the service: a proxy, a cache, a captive portal, a wrong address.

const OPERATIONS = Object.entries(CALLS);

const json = (body: unknown, status = 200): Response => Response.json(body, { status });

// Followed, 301 to 303 turn a write into a GET whose 200 looks like success, and some runtimes send the key along.
it.each(OPERATIONS)('A redirect is an error that names the new address: %s', async (_, call) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const headers = { Location: 'https://other.example.net/' };
    const { client, network } = connectNowhere({}, new Response(null, { status, headers }));
    const error = await failure(call(client));
    expect(error.status).toBe(status);
    expect(error.message).toContain('https://other.example.net/');
    expect(network.sent).toHaveLength(1);
  }
});

it('A redirect is not followed by fetch', async () => {
  const modes: (string | undefined)[] = [];
  const { client } = connectNowhere({
    fetch: async (_, init) => {
      modes.push(init?.redirect);
      return Promise.resolve(json({ brand: {} }));
    },
  });
  await client.profile.get();
  expect(modes).toEqual(['manual']);
});

/** Returns a text in ISO 8859-1. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

it.each(OPERATIONS)(
  'An answer of something else is an error, not an empty success: %s',
  async (_, call) => {
    for (const body of ['{}', '[]', 'null', '"x"', '1', '', '<html>']) {
      const error = await failure(call(connectNowhere({}, new Response(body)).client));
      expect(error.status).toBe(200);
      expect(error.message).toMatch(/^The response has no \w+/);
    }
  },
);

it('An answer of something else is shown by its beginning, which says that it is cut', async () => {
  // The command hides what was cut of a key there.
  const { client } = connectNowhere({}, new Response('x'.repeat(300), { status: 403 }));
  expect((await failure(client.products.get(ID))).message).toBe(`${'x'.repeat(200)}…`);
});

it('An answer in another encoding is an error too, because a letter of it would be lost', async () => {
  const body = latin1('{"product":{"title":"Caf\u00e9"}}');
  const error = await failure(connectNowhere({}, new Response(body)).client.products.get(ID));
  expect([error.status, error.message]).toEqual([
    200,
    'The response has no JSON. Is the address of the service right?',
  ]);
  const list = latin1('{"products":[{"sku":"A","title":"Caf\u00e9"}]}');
  const { client } = connectNowhere({}, ...Array.from({ length: 3 }, () => new Response(list)));
  const items = [{ sku: 'A', title: 'Caf\u00e9' }];
  const ended = await failure(client.products.sync(items, { match: 'sku' }));
  expect(ended.message).toBe('The list of products is not in UTF-8.');
});

it('An error in another encoding says what can be read of it', async () => {
  const body = latin1('Acc\u00e8s refus\u00e9');
  const { client } = connectNowhere({}, new Response(body, { status: 403 }));
  expect((await failure(client.profile.get())).message).toMatch(/^Acc.s refus.$/);
});

const page = { products: [], deletedProductIds: [], since: 't' };
it.each([
  ...[null, {}, 'ab', [null]].map(
    (products) => ['list', { products }, 'no list of products'] as const,
  ),
  ['get', { product: 3 }, 'The response has no product.'],
  ['get', { product: null }, 'The response has no product.'],
  ['list', { products: [3] }, 'no list of products'],
  ['changes', { ...page, deletedProductIds: undefined }, 'no list of deletedProductIds'],
  ['changes', { ...page, since: undefined }, 'no since'],
  ['changes', { ...page, since: 5 }, 'no since'],
  ['createMany', { products: [] }, '0 of 1 products'],
  ['push', { products: [], results: [] }, '0 of 1 results'],
  ['push', { products: [], results: [{}, {}] }, '2 of 1 results'],
  ['push', { products: [], results: [null] }, 'no list of results'],
] as const)(
  'An answer without what was asked for is no success: %s, %j',
  async (name, body, message) => {
    const { client } = connectNowhere({}, json(body));
    const call = CALLS[name] ?? expect.fail();
    expect((await failure(call(client))).message).toContain(message);
  },
);

it.each([
  ['list', 1],
  ['changes', 3],
] as const)(
  'An answer with links that come back does not make a loop endless: %s',
  async (name, count) => {
    const pages = Array.from({ length: 9 }, (_, index) => {
      const Link = `<https://api.example.com/x?cursor=${index % count}>; rel="next"`;
      return Response.json(page, { headers: { Link } });
    });
    const { client, network } = connectNowhere({}, ...pages);
    const call = CALLS[name] ?? expect.fail();
    expect((await failure(call(client))).message).toContain('a link to an earlier page');
    expect(network.sent).toHaveLength(count + 1);
  },
);

// As text, or as JSON for a client that accepts it.
it.each(['error code: 1010', '{"status":403,"error_code":1010,"retryable":false}'])(
  "An answer of Cloudflare's Browser Integrity Check is explained: %s",
  async (text) => {
    const { client } = connectNowhere({}, new Response(text, { status: 403 }));
    const error = await failure(client.profile.get());
    expect(error).toMatchObject({ status: 403, isFromService: false });
    expect(error.message).toMatch(/^Cloudflare refused the request because of its User-Agent/);
  },
);

it('An error without a text gets one', async () => {
  const { client } = connectNowhere({}, new Response(null, { status: 404 }));
  expect((await failure(client.profile.get())).message).toContain('404');
});

/** A response that begins so, and then repeats a text forever, after a pause in milliseconds. */
function endless(beginning: string, repeated: string, pause = 0): Response {
  const encoder = new TextEncoder();
  const again = encoder.encode(repeated);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(beginning));
    },
    async pull(controller) {
      if (pause > 0) await setTimeout(pause);
      controller.enqueue(again);
    },
  });
  return new Response(body);
}

const LONG = 2 ** 20;

it.each([
  ['is too large', '{"products":[{"title":"', 'x'.repeat(LONG)],
  ['is nested too deep', '{"products":[{"a":', '['.repeat(200)],
  ['is no list', '<html>', ' '.repeat(LONG)],
] as const)(
  'An answer without an end ends a sync at once: one that %s',
  async (_, beginning, repeated) => {
    const { client, network } = connectNowhere({}, endless(beginning, repeated));
    const error = await failure(client.products.sync([], { match: 'sku' }));
    expect(error.message).toContain('no complete list');
    expect(error.status).toBe(200);
    expect(network.sent).toHaveLength(1);
  },
);

it.each([
  ['is only white space', '{"products":[', ' '],
  ['has one object, bit by bit', '{"products":[{"a":"', 'x'],
] as const)(
  'An answer without an end ends a sync after its tries: one that %s',
  async (_, beginning, repeated) => {
    const answers = Array.from({ length: 2 }, () => endless(beginning, repeated, 10));
    const { client, network } = connectNowhere({ timeout: 200, tries: 2 }, ...answers);
    const error = await failure(client.products.sync([], { match: 'sku' }));
    expect(error.message).toContain('does not go on');
    expect(error.status).toBeUndefined();
    expect(network.sent).toHaveLength(2);
  },
);

const inFull = 40 * 2 ** 20;

/** A response of many megabytes, and how many bytes of it were read. */
function large(status: number): { response: Response; read: () => number } {
  let read = 0;
  const piece = new TextEncoder().encode(' '.repeat(LONG));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += piece.byteLength;
      controller.enqueue(piece);
    },
  });
  return { response: new Response(body, { status }), read: () => read };
}

it.each(OPERATIONS)(
  'An error without an end is read to 32 MiB, and its status counts: %s',
  async (_, call) => {
    const { response, read } = large(404);
    const { client, network } = connectNowhere({}, response);
    expect(await failure(call(client))).toMatchObject({ status: 404, isFromService: false });
    expect([network.sent.length, read() < inFull]).toEqual([1, true]);
  },
);

it('A success without an end is read to 32 MiB, and is an error then', async () => {
  const { response, read } = large(200);
  const { client } = connectNowhere({ tries: 1 }, response);
  const error = await failure(client.profile.get());
  expect(String(error.cause)).toContain('The response is too large.');
  expect(read()).toBeLessThan(inFull);
});

const STRANGE = [
  'default backend - 404',
  '<h1>Proxy</h1>',
  '',
  'null',
  '"error"',
  '{"message":"no Route matched"}',
  '{"error":{"code":404}}',
  '{"timestamp":"2026-01-31","status":404,"error":"Not Found"}',
];
const STATUSES = [400, 401, 403, 404, 409, 410, 412, 413, 422];

it.each(OPERATIONS)(
  'A status of something else does not count as the status of the service: %s',
  async (_, call) => {
    for (const status of STATUSES) {
      for (const body of STRANGE) {
        const headers = { 'X-Error': 'not-found' };
        const { client, network } = connectNowhere({}, new Response(body, { status, headers }));
        const error = await failure(call(client));
        expect(error).toMatchObject({ status, isFromService: false, code: undefined });
        expect(network.sent).toHaveLength(1);
      }
      const { client } = connectNowhere({}, json({ error: 'No.' }, status));
      expect(await failure(call(client))).toMatchObject({ status, isFromService: true });
    }
  },
);

it('A status of something else does not make a repeated deletion succeed', async () => {
  const { client } = connectNowhere({}, 'never arrives', new Response('{}', { status: 404 }));
  const error = await failure(client.products.delete(ID));
  expect(error).toMatchObject({ status: 404, isFromService: false });
});

it('A status 429 of something else does not prove that a request had no effect', async () => {
  const busy = (): Response => new Response('error code: 1015', { status: 429 });
  const gone = json({ error: 'Product not found.' }, 404);
  const { client, network } = connectNowhere({}, busy(), gone, busy());
  await client.products.delete(ID);
  const error = await failure(client.products.update(ID, {}, { ifMatch: '"1"' }));
  expect(error).toMatchObject({ status: 429, isFromService: false });
  expect(network.sent).toHaveLength(3);
});

it.each([
  ['a redirect', new Response('{"error":"Moved."}', { status: 301 })],
  ['a success', new Response('{"error":"No."}')],
])('The status of an answer that is no error is not of the service: %s', async (_, response) => {
  const error = await failure(connectNowhere({}, response).client.products.get(ID));
  expect(error).toMatchObject({ status: response.status, isFromService: false });
});

it.each([
  ['Product not found.', []],
  [
    'Invalid request: sku: 2 products have the value "A; b"; body: expected an object: {}; and 17 more',
    [
      ['sku', '2 products have the value "A; b"'],
      ['body', 'expected an object: {}'],
    ],
  ],
  [
    'Invalid request: "Variant SKU": unknown field; products.0."a: \\"b\\"; c: d": unknown field; "": unknown parameter; sku: 2 products have the value "a; title: b"; title: required',
    [
      ['"Variant SKU"', 'unknown field'],
      ['products.0."a: \\"b\\"; c: d"', 'unknown field'],
      ['""', 'unknown parameter'],
      ['sku', '2 products have the value "a; title: b"'],
      ['title', 'required'],
    ],
  ],
])('An error lists its problems: %s', async (error, problems) => {
  const headers = { 'X-Request-Id': 'r-1' };
  const { client } = connectNowhere({}, Response.json({ error }, { status: 400, headers }));
  const { message, status, requestId, ...rest } = await failure(client.profile.get());
  expect([message, status, requestId]).toEqual([error, 400, 'r-1']);
  expect(rest.problems).toEqual(problems.map(([path, message]) => ({ path, message })));
});

it('A read that began before a write was lost does not bring its bookmark back', async () => {
  const headers = { 'x-d1-bookmark': '0001-a' };
  const answer = (): Response => Response.json({ brand: {} }, { headers });
  const { client, network } = connectNowhere(
    { tries: 1 },
    answer(),
    'never arrives',
    answer(),
    answer(),
  );
  const [answered, held] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  network.after = () => {
    answered.resolve(undefined);
    return held.promise;
  };
  const early = client.profile.get();
  await answered.promise;
  await failure(client.profile.update({ brand: { brandName: 'B' } }));
  held.resolve(undefined);
  await early;
  network.after = () => Promise.resolve();
  await client.profile.get();
  await client.profile.get();
  const sent = network.sent.map((request) => request.headers.get('x-d1-bookmark'));
  expect(sent).toEqual([null, null, null, '0001-a']);
});

it('A response that is cut within its JSON is one that was lost', async () => {
  const cut = (): Response => new Response('{"product":{"id":"1","ti', { status: 201 });
  const { client, network } = connectNowhere({}, cut(), json({ product: { id: '1' } }), cut());
  const made = await client.products.create(ITEM);
  expect(made.data).toEqual({ id: '1' });
  const keys = network.sent.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(keys).toEqual([keys[0], keys[0]]);
  const change = client.products.update('1', {}, { ifMatch: '"1"' });
  expect(await failure(change)).toMatchObject({ status: undefined, isFromService: false });
  expect(network.sent).toHaveLength(3);
});

it('The line end of a file is not part of a key', async () => {
  const { client, network } = connectNowhere({ apiKey: 'bik_1\n' }, json({ product: ITEM }));
  await client.products.create(ITEM);
  expect(network.sent[0]?.headers.get('Authorization')).toBe('Bearer bik_1');
});

it.each([
  ['https://api.example.com', 'https://api.example.com/api/brand/v1'],
  ['https://api.example.com/', 'https://api.example.com/api/brand/v1'],
  ['https://example.com/a/b/', 'https://example.com/a/b/api/brand/v1'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787/api/brand/v1'],
])('An address leads to that of the API: %s leads to %s', async (baseUrl, expected) => {
  // As a proxy may write it (RFC 8288, 3).
  const Link = '<https://inner.example.net/api/brand/v1/products?limit=250&cursor=a%2Bb>;rel=next';
  const { client, network } = connectNowhere(
    { baseUrl },
    Response.json({ products: [{ id: '1' }] }, { headers: { Link } }),
    json({ products: [{ id: '2' }] }),
    json({ product: {} }),
  );
  expect(await all(client.products.list({ sku: 'A/B' }))).toEqual([{ id: '1' }, { id: '2' }]);
  await client.products.get('x/y');
  expect(network.sent.map(({ url }) => url)).toEqual([
    `${expected}/products?sku=A%2FB&limit=250`,
    // A proxy may rename the service: the key goes where it was meant to go.
    `${expected}/products?limit=250&cursor=a%2Bb`,
    `${expected}/products/x%2Fy`,
  ]);
});

it('The bookmark stays the latest if responses arrive out of order, and is sent back', async () => {
  const answer = (bookmark: string): Response =>
    Response.json({ brand: {} }, { headers: { 'x-d1-bookmark': bookmark } });
  const { client, network } = connectNowhere({}, ...['0002-b', '0001-a', ''].map(answer));
  for (let times = 0; times < 3; times++) await client.profile.get();
  const returned = network.sent.map(({ headers }) => headers.get('x-d1-bookmark'));
  expect(returned).toEqual([null, '0002-b', '0002-b']);
});

it.each<readonly [string, Delivery]>([
  ['lost', 'answer lost'],
  ['that of a gateway', new Response('<h1>Proxy</h1>', { status: 502 })],
])(
  'The next read after a change without an answer is not one from before it: %s',
  async (_, fate) => {
    const headers = { 'x-d1-bookmark': '0001-a' };
    const { client, network } = connectNowhere({}, Response.json({ brand: {} }, { headers }));
    await client.profile.get();
    network.next(fate, Response.json({ brand: {} }));
    await failure(client.profile.update({}, { ifMatch: '"1"' }));
    await client.profile.get();
    expect(network.sent.at(-1)?.headers.get('x-d1-bookmark')).toBeNull();
  },
);
