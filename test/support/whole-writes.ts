/** How many rows of each table a request adds or takes away. */
type Effect = Readonly<Partial<Record<string, number>>>;

/** A write that takes effect completely or not at all. */
export interface Write {
  readonly name: string;
  readonly method: string;
  readonly path: (ids: WriteIds) => string;
  readonly body?: (ids: WriteIds) => unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly effect: Effect;
}

/** What a write is made of. */
export interface WriteIds {
  readonly productId: string;
  readonly couponCodeId: string;
  /** A text that no other attempt uses. */
  readonly unique: string;
}

const once = { 'Idempotency-Key': 'once' };
const lenient = { Prefer: 'handling=lenient' };
const item = ({ productId }: WriteIds): string => `/products/${productId}`;
const codeItem = ({ couponCodeId }: WriteIds): string => `/coupon-codes/${couponCodeId}`;
const products = (): string => '/products';
const couponCodes = (): string => '/coupon-codes';
const product = ({ unique }: WriteIds): object => ({
  title: unique,
  priceCents: 1,
  storeProductId: unique,
});
const code = ({ unique }: WriteIds): object => ({ code: unique, discountPercent: 1 });
/** More than one parameter holds. */
const LARGE = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(52_000, 'x'));
const manyProducts = ({ unique }: WriteIds): object => ({
  products: LARGE.map((description, index) => ({
    title: unique,
    priceCents: 1,
    sku: `${unique}-${index}`,
    description,
  })),
});
const manyCodes = ({ unique }: WriteIds): object => ({
  couponCodes: Array.from({ length: 5 }, (_, n) => ({
    code: `${unique}-${n}`,
    discountPercent: 1,
  })),
});
/** One that exists, changed, and one that does not. */
const mixed = (ids: WriteIds): object => ({
  products: [
    { sku: 'KNOWN', description: ids.unique },
    { sku: ids.unique, title: 'New', priceCents: 1 },
  ],
});
const withRefused = (ids: WriteIds): object => ({
  products: [{ sku: 'KNOWN', description: ids.unique }, { sku: ids.unique }],
});

/** Every kind of write, by operation, headers and number of statements. */
export const writes: readonly Write[] = [
  {
    name: 'PUT /profile',
    method: 'PUT',
    path: () => '/profile',
    body: ({ unique }) => ({ brand: { brandName: unique }, connection: {} }),
    status: 200,
    effect: {},
  },
  {
    name: 'PATCH /profile',
    method: 'PATCH',
    path: () => '/profile',
    body: ({ unique }) => ({ brand: { description: unique } }),
    status: 200,
    effect: {},
  },
  {
    name: 'POST /products',
    method: 'POST',
    path: products,
    body: product,
    status: 201,
    effect: { products: 1 },
  },
  {
    name: 'POST /products, once',
    method: 'POST',
    path: products,
    body: product,
    headers: once,
    status: 201,
    effect: { products: 1, idempotency_records: 1 },
  },
  {
    name: 'POST /products, many',
    method: 'POST',
    path: products,
    body: manyProducts,
    status: 201,
    effect: { products: LARGE.length },
  },
  {
    name: 'POST /products, many, once',
    method: 'POST',
    path: products,
    body: manyProducts,
    headers: once,
    status: 201,
    effect: { products: LARGE.length, idempotency_records: 1 },
  },
  { name: 'PUT /products/:id', method: 'PUT', path: item, body: product, status: 200, effect: {} },
  {
    name: 'PATCH /products/:id',
    method: 'PATCH',
    path: item,
    body: ({ unique }) => ({ description: unique }),
    status: 200,
    effect: {},
  },
  {
    name: 'DELETE /products/:id',
    method: 'DELETE',
    path: item,
    status: 200,
    effect: { products: -1, tombstones: 1 },
  },
  {
    name: 'POST /coupon-codes',
    method: 'POST',
    path: couponCodes,
    body: code,
    status: 201,
    effect: { coupon_codes: 1 },
  },
  {
    name: 'POST /coupon-codes, once',
    method: 'POST',
    path: couponCodes,
    body: code,
    headers: once,
    status: 201,
    effect: { coupon_codes: 1, idempotency_records: 1 },
  },
  {
    name: 'POST /coupon-codes, many, once',
    method: 'POST',
    path: couponCodes,
    body: manyCodes,
    headers: once,
    status: 201,
    effect: { coupon_codes: 5, idempotency_records: 1 },
  },
  {
    name: 'PUT /coupon-codes/:id',
    method: 'PUT',
    path: codeItem,
    body: code,
    status: 200,
    effect: {},
  },
  {
    name: 'PATCH /coupon-codes/:id',
    method: 'PATCH',
    path: codeItem,
    body: ({ unique }) => ({ description: unique }),
    status: 200,
    effect: {},
  },
  {
    name: 'DELETE /coupon-codes/:id',
    method: 'DELETE',
    path: codeItem,
    status: 200,
    effect: { coupon_codes: -1, tombstones: 1 },
  },
  {
    name: 'a push',
    method: 'POST',
    path: () => '/products?match=sku',
    body: mixed,
    status: 200,
    effect: { products: 1 },
  },
  {
    name: 'a large push',
    method: 'POST',
    path: () => '/products?match=sku',
    body: manyProducts,
    status: 200,
    effect: { products: LARGE.length },
  },
  {
    name: 'a push, once',
    method: 'POST',
    path: () => '/products?match=sku',
    body: mixed,
    headers: once,
    status: 200,
    effect: { products: 1, idempotency_records: 1 },
  },
  {
    name: 'a lenient push',
    method: 'POST',
    path: () => '/products?match=sku',
    body: withRefused,
    headers: lenient,
    status: 200,
    effect: {},
  },
  {
    name: 'a lenient push, once',
    method: 'POST',
    path: () => '/products?match=sku',
    body: withRefused,
    headers: { ...once, ...lenient },
    status: 200,
    effect: { idempotency_records: 1 },
  },
  {
    name: 'a push of coupon codes',
    method: 'POST',
    path: () => '/coupon-codes?match=code',
    body: manyCodes,
    status: 200,
    effect: { coupon_codes: 5 },
  },
];
