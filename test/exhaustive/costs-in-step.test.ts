import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Collection } from '../../src/collection/collection.ts';
import { encodeToken } from '../../src/collection/list/change-token.ts';
import { checksum } from '../../src/hash.ts';
import { couponCodes } from '../../src/resources/coupon-codes.ts';
import { products } from '../../src/resources/products.ts';
import { TestBrand } from '../support/brand.ts';
import * as tested from '../support/collections.ts';
import type { TestCollection } from '../support/collections/collection.ts';
import { copyFirst, copyId } from '../support/make.ts';
import { meter } from '../support/meter.ts';

// The rows that synchronizing reads and writes in D1, in a large brand. They depend on the changes, not on its size.

const SIZE = 20_000;
const ITEMS = 100;

/** A collection, and how a brand's is filled past the API. */
interface Kind {
  readonly of: TestCollection;
  readonly source: Collection;
  /** The columns that tell rows apart, and their values by the number `i`. */
  readonly own: Readonly<Record<string, string>>;
  /** What the row of a number has, without its id. */
  readonly item: (index: number) => object;
}

const PRODUCTS: Kind = {
  of: tested.products,
  source: products,
  own: { sku: `'S' || i`, store_product_id: `'p/' || i` },
  item: (index) => ({ ...tested.products.bare(1), storeProductId: `p/${index}`, sku: `S${index}` }),
};

const COUPON_CODES: Kind = {
  of: tested.couponCodes,
  source: couponCodes,
  own: { code: `'C' || i`, store_discount_id: `'d/' || i` },
  item: (n) => ({ ...tested.couponCodes.bare(1), code: `C${n}`, storeDiscountId: `d/${n}` }),
};

const filled = new Map<Kind, Promise<TestBrand>>();

/** A brand of that size, filled once. The tests change resources of their own in it. */
function brandOf(kind: Kind): Promise<TestBrand> {
  const brand = filled.get(kind) ?? fill(kind, SIZE);
  filled.set(kind, brand);
  return brand;
}

async function fill({ of, source, own }: Kind, size: number): Promise<TestBrand> {
  const brand = await TestBrand.create();
  await brand.create(of.path, of.bare(1));
  await copyFirst(brand, source, size, own);
  return brand;
}

interface Cost {
  readonly status: number;
  readonly calls: number;
  readonly read: number;
  readonly written: number;
  readonly since: string;
}

async function cost(
  brand: TestBrand,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Cost> {
  const metered = meter();
  const { status, body: got } = await brand.send(method, path, body, { db: metered.db, headers });
  const { calls, rowsRead: read, rowsWritten: written } = metered;
  return { status, calls, read, written, since: String(got['since']) };
}

/** Asks about the rows of a brand. */
async function ask(what: string, { of }: Kind, { issued }: TestBrand): Promise<number> {
  const text = `select ${what} as value from ${of.table} where brand_id = ?`;
  return Number(await env.DB.prepare(text).bind(issued.brandId).first('value'));
}

describe.each([PRODUCTS, COUPON_CODES])('20,000 of $of.path', (kind) => {
  const { path } = kind.of;

  it('A poll reads 5 rows if nothing changed, and at most 2k + 6 for k changes', async () => {
    const brand = await brandOf(kind);
    const after = await ask('max(change_number)', kind, brand);
    const mark = checksum(brand.issued.brandId);
    const since = encodeToken(kind.source, { brand: mark, after, deletionsAfter: after });
    const poll = (token = since): Promise<Cost> => cost(brand, 'GET', `${path}?since=${token}`);
    const idle = { status: 200, calls: 1, read: 5, written: 0 };
    expect(await poll()).toEqual({ ...idle, since });

    for (let k = 1; k <= 6; k++) {
      const item = `${path}/${copyId(k)}`;
      if (k % 2 === 0) await brand.send('DELETE', item);
      else await brand.send('PATCH', item, { description: 'x' });
      const polled = await poll();
      expect([polled.status, polled.calls, polled.written]).toEqual([200, 1, 0]);
      expect(polled.read).toBeLessThanOrEqual(2 * k + 6);
      expect(await poll(polled.since)).toEqual({ ...idle, since: polled.since });
    }
  });

  it('A page of a first load reads its rows and few more', async () => {
    const page = await cost(await brandOf(kind), 'GET', `${path}?since=0&limit=100`);
    expect([page.status, page.calls]).toEqual([200, 1]);
    expect(page.read).toBeLessThanOrEqual(2 * 101 + 6);
  });

  it('A change writes one row more for the number of the change than without', async () => {
    const brand = await brandOf(kind);
    const item = `${path}/${copyId(10)}`;
    const changed = await cost(brand, 'PATCH', item, { description: 'x' });
    const deleted = await cost(brand, 'DELETE', item);
    const created = await cost(brand, 'POST', path, kind.item(10));
    expect([changed.written, deleted.written, created.written]).toEqual([2, 2, 3]);
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

describe.each(pushes)('20,000 of $kind.of.path by $match', ({ kind, match, isIndexed, each }) => {
  /** The resources of its own that it changes begin here. */
  const first = 100 + 300 * pushes.findIndex((one) => one.kind === kind && one.match === match);

  /** The items of so many resources from a number on, with other fields too. */
  const items = (from: number, count: number, more = {}): Record<string, unknown>[] =>
    Array.from({ length: count }, (_, n) => ({
      id: copyId(from + n),
      ...kind.item(from + n),
      ...more,
    }));
  /** The same with nothing but what finds them. */
  const found = (from: number, count: number, more = {}): Record<string, unknown>[] =>
    items(from, count).map((item) => ({ [match]: item[match], ...more }));

  /** Sends a push, and returns the rows that it writes. It may read so many for each item, if an index serves or not. */
  async function send(
    sent: readonly object[],
    [byIndex, without]: readonly [number, number],
    headers: Record<string, string> = {},
  ): Promise<number> {
    const brand = await brandOf(kind);
    const rows = isIndexed ? 0 : await ask('count(*)', kind, brand);
    const path = `${kind.of.path}?match=${match}`;
    const body = { [kind.of.many]: sent };
    const { status, calls, read, written } = await cost(brand, 'POST', path, body, headers);
    expect([status, calls]).toEqual([200, 1]);
    const most = (isIndexed ? byIndex : without) * sent.length + 2 * rows + 30;
    expect(read).toBeLessThanOrEqual(most);
    return written;
  }

  it("A push reads at most 11 rows for each item, or 23 and the brand's rows twice where no index serves", async () => {
    const write = (n: number, headers?: Record<string, string>): Promise<number> =>
      send(items(first, ITEMS, { description: `${match} ${n}` }), [11, 23], headers);
    expect(await send(items(first, ITEMS), [11, 23])).toBe(0);
    // The plan is a row too, with an Idempotency-Key or without.
    expect(await write(1)).toBe(each * ITEMS + 1);
    expect(await write(1)).toBe(0);
    const once = { 'Idempotency-Key': match };
    expect(await write(2, once)).toBe(each * ITEMS + 1);
    expect(await write(2, once)).toBe(0);
    const minimal = { 'Idempotency-Key': `${match}-2`, Prefer: 'return=minimal' };
    expect(await write(3, minimal)).toBe(each * ITEMS + 1);
    if (match === 'id') return;
    expect(await send(items(1_000_000 + first, ITEMS), [11, 23])).toBe(3 * ITEMS + 1);
  });

  it('A push writes for deletions what they cost alone, beside changes and creations too', async () => {
    const at = first + ITEMS;
    const item = `${kind.of.path}/${copyId(at)}`;
    const { written: alone } = await cost(await brandOf(kind), 'DELETE', item);
    const deleted = { deleted: true };
    expect(await send(found(at + 1, 50, deleted), [12, 23])).toBe(50 * alone + 1);
    expect(await send(found(at, 51, deleted), [12, 23])).toBe(0);
    const created = match === 'id' ? [] : items(2_000_000 + at, 25);
    const mixed = [
      ...found(at + 76, 20, deleted),
      ...items(at + 51, 25, { description: match }),
      ...created,
    ];
    expect(await send(mixed, [12, 23])).toBe(20 * alone + 25 * each + 3 * created.length + 1);
  });

  // Items can take a code from others.
  if (kind !== COUPON_CODES || match === 'code') return;
  it('A push reads at most 16 rows for each item that uses a code again, or 26 where no index serves', async () => {
    const at = first + 2 * ITEMS;
    const again = found(at + 30, 30).map((item, n) => ({ ...item, code: `C${at + n}` }));
    await send([...found(at, 30, { deleted: true }), ...again], [16, 23]);
  });
});

it.each([
  ['is refused', 400, {}],
  ['is refused alone', 200, { Prefer: 'handling=lenient' }],
])(
  'An item that matches 1,000 products is refused, and reads each of them twice: it %s',
  async (_, status, headers) => {
    const own = { ...PRODUCTS.own, store_product_id: `'shared'` };
    const brand = await fill({ ...PRODUCTS, own }, 1000);
    const body = { products: [{ storeProductId: 'shared', title: 'Other' }] };
    const path = '/products?match=storeProductId';
    const pushed = await cost(brand, 'POST', path, body, headers);
    expect([pushed.status, pushed.calls, pushed.written]).toEqual([status, 1, 0]);
    expect(pushed.read).toBeLessThanOrEqual(2 * 1000 + 21);
  },
);
