import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import { products as productCollection } from '../../src/resources/products.ts';
import { issueKey, revokeKey } from '../support/operator.ts';
import type { Resource } from '../support/brand.ts';
import { execute, resourcesOf, TestBrand } from '../support/brand.ts';
import { pollAll, tokenOf } from '../support/changes.ts';
import { interceptD1 } from '../support/intercept-d1.ts';
import { copyOf } from '../support/copy.ts';
import { D1_ERRORS, failing } from '../support/faults.ts';
import { copyFirst, makeProducts } from '../support/make.ts';

// Many large products exceed a Worker's memory, so they are read and sent in parts.

/** The most that a call to D1 may return, in characters of JSON: 8 MiB of texts, which may double as JSON, and the rest of each row. */
const MOST = 20 * 1024 * 1024;

/** 512 KB. One byte per character, so that lengths are easy to add up. */
const imageUrls = Array.from({ length: 250 }, (_, n) => `https://a.test/${n}/`.padEnd(2048, 'x'));

const small = (): object => ({ handle: crypto.randomUUID() });
const large = (): object => ({ ...small(), imageUrls });

/** Makes products: few small ones, then large ones, then few small ones. */
async function makeCatalogue(
  count: number,
  few = 4,
): Promise<{ readonly brand: TestBrand; readonly made: readonly Resource[] }> {
  const brand = await TestBrand.create();
  const made = await makeProducts(brand, few, small);
  while (made.length < few + count) made.push(...(await makeProducts(brand, 4, large)));
  made.push(...(await makeProducts(brand, few, small)));
  return { brand, made };
}

/**
 * A binding that measures the largest result of a call, in characters of JSON.
 * @param act is done before a call
 * @param after the number of calls before that
 */
function measured(
  act?: () => Promise<unknown>,
  after = 1,
): {
  readonly db: D1Database;
  readonly largest: () => number;
  readonly calls: () => number;
} {
  let [largest, calls] = [0, 0];
  const db = interceptD1(env.DB, async (call) => {
    if (calls === after) await act?.();
    const returned = await call();
    largest = Math.max(largest, JSON.stringify(returned).length);
    calls++;
    return returned;
  });
  return { db, largest: () => largest, calls: () => calls };
}

/** Reads all pages of a list, from the first on. */
async function readAll(brand: TestBrand, query: string, db: D1Database): Promise<Resource[]> {
  const read: Resource[] = [];
  for (let path = `/products${query}`; path !== '';) {
    const answer = await brand.send('GET', path, undefined, { db });
    expect(answer.status).toBe(200);
    read.push(...resourcesOf(answer));
    path = /v1(\/.*)>/.exec(answer.headers.get('Link') ?? '')?.[1] ?? '';
  }
  return read;
}

/** A push of a SKU to each product. */
const pushOf = (made: readonly Resource[], sku = 'S'): object => ({
  products: made.map(({ id }) => ({ id, sku })),
});

const catalogue = await makeCatalogue(20);
/** For tests that delete, each of which takes a copy. */
const many = await makeCatalogue(36, 0);

it.each(['?limit=25', '?since=0&limit=25'])(
  'A page of 10 MB of products has no link to a next page if this one cannot be read: GET /products%s',
  async (query) => {
    const { brand } = catalogue;
    const text = D1_ERRORS.overload[0];
    const { db } = failing(env.DB, { text, moment: 'before', times: 9, first: 2 });
    const { status, headers } = await brand.send('GET', `/products${query}`, undefined, { db });
    expect([status, headers.get('Link')]).toEqual([503, null]);
  },
);

it.each(['', '?limit=100&syncStatus=NOT_LINKED', '?since=0&limit=40'])(
  'A list of 10 MB of products is read whole, in calls of bounded size: GET /products%s',
  async (query) => {
    const { brand, made } = catalogue;
    const binding = measured();
    expect(await readAll(brand, query, binding.db)).toEqual(made);
    expect(binding.largest()).toBeLessThan(MOST);
  },
);

it('A page of 10 MB of products ends early, before its limit', async () => {
  const answer = await catalogue.brand.send('GET', '/products?limit=250');
  const shown = resourcesOf(answer).length;
  expect([shown < catalogue.made.length, shown > 10, answer.headers.has('Link')]).toEqual([
    true,
    true,
    true,
  ]);
});

it('A push of 10 MB of products takes one call if it asks for no resources', async () => {
  const { brand, made } = catalogue;
  const binding = measured();
  const path = '/products?match=id&dryRun=true';
  await brand.send('POST', path, pushOf(made), {
    db: binding.db,
    headers: { Prefer: 'return=minimal' },
  });
  expect(binding.calls()).toBe(1);
});

it.each<Record<string, string>>([{}, { 'Idempotency-Key': 'large' }])(
  'A push of 10 MB of products writes and shows all of them: headers %o',
  async (headers) => {
    const { brand, made } = catalogue;
    const key = headers['Idempotency-Key'];
    for (const status of ['updated', key ? 'updated' : 'unchanged']) {
      const { db, largest } = measured();
      const body = pushOf(made, key);
      const answer = await brand.send('POST', '/products?match=id', body, { headers, db });
      expect(answer.status).toBe(200);
      expect(resourcesOf(answer)).toEqual(await brand.list('/products'));
      expect(resourcesOf(answer).map(({ sku }) => sku)).toEqual(made.map(() => key ?? 'S'));
      expect(answer.body['results']).toEqual(made.map(({ id }) => ({ id, status })));
      expect(largest()).toBeLessThan(MOST);
    }
  },
);

it('1,100 products of texts that grow as JSON are read and pushed in calls of bounded size', async () => {
  const brand = await TestBrand.create();
  const long = '\\'.repeat(255);
  const { id } = await brand.create('/products', {
    title: `😀${'"'.repeat(254)}`,
    priceCents: 1,
    handle: 'x'.repeat(255),
    sku: long,
    storeProductId: long,
    storeVariantId: long,
    imageUrl: `https://a.test/${'\\'.repeat(2000)}`,
    lastSyncError: '\n'.padEnd(2000, '\\'),
    description: '\\'.repeat(8000),
  });
  const ids = [id, ...(await copyFirst(brand, productCollection, 1099))];
  const binding = measured();
  expect((await readAll(brand, '', binding.db)).map((one) => one.id)).toEqual(ids);
  const some = ids.slice(0, 500).map((one) => ({ id: one, sku: 'S' }));
  const { db } = binding;
  const answer = await brand.send('POST', '/products?match=id', { products: some }, { db });
  expect(resourcesOf(answer)).toMatchObject(some);
  expect(binding.largest()).toBeLessThan(MOST);
});

it('300 products are read in calls of bounded size, short texts included', async () => {
  const brand = await TestBrand.create();
  const short = '😀'.repeat(255);
  await brand.create('/products', {
    title: short,
    priceCents: 1,
    handle: short,
    sku: short,
    storeProductId: short,
    storeVariantId: short,
    // A page of 251 of them has 8 MiB.
    description: 'x'.repeat(33_000),
  });
  const ids = await copyFirst(brand, productCollection, 299);
  const binding = measured();
  const page = resourcesOf(await brand.send('GET', '/products?limit=250', undefined, binding));
  expect(page.slice(1).map(({ id }) => id)).toEqual(ids.slice(0, page.length - 1));
  // The names and the other values of a row have some 1,000 characters.
  expect(binding.largest()).toBeLessThan(8 * 1024 * 1024 + 250 * 1000);
});

it.each(['?limit=250', '?since=0'])(
  'A list of 20 products that grow to 512 KB while it is sent is read whole, in calls of bounded size: GET /products%s',
  async (query) => {
    const brand = await TestBrand.create();
    const medium = imageUrls.slice(0, 20);
    const made = await makeProducts(brand, 20, () => ({ ...small(), imageUrls: medium }));
    const binding = measured(async () => {
      for (let n = 0; n < made.length; n += 3) {
        const some = made.slice(n, n + 3).map(({ id }) => ({ id, imageUrls }));
        const answer = await brand.send('POST', '/products?match=id', { products: some });
        expect(answer.status).toBe(200);
      }
    });
    const shown = await readAll(brand, query, binding.db);
    expect(shown).toMatchObject(made.map(({ id }) => ({ id, imageUrls })));
    expect(binding.largest()).toBeLessThan(MOST);
    // Not a call for each.
    expect(binding.calls()).toBeLessThan(made.length / 2);
  },
);

it('A follower of a list that is read again passes over no product that is created, and no deletion', async () => {
  const { brand, made } = await makeCatalogue(0);
  const since = await tokenOf(brand, '/products');
  const added = await makeProducts(brand, 1, large);
  const { db, calls } = measured(async () => {
    added.push(...(await makeProducts(brand, 2, small)));
    await brand.send('DELETE', `/products/${made[0]?.id ?? ''}`);
  });
  const first = await brand.send('GET', `/products?since=${since}`, undefined, { db });
  expect(calls()).toBe(2);
  const pages = await pollAll(brand, '/products', String(first.body['since']));
  expect([...resourcesOf(first), ...pages.flatMap(({ resources }) => resources)]).toEqual(added);
  expect([first.body['deletedProductIds'], ...pages.map(({ deleted }) => deleted)].flat()).toEqual([
    made[0]?.id,
  ]);
});

it('A page of a list that is read again has a link if products are created after those that it shows', async () => {
  const { brand, made } = await makeCatalogue(4, 0);
  const added: Resource[] = [];
  const { db } = measured(async () => added.push(...(await makeProducts(brand, 2, small))));
  expect(await readAll(brand, '?limit=250', db)).toEqual([...made, ...added]);
});

it.each<readonly [string, string, number]>([
  ['GET', '', 3],
  ['GET', '?limit=250', 3],
  ['GET', '?since=0', 3],
  ['POST', '?match=id', 4],
])(
  'A list that is read again shows no product twice if the others are deleted: %s /products%s',
  async (...of) => {
    const [method, query, after] = of;
    const { made } = many;
    const brand = await copyOf(many.brand);
    const [kept, deleted] = [made.slice(0, 16), made.slice(16)];
    const { db, calls } = measured(async () => {
      const products = deleted.map(({ id }) => ({ id, deleted: true }));
      expect((await brand.send('POST', '/products?match=id', { products })).status).toBe(200);
    }, after);
    const shown =
      method === 'GET'
        ? await readAll(brand, query, db)
        : resourcesOf(await brand.send(method, `/products${query}`, pushOf(made), { db }));
    expect(calls()).toBeGreaterThan(after);
    expect(shown.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
  },
);

it.each<readonly [string, Record<string, string>, (brand: TestBrand) => Promise<unknown>]>([
  [
    'the key is revoked',
    { 'Idempotency-Key': 'large' },
    ({ issued }) => revokeKey(execute, issued.keyId),
  ],
  ['D1 is overloaded', {}, () => Promise.reject(new Error('D1 DB is overloaded.'))],
])(
  'A push of large products is done, and its answer breaks off if their reading fails: %s',
  async (_, headers, act) => {
    const { brand, made } = await makeCatalogue(4, 20);
    const response = await app.request(
      'http://api.test/api/brand/v1/products?match=id',
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${brand.issued.apiKey}`, ...headers },
        body: JSON.stringify(pushOf(made)),
      },
      { ...env, DB: measured(() => act(brand)).db },
    );
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    const other = brand.with(await issueKey(execute, brand.issued.brandId, {}));
    const now = await other.list('/products');
    expect(now.map(({ sku }) => sku)).toEqual(made.map(() => 'S'));
  },
);

it('A large product is not passed over if a page ends before it, and a deletion after it is known', async () => {
  const { brand, made } = await makeCatalogue(0);
  const since = await tokenOf(brand, '/products');
  const added: Resource[] = [];
  while (added.length < 20) added.push(...(await makeProducts(brand, 4, large)));
  await brand.send('DELETE', `/products/${made[0]?.id ?? ''}`);
  const pages = await pollAll(brand, '/products', since);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap(({ resources }) => resources)).toEqual(added);
  expect(pages.flatMap(({ deleted }) => deleted)).toEqual([made[0]?.id]);
});

it.each(['?limit=250', '?since=0', ''])(
  'A large product is left out if it is deleted while a list is sent: GET /products%s',
  async (query) => {
    const { brand, made } = await makeCatalogue(4);
    const { db } = measured(() => brand.send('DELETE', `/products/${made[5]?.id ?? ''}`));
    const answer = await brand.send('GET', `/products${query}`, undefined, { db });
    expect(resourcesOf(answer)).toEqual(made.filter((_, index) => index !== 5));
  },
);

it('A list of large products is empty if all are deleted while it is sent', async () => {
  const { brand, made } = await makeCatalogue(4, 0);
  const { db } = measured(() =>
    Promise.all(made.map(({ id }) => brand.send('DELETE', `/products/${id}`))),
  );
  const answer = await brand.send('GET', '/products?limit=250', undefined, { db });
  expect(answer.body).toEqual({ products: [] });
});

it('A large product is not read if the key was revoked before: 401, nothing is sent', async () => {
  const { brand } = await makeCatalogue(4);
  const { db } = measured(() => revokeKey(execute, brand.issued.keyId));
  const answer = await brand.send('GET', '/products?limit=250', undefined, { db });
  expect(answer.status).toBe(401);
});
