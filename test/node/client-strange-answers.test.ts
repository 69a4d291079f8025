import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { all, failure } from './outcomes.ts';

// What a client does if something else answers than the service: a proxy, a cache, a captive portal, a wrong address.

const ID = '01890000-0000-7000-8000-000000000000';
const KEY = 'bik_SECRET';
const ITEM = { sku: 'S', title: 'T', priceCents: 1 };

const CALLS: Readonly<Record<string, (client: BrandClient) => Promise<unknown>>> = {
  list: ({ products }) => all(products.list()),
  changes: ({ products }) => all(products.changes()),
  get: ({ products }) => products.get(ID),
  create: ({ products }) => products.create(ITEM),
  createMany: ({ products }) => products.createMany([ITEM]),
  push: ({ products }) => products.push([ITEM], { match: 'sku' }),
  replace: ({ couponCodes }) => couponCodes.replace(ID, { code: 'C', discountPercent: 1 }),
  update: ({ couponCodes }) => couponCodes.update(ID, {}),
  delete: ({ couponCodes }) => couponCodes.delete(ID),
  getProfile: (client) => client.getProfile(),
  updateProfile: (client) => client.updateProfile({}),
  replaceProfile: (client) => client.replaceProfile({ brand: { brandName: 'B' }, connection: {} }),
};
const OPERATIONS = Object.entries(CALLS);

function connect(
  options: Partial<ClientOptions>,
  ...deliveries: readonly Delivery[]
): { client: BrandClient; network: FaultyNetwork } {
  const network = new FaultyNetwork(...deliveries);
  const { fetch } = network;
  const baseUrl = 'https://api.example.com';
  return { client: new BrandClient({ apiKey: KEY, baseUrl, fetch, ...options }), network };
}

describe('A redirect', () => {
  // Followed, 301 to 303 turn a write into a GET whose 200 looks like success, and some runtimes send the key along.
  it.each(OPERATIONS)('is an error that names the new address: %s', async (_, call) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { Location: 'https://other.example.net/' };
      const { client, network } = connect({}, new Response(null, { status, headers }));
      const error = await failure(call(client));
      expect(error.status).toBe(status);
      expect(error.message).toContain('https://other.example.net/');
      expect(network.sent).toHaveLength(1);
    }
  });

  it('is not followed by fetch', async () => {
    const modes: (string | undefined)[] = [];
    const { client } = connect({
      fetch: async (_, init) => {
        modes.push(init?.redirect);
        return Promise.resolve(Response.json({ brand: {} }));
      },
    });
    await client.getProfile();
    expect(modes).toEqual(['manual']);
  });
});

describe('An answer of something else', () => {
  it.each(OPERATIONS)('is an error, not an empty success: %s', async (_, call) => {
    for (const body of ['{}', '[]', 'null', '"x"', '1', '', '<html>']) {
      const error = await failure(call(connect({}, new Response(body)).client));
      expect(error.status).toBe(200);
      expect(error.message).toMatch(/^The response (is not JSON|has no \w+)/);
    }
  });

  it.each(['{"product":3}', '{"product":null}', '{"product":[]}', '{"product":"x"}'])(
    'is not taken for a product: %s',
    async (body) => {
      const { message } = await failure(connect({}, new Response(body)).client.products.get(ID));
      expect(message).toContain('The response has no product.');
    },
  );

  it.each(['null', '{}', '"ab"', '[null]', '[3]', '["x"]'].map((list) => `{"products":${list}}`))(
    'is not taken for a list: %s',
    async (body) => {
      const { message } = await failure(
        all(connect({}, new Response(body)).client.products.list()),
      );
      expect(message).toContain('no list of products');
    },
  );

  it.each(['deletedProductIds', 'since'])('without %s is no page of changes', async (name) => {
    const page = { products: [], deletedProductIds: [], since: 't', [name]: undefined };
    const { client } = connect({}, Response.json(page));
    expect((await failure(all(client.products.changes()))).message).toContain(`no ${name}`);
  });

  it('with too few or too many results is no answer to a push', async () => {
    for (const results of [[], [{}, {}]]) {
      const { client } = connect({}, Response.json({ products: [], results }));
      const pushing = client.products.push([ITEM], { match: 'sku' });
      expect((await failure(pushing)).message).toContain(`${results.length} of 1 results`);
    }
  });

  it('without a result for an item is no answer to a push', async () => {
    const { client } = connect({}, Response.json({ products: [], results: [null] }));
    const pushing = client.products.push([ITEM], { match: 'sku' });
    expect((await failure(pushing)).message).toContain('no list of results');
  });

  it.each([1, 2, 3])(
    'with links that come back after %i pages does not make a list endless',
    async (count) => {
      for (const read of [
        ({ products }: BrandClient) => all(products.list()),
        ({ products }: BrandClient) => all(products.changes()),
      ]) {
        const pages = Array.from({ length: 9 }, (_, index) =>
          Response.json(
            { products: [], deletedProductIds: [], since: 't' },
            {
              headers: { Link: `<https://api.example.com/x?cursor=${index % count}>; rel="next"` },
            },
          ),
        );
        const { client, network } = connect({}, ...pages);
        expect((await failure(read(client))).message).toContain('a link to an earlier page');
        expect(network.sent).toHaveLength(count + 1);
      }
    },
  );

  it('without a text is an error with one', async () => {
    const { client } = connect({}, new Response(null, { status: 404 }));
    expect((await failure(client.getProfile())).message).toContain('404');
  });
});

describe('A status of something else', () => {
  const STRANGE = [
    'default backend - 404',
    '<h1>Proxy</h1>',
    '',
    'null',
    '"error"',
    '{"message":"no Route matched"}',
    '{"error":{"code":404}}',
  ];
  const STATUSES = [400, 401, 403, 404, 409, 410, 412, 413, 422];

  it.each(OPERATIONS)('does not count as the status of the service: %s', async (_, call) => {
    for (const status of STATUSES) {
      for (const body of STRANGE) {
        const { client, network } = connect({}, new Response(body, { status }));
        expect(await failure(call(client))).toMatchObject({ status, isFromService: false });
        expect(network.sent).toHaveLength(1);
      }
      const { client } = connect({}, Response.json({ error: 'No.' }, { status }));
      expect(await failure(call(client))).toMatchObject({ status, isFromService: true });
    }
  });

  it('does not make a repeated deletion succeed', async () => {
    for (const body of STRANGE) {
      const { client } = connect({}, 'never arrives', new Response(body, { status: 404 }));
      const error = await failure(client.products.delete(ID));
      expect(error).toMatchObject({ status: 404, isFromService: false });
    }
  });

  it('does not prove that a request had no effect: 429', async () => {
    const busy = (): Response => new Response('error code: 1015', { status: 429 });
    const gone = Response.json({ error: 'Product not found.' }, { status: 404 });
    const { client, network } = connect({}, busy(), gone, busy());
    await client.products.delete(ID);
    const error = await failure(client.products.update(ID, {}, { ifMatch: '"1"' }));
    expect(error).toMatchObject({ status: 429, isFromService: false });
    expect(network.sent).toHaveLength(3);
  });

  it.each([
    ['a redirect', new Response('{"error":"Moved."}', { status: 301 })],
    ['a success', new Response('{"error":"No."}')],
  ])('is also that of %s', async (_, response) => {
    const error = await failure(connect({}, response).client.products.get(ID));
    expect(error).toMatchObject({ status: response.status, isFromService: false });
  });

  it('is not there without a response', async () => {
    const { client } = connect({ tries: 1 }, 'never arrives');
    const error = await failure(client.getProfile());
    expect(error).toMatchObject({ status: undefined, isFromService: false });
  });
});

describe('A Retry-After', () => {
  // A timer of more than 2^31 milliseconds ends at once: five tries within 30 ms.
  it.each(['61', '99999999', '1e400', 'Infinity'])(
    'of more than a minute ends the call: %s seconds',
    async (retryAfter) => {
      const headers = { 'Retry-After': retryAfter };
      const refusal = Response.json({ error: 'Later.' }, { status: 429, headers });
      const { client, network } = connect({}, refusal);
      expect(await failure(client.getProfile())).toMatchObject({ status: 429, message: 'Later.' });
      expect(network.sent).toHaveLength(1);
    },
  );
});

describe('What cannot be sent', () => {
  it.each([`${KEY}\nx`, `${KEY}\r\nx: 1`, `“${KEY}”`, `${KEY}\0`, `${KEY} ${KEY}`])(
    'is refused without showing the key: %j',
    (apiKey) => {
      const connecting = (): unknown => connect({ apiKey });
      expect(connecting).toThrow(TypeError);
      expect(connecting).not.toThrow(KEY);
    },
  );

  it('does not include the line end of a file', async () => {
    const { client, network } = connect({ apiKey: `${KEY}\n` }, Response.json({ brand: {} }));
    await client.getProfile();
    expect(network.sent[0]?.headers.get('Authorization')).toBe(`Bearer ${KEY}`);
  });

  it.each(['ftp://api.example.com', 'https://u:p@api.example.com', 'https://a.example/?x', 'a'])(
    'includes the address %s',
    (baseUrl) => {
      expect(() => connect({ baseUrl })).toThrow(TypeError);
    },
  );

  it('includes an empty entity tag, which would be no condition', async () => {
    const { client, network } = connect({});
    const changing = client.products.update(ID, { title: 'T' }, { ifMatch: '' });
    await expect(changing).rejects.toBeInstanceOf(TypeError);
    expect(network.sent).toHaveLength(0);
  });

  it('is not tried five times', async () => {
    const { client, network } = connect({});
    const making = client.products.create(ITEM, { idempotencyKey: 'a\nb' });
    await expect(making).rejects.toBeInstanceOf(TypeError);
    expect(network.sent).toHaveLength(0);
  });
});
