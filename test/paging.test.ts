import { expect, it } from 'vitest';
import type { Answer, Resource } from './support/brand.ts';
import { resourcesOf, TestBrand } from './support/brand.ts';
import { makeProducts } from './support/make.ts';
import { meter } from './support/meter.ts';

const BASE = 'http://api.test/api/brand/v1';

/** The path of the next page, below the base, where there is one. */
function nextPath({ headers }: Answer): string | undefined {
  const link = headers.get('Link');
  if (link === null) return undefined;
  const [, url] = /^<(http:\/\/api\.test\/api\/brand\/v1[^>]+)>; rel="next"$/.exec(link) ?? [];
  if (url === undefined) throw new Error(`Not a link to the next page: ${link}`);
  return url.slice(BASE.length);
}

/** The cursor in the link to the next page. */
function cursorOf(answer: Answer): string {
  const cursor = new URL(BASE + (nextPath(answer) ?? '')).searchParams.get('cursor');
  if (cursor === null) throw new Error('The answer links to no next page.');
  return cursor;
}

/** Follows the links from a path to the last page. */
async function walk(
  brand: TestBrand,
  start: string,
  onPage: (page: Resource[], index: number) => Promise<void> = () => Promise.resolve(),
): Promise<Resource[][]> {
  const pages: Resource[][] = [];
  for (let path: string | undefined = start; path !== undefined;) {
    const answer = await brand.send('GET', path);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    const page = resourcesOf(answer);
    await onPage(page, pages.push(page) - 1);
    path = nextPath(answer);
  }
  return pages;
}

const idsOf = (resources: readonly Resource[]): string[] => resources.map(({ id }) => id);

it.each([
  { limit: 1, sizes: Array.from({ length: 28 }, () => 1) },
  { limit: 7, sizes: [7, 7, 7, 7] },
  { limit: 27, sizes: [27, 1] },
  { limit: 28, sizes: [28] },
  { limit: 29, sizes: [28] },
  { limit: 250, sizes: [28] },
])('Pages of any size lead through 28 products exactly: $limit', async ({ limit, sizes }) => {
  const brand = await TestBrand.create();
  const made = await makeProducts(brand, 28);
  const pages = await walk(brand, `/products?limit=${limit}`);
  expect(pages.map(({ length }) => length)).toEqual(sizes);
  expect(pages.flat()).toEqual(made);
});

it('Pages of 250 lead through exactly 501 products', async () => {
  const brand = await TestBrand.create();
  const made = await makeProducts(brand, 501);
  const pages = await walk(brand, '/products?limit=250');
  expect(pages.map(({ length }) => length)).toEqual([250, 250, 1]);
  expect(pages.flat()).toEqual(made);
});

it('A page of an empty list is empty and links nowhere', async () => {
  const answer = await (await TestBrand.create()).send('GET', '/products?limit=5');
  expect(answer.body).toEqual({ products: [] });
  expect(answer.headers.has('Link')).toBe(false);
});

it('Pages of coupon codes lead through all of them', async () => {
  const brand = await TestBrand.create();
  const couponCodes = ['C', 'A', 'B'].map((code) => ({ code, discountPercent: 1 }));
  const answer = await brand.send('POST', '/coupon-codes', { couponCodes });
  const pages = await walk(brand, '/coupon-codes?limit=2');
  expect(pages.flat()).toEqual(resourcesOf(answer));
  expect(pages).toHaveLength(2);
});

it('A page links to the next page by an absolute URL with all parameters of the request', async () => {
  const brand = await TestBrand.create();
  const made = await makeProducts(brand, 6, (index) => ({ sku: index % 2 ? 'a b&c' : 'other' }));
  const first = await brand.send('GET', '/products?limit=1&sku=a%20b%26c');
  const url = new URL(BASE + (nextPath(first) ?? ''));
  expect(url.pathname).toBe('/api/brand/v1/products');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    limit: '1',
    sku: 'a b&c',
    cursor: cursorOf(first),
  });
  const pages = await walk(brand, '/products?limit=1&sku=a%20b%26c');
  expect(pages.flat()).toEqual(made.filter((_, index) => index % 2));
});

it('A page links to the URL of the request, whatever the headers of a proxy say', async () => {
  const brand = await TestBrand.create();
  await makeProducts(brand, 2);
  const headers = {
    'X-Forwarded-Host': 'evil.example',
    'X-Original-URL': 'http://evil.example/',
    Forwarded: 'host=evil.example',
  };
  const page = await brand.send('GET', '/products?limit=1', undefined, { headers });
  expect(page.headers.get('Link')).toMatch(/^<http:\/\/api\.test\/api\/brand\/v1\/products\?/);
});

it('A page has no link if no further row matches the filter', async () => {
  const brand = await TestBrand.create();
  await makeProducts(brand, 4, (index) => ({ sku: index < 2 ? 'shown' : 'hidden' }));
  const answer = await brand.send('GET', '/products?limit=2&sku=shown');
  expect(resourcesOf(answer)).toHaveLength(2);
  expect(answer.headers.has('Link')).toBe(false);
});

it('A page has the same link for HEAD', async () => {
  const brand = await TestBrand.create();
  await makeProducts(brand, 2);
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => brand.send(method, '/products?limit=1')),
  );
  expect(head?.text).toBe('');
  expect(head?.headers.get('Link')).toMatch(/^<http/);
  expect(head?.headers.get('Link')).toBe(get?.headers.get('Link'));
});

it.each([1, 2, 7])(
  'A walk through a list that changes neither skips nor repeats resources that exist throughout: by %i',
  async (limit) => {
    const brand = await TestBrand.create();
    const made = idsOf(await makeProducts(brand, 40));
    const deleted = new Set<string>();
    const remove = async (id: string | undefined): Promise<void> => {
      if (id === undefined || deleted.has(id)) return;
      deleted.add(id);
      expect((await brand.send('DELETE', `/products/${id}`)).status).toBe(200);
    };

    const pages = await walk(brand, `/products?limit=${limit}`, async (page, index) => {
      if (index >= 12) return;
      // The cursor's row, the first row of the page, and a row of a later page.
      if (index % 2) await remove(page.at(-1)?.id);
      await remove(index % 3 ? undefined : page[0]?.id);
      await remove(made[39 - index]);
      if (index < 3) await makeProducts(brand, 1);
    });

    const shown = idsOf(pages.flat());
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown).toEqual([...shown].sort());
    expect(deleted.size).toBeGreaterThan(5);
    const throughout = made.filter((id) => !deleted.has(id));
    expect(shown.filter((id) => throughout.includes(id))).toEqual(throughout);
  },
);

it('A walk through a list continues if all rows up to the cursor are deleted', async () => {
  const brand = await TestBrand.create();
  const made = await makeProducts(brand, 5);
  const first = await brand.send('GET', '/products?limit=3');
  for (const { id } of made.slice(0, 3)) await brand.send('DELETE', `/products/${id}`);
  const second = await brand.send('GET', nextPath(first) ?? '');
  expect(resourcesOf(second)).toEqual(made.slice(3));
});

it('A page costs the same rows read and D1 calls, whether it is page 1 or page 100', async () => {
  const brand = await TestBrand.create();
  await makeProducts(brand, 505);
  const costs: { calls: number; rowsRead: number }[] = [];
  for (let path: string | undefined = '/products?limit=5'; path !== undefined;) {
    const metered = meter();
    const answer: Answer = await brand.send('GET', path, undefined, metered);
    costs.push({ calls: metered.calls, rowsRead: metered.rowsRead });
    path = nextPath(answer);
  }
  expect(costs).toHaveLength(101);
  expect(costs[99]).toEqual(costs[0]);
  expect(costs[0]?.calls).toBe(1);
  expect(costs[0]?.rowsRead).toBeGreaterThanOrEqual(5);
  expect(costs[0]?.rowsRead).toBeLessThanOrEqual(5 + 4);
});

const refused = 'Invalid request: cursor: ';
const flip = (cursor: string, at: number): string =>
  cursor.slice(0, at) + (cursor[at] === '0' ? '1' : '0') + cursor.slice(at + 1);

it.each<[string, (cursor: string) => string]>([
  ['without its limit', (cursor) => `/products?cursor=${cursor}`],
  ['with its first character changed', (cursor) => `/products?limit=1&cursor=${flip(cursor, 0)}`],
  ['with one in the middle changed', (cursor) => `/products?limit=1&cursor=${flip(cursor, 20)}`],
  [
    'with its last character changed',
    (cursor) => `/products?limit=1&cursor=${flip(cursor, cursor.length - 1)}`,
  ],
  ['cut short', (cursor) => `/products?limit=1&cursor=${cursor.slice(0, -1)}`],
  ['with more behind it', (cursor) => `/products?limit=1&cursor=${cursor}0`],
  ['in upper case', (cursor) => `/products?limit=1&cursor=${cursor.toUpperCase()}`],
  ['that is empty', () => '/products?limit=1&cursor='],
  ['that is an id', () => '/products?limit=1&cursor=01890000-0000-7000-8000-000000000000'],
  ['of the other collection', (cursor) => `/coupon-codes?limit=1&cursor=${cursor}`],
  ['given twice', (cursor) => `/products?limit=1&cursor=${cursor}&cursor=${cursor}`],
])('A cursor that does not fit the request is refused by name: %s', async (_, path) => {
  const brand = await TestBrand.create();
  await makeProducts(brand, 2);
  const cursor = cursorOf(await brand.send('GET', '/products?limit=1'));
  const answer = await brand.send('GET', path(cursor));
  expect(answer.status).toBe(400);
  expect(answer.body['error']).toContain(refused);
});

it("A cursor of another brand shows nothing of that brand's", async () => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  const before = await makeProducts(other, 2);
  const own = await makeProducts(brand, 2);
  const after = await makeProducts(other, 2);
  const cursor = cursorOf(await other.send('GET', '/products?limit=1'));
  const answer = await brand.send('GET', `/products?limit=250&cursor=${cursor}`);
  expect(answer.body).toEqual({ products: own });
  for (const { id } of [...before, ...after]) expect(answer.text).not.toContain(id);
});

it('A cursor can be used with another limit', async () => {
  const brand = await TestBrand.create();
  const made = await makeProducts(brand, 6);
  const cursor = cursorOf(await brand.send('GET', '/products?limit=1'));
  const answer = await brand.send('GET', `/products?limit=3&cursor=${cursor}`);
  expect(resourcesOf(answer)).toEqual(made.slice(1, 4));
});
