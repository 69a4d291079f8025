import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { brandMark, encodeToken } from '../../src/collection/list/change-token.ts';
import { couponCodes } from '../../src/resources/coupon-codes.ts';
import { products } from '../../src/resources/products.ts';
import { TestBrand } from '../support/brand.ts';
import { meter } from '../support/meter.ts';

// The exact rows that synchronizing reads and writes in D1. They depend on the changes, not on the size of the brand:
// brands of both sizes must have the same figures.

const SIZES = [1000, 20_000];
const ITEMS = 100;

/** A collection, and how a brand's is filled past the API. */
interface Kind {
  readonly path: string;
  readonly many: string;
  readonly source: typeof products;
  readonly table: string;
  readonly first: object;
  /** The columns that all rows share with the first. */
  readonly shared: string;
  /** The columns that tell rows apart, and their values by the number `i`. */
  readonly own: Readonly<Record<string, string>>;
  readonly item: (index: number) => object;
}

const PRODUCTS: Kind = {
  path: '/products',
  many: 'products',
  source: products,
  table: 'products',
  first: { title: 'First', priceCents: 1 },
  shared: `title, description, handle, price_cents, currency_code, discount_percent, featured, image_urls,
    marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, source, sync_status`,
  own: { sku: `'S' || i`, store_product_id: `'p/' || i` },
  item: (index) => ({
    storeProductId: `p/${index}`,
    sku: `S${index}`,
    title: 'First',
    priceCents: 1,
  }),
};

const COUPON_CODES: Kind = {
  path: '/coupon-codes',
  many: 'couponCodes',
  source: couponCodes,
  table: 'coupon_codes',
  first: { code: 'First', discountPercent: 1 },
  shared: 'active, category, current_uses, description, discount_percent, sync_status',
  own: { code: `'C' || i`, store_discount_id: `'d/' || i` },
  item: (index) => ({ code: `C${index}`, storeDiscountId: `d/${index}`, discountPercent: 1 }),
};

interface Cost {
  readonly status: number;
  readonly calls: number;
  readonly read: number;
  readonly written: number;
  readonly since: string;
}

const made = new Map<string, Promise<TestBrand>>();

/** A brand of this size, filled once. The tests change resources of their own in it. */
function brandOf(kind: Kind, size: number): Promise<TestBrand> {
  const key = `${kind.table} ${size}`;
  const brand = made.get(key) ?? fill(kind, size);
  made.set(key, brand);
  return brand;
}

async function fill({ path, table, first, shared, own }: Kind, size: number): Promise<TestBrand> {
  const brand = await TestBrand.create();
  await brand.create(path, first);
  const [names, values] = [Object.keys(own).join(), Object.values(own).join()];
  const id = `printf('01890000-0000-7000-8000-%012d', i)`;
  await env.DB.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?2)
    insert into ${table} (brand_id, id, revision, created_at, updated_at, change_number, ${names}, ${shared})
    select brand_id, ${id}, ${id}, created_at, updated_at, 1 + i, ${values}, ${shared}
    from n, ${table} where brand_id = ?1 and change_number = 1`,
  )
    .bind(brand.issued.brandId, size)
    .run();
  return brand;
}

function idOf(index: number): string {
  return `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`;
}

async function cost(
  brand: TestBrand,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Cost> {
  const metered = meter();
  const answer = await brand.send(method, path, body, { db: metered.db, headers });
  return {
    status: answer.status,
    calls: metered.calls,
    read: metered.rowsRead,
    written: metered.rowsWritten,
    since: String(answer.body['since']),
  };
}

/** A token behind all changes. */
async function caughtUp({ issued: { brandId } }: TestBrand, kind: Kind): Promise<string> {
  const newest = await env.DB.prepare(
    `select max(change_number) as newest from ${kind.table} where brand_id = ?`,
  )
    .bind(brandId)
    .first<number>('newest');
  const after = newest ?? 0;
  return encodeToken(kind.source, {
    brand: brandMark(brandId),
    after,
    deletionsAfter: after,
  });
}

const sized = [PRODUCTS, COUPON_CODES].flatMap((kind) => SIZES.map((size) => ({ kind, size })));

describe.each(sized)('Among $size of $kind.path', ({ kind, size }) => {
  it('a poll reads 4 rows if nothing changed, and at most 2k + 6 for k changes', async () => {
    const brand = await brandOf(kind, size);
    const since = await caughtUp(brand, kind);
    const poll = (token = since): Promise<Cost> =>
      cost(brand, 'GET', `${kind.path}?since=${token}`);
    const idle = { status: 200, calls: 1, read: 4, written: 0 };
    expect(await poll()).toEqual({ ...idle, since });

    for (let k = 1; k <= 6; k++) {
      const item = `${kind.path}/${idOf(k)}`;
      if (k % 2 === 0) await brand.send('DELETE', item);
      else await brand.send('PATCH', item, { description: 'x' });
      const polled = await poll();
      expect([polled.status, polled.calls, polled.written]).toEqual([200, 1, 0]);
      expect(polled.read).toBeLessThanOrEqual(2 * k + 6);
      expect(await poll(polled.since)).toEqual({ ...idle, since: polled.since });
    }
  });

  it('a page of a first load reads its rows and few more', async () => {
    const brand = await brandOf(kind, size);
    const page = await cost(brand, 'GET', `${kind.path}?since=0&limit=100`);
    expect([page.status, page.calls]).toEqual([200, 1]);
    expect(page.read).toBeLessThanOrEqual(2 * 101 + 6);
  });

  it('a change writes one row more for the number of the change than without', async () => {
    const brand = await brandOf(kind, size);
    const item = `${kind.path}/${idOf(10)}`;
    const changed = await cost(brand, 'PATCH', item, { description: 'x' });
    const deleted = await cost(brand, 'DELETE', item);
    expect([changed.written, deleted.written]).toEqual([2, 2]);
    const created = await cost(brand, 'POST', kind.path, kind.item(10));
    expect([created.status, created.written]).toEqual([201, 3]);
    expect(Math.max(changed.read, deleted.read, created.read)).toBeLessThanOrEqual(18);
  });
});

const pushes: readonly {
  readonly kind: Kind;
  readonly match: string;
  readonly isIndexed: boolean;
  /** Rows that a changed item writes: one more for each indexed column that it names, as in a PATCH. */
  readonly each: number;
}[] = [
  { kind: PRODUCTS, match: 'id', isIndexed: true, each: 3 },
  { kind: PRODUCTS, match: 'storeProductId', isIndexed: true, each: 2 },
  { kind: PRODUCTS, match: 'sku', isIndexed: false, each: 3 },
  { kind: COUPON_CODES, match: 'id', isIndexed: true, each: 3 },
  { kind: COUPON_CODES, match: 'code', isIndexed: true, each: 3 },
  { kind: COUPON_CODES, match: 'storeDiscountId', isIndexed: false, each: 3 },
];
/** The maximum number of rows that a push of `items` reads now, `each` of them by an index, an Idempotency-Key included. */
async function mostRead(
  brand: TestBrand,
  { table }: Kind,
  isIndexed: boolean,
  { items, each }: { readonly items: number; readonly each: number } = { items: ITEMS, each: 11 },
): Promise<number> {
  if (isIndexed) return each * items + 30;
  const row = await env.DB.prepare(`select count(*) as count from ${table} where brand_id = ?`)
    .bind(brand.issued.brandId)
    .first('count');
  return 23 * items + 2 * Number(row) + 30;
}

const sizedPushes = pushes.flatMap((push) => SIZES.map((size) => ({ push, size })));

describe.each(sizedPushes)(
  'A push among $size of $push.kind.path by $push.match',
  ({ push, size }) => {
    const { kind, match, isIndexed, each } = push;

    it("reads at most 11 rows for each item, or 23 and the brand's rows twice where no index serves", async () => {
      const brand = await brandOf(kind, size);
      const path = `${kind.path}?match=${match}`;
      const body = (from: number, description?: string): object => ({
        [kind.many]: Array.from({ length: ITEMS }, (_, index) => ({
          id: idOf(from + index),
          ...kind.item(from + index),
          ...(description !== undefined && { description }),
        })),
      });
      const send = async (sent: object, headers?: Record<string, string>): Promise<number> => {
        const { status, calls, read, written } = await cost(brand, 'POST', path, sent, headers);
        expect([status, calls]).toEqual([200, 1]);
        expect(read).toBeLessThanOrEqual(await mostRead(brand, kind, isIndexed));
        return written;
      };
      const text = (n: number): string => `${match} ${n}`;
      expect(await send(body(101))).toBe(0);
      // The plan is a row too, with an Idempotency-Key or without.
      expect(await send(body(101, text(1)))).toBe(each * ITEMS + 1);
      expect(await send(body(101, text(1)))).toBe(0);
      const once = { 'Idempotency-Key': `${match}-${size}` };
      expect(await send(body(101, text(2)), once)).toBe(each * ITEMS + 1);
      expect(await send(body(101, text(2)), once)).toBe(0);
      const minimal = { 'Idempotency-Key': `${match}-${size}-2`, Prefer: 'return=minimal' };
      expect(await send(body(101, text(3)), minimal)).toBe(each * ITEMS + 1);
      if (match === 'id') return;
      expect(await send(body(1_000_000 + match.length * 1000))).toBe(3 * ITEMS + 1);
    });

    it('writes for deletions what they cost alone, beside changes and creations too', async () => {
      const brand = await brandOf(kind, size);
      // Of this test alone, as they are deleted.
      const first = 400 + 100 * pushes.filter((each) => each.kind === kind).indexOf(push);
      const found = (index: number): object => ({ id: idOf(index), ...kind.item(index) });
      const deletions = (from: number, count: number): object[] =>
        Array.from({ length: count }, (_, n) => ({
          ...Object.fromEntries(Object.entries(found(from + n)).filter(([name]) => name === match)),
          deleted: true,
        }));
      const send = async (items: readonly object[]): Promise<number> => {
        const most = await mostRead(brand, kind, isIndexed, { items: items.length, each: 12 });
        const path = `${kind.path}?match=${match}`;
        const sent = { [kind.many]: items };
        const { status, calls, read, written } = await cost(brand, 'POST', path, sent);
        expect([status, calls]).toEqual([200, 1]);
        expect(read).toBeLessThanOrEqual(most);
        return written;
      };
      const alone = await cost(brand, 'DELETE', `${kind.path}/${idOf(first)}`);
      expect(await send(deletions(first + 1, 50))).toBe(50 * alone.written + 1);
      expect(await send(deletions(first, 51))).toBe(0);
      const changes = Array.from({ length: 25 }, (_, n) => ({
        ...found(first + 51 + n),
        description: match,
      }));
      const created =
        match === 'id'
          ? []
          : Array.from({ length: 25 }, (_, n) => kind.item(2_000_000 + match.length * 1000 + n));
      const mixed = [...deletions(first + 76, 20), ...changes, ...created];
      expect(await send(mixed)).toBe(20 * alone.written + 25 * each + 3 * created.length + 1);
    });
  },
);

/** Pushes whose items can take a code from others. */
const takers = sizedPushes.filter(
  ({ push: { kind, match } }) => kind === COUPON_CODES && match !== 'code',
);

describe.each(takers)(
  'A push among $size of $push.kind.path by $push.match that uses codes again',
  ({ push: { kind, match, isIndexed }, size }) => {
    it('reads at most 16 rows for each item, or 26 where no index serves', async () => {
      const brand = await brandOf(kind, size);
      const first = match === 'id' ? 700 : 800;
      const found = (n: number): object =>
        match === 'id' ? { id: idOf(first + n) } : { [match]: `d/${first + n}` };
      const items = Array.from({ length: 60 }, (_, n) =>
        n < 30 ? { ...found(n), deleted: true } : { ...found(n), code: `C${first + n - 30}` },
      );
      const most = await mostRead(brand, kind, isIndexed, { items: items.length, each: 16 });
      const path = `${kind.path}?match=${match}`;
      const done = await cost(brand, 'POST', path, { [kind.many]: items });
      expect([done.status, done.calls]).toEqual([200, 1]);
      expect(done.read).toBeLessThanOrEqual(most);
    });
  },
);

describe('An item that matches 1,000 products', () => {
  it.each([
    ['is refused', 400, {}],
    ['is refused alone', 200, { Prefer: 'handling=lenient' }],
  ])('%s, and reads each of them twice', async (_, status, headers) => {
    const own = { ...PRODUCTS.own, store_product_id: `'shared'` };
    const brand = await fill({ ...PRODUCTS, own }, 1000);
    const body = { products: [{ storeProductId: 'shared', title: 'Other' }] };
    const path = '/products?match=storeProductId';
    const pushed = await cost(brand, 'POST', path, body, headers);
    expect([pushed.status, pushed.calls, pushed.written]).toEqual([status, 1, 0]);
    expect(pushed.read).toBeLessThanOrEqual(2 * 1000 + 21);
  });
});
