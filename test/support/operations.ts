import type { Answer, RequestOptions, TestBrand } from './brand.ts';
import { send } from './brand.ts';

/** The ids in the paths of operations. */
export interface Ids {
  readonly productId: string;
  readonly couponCodeId: string;
}

/** An operation of the service. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** Its path below `/api/brand/v1`. */
  readonly path: (ids: Ids) => string;
  /** A valid body, if the operation takes one. */
  readonly body?: unknown;
  /** The status on success. */
  readonly status: number;
  /** The name of its resource in errors. */
  readonly noun?: string;
}

export const validProduct = { title: 'Test product', priceCents: 1999 };
export const validCouponCode = { code: 'OPERATION', discountPercent: 15 };
export const validProfile = { brand: { brandName: 'Test brand' }, connection: {} };

const profile = (): string => '/profile';
const products = (): string => '/products';
const product = ({ productId }: Ids): string => `/products/${productId}`;
const couponCodes = (): string => '/coupon-codes';
const couponCode = ({ couponCodeId }: Ids): string => `/coupon-codes/${couponCodeId}`;
const oneProduct = { path: product, noun: 'Product', status: 200 };
const oneCouponCode = { path: couponCode, noun: 'Coupon code', status: 200 };

const table: readonly Omit<Operation, 'name'>[] = [
  { method: 'GET', path: profile, status: 200 },
  { method: 'PUT', path: profile, status: 200, body: validProfile },
  { method: 'PATCH', path: profile, status: 200, body: { brand: { description: 'Changed' } } },
  { method: 'GET', path: products, status: 200 },
  { method: 'POST', path: products, status: 201, body: validProduct },
  { method: 'GET', ...oneProduct },
  { method: 'PUT', ...oneProduct, body: validProduct },
  { method: 'PATCH', ...oneProduct, body: { priceCents: 2499 } },
  { method: 'DELETE', ...oneProduct },
  { method: 'GET', path: couponCodes, status: 200 },
  { method: 'POST', path: couponCodes, status: 201, body: validCouponCode },
  { method: 'GET', ...oneCouponCode },
  { method: 'PUT', ...oneCouponCode, body: validCouponCode },
  { method: 'PATCH', ...oneCouponCode, body: { active: false } },
  { method: 'DELETE', ...oneCouponCode },
];

/** As the document names them. */
const placeholders: Ids = { productId: ':productId', couponCodeId: ':codeId' };

/** Ids that are all the same. */
export function idsThatAre(id: string): Ids {
  return { productId: id, couponCodeId: id };
}

export const operations: readonly Operation[] = table.map((operation) => ({
  ...operation,
  name: `${operation.method} ${operation.path(placeholders)}`,
}));

export const reads = operations.filter(({ method }) => method === 'GET');
export const writes = operations.filter(({ method }) => method !== 'GET');
export const withBody = operations.filter(({ body }) => body !== undefined);
export const onItems = operations.filter(({ noun }) => noun !== undefined);

/** Creates a product and a coupon code for the operations. */
export async function makeResources(brand: TestBrand): Promise<Ids> {
  const product = await brand.create('/products', { title: 'Before', priceCents: 1 });
  const code = `BEFORE-${product.id}`;
  const couponCode = await brand.create('/coupon-codes', { code, discountPercent: 1 });
  return { productId: product.id, couponCodeId: couponCode.id };
}

/** Sends an operation with its valid body and only the given headers. */
export async function perform(
  { method, path, body }: Operation,
  ids: Ids,
  options: RequestOptions = {},
): Promise<Answer> {
  return send(method, `/api/brand/v1${path(ids)}`, {
    ...(body !== undefined && { raw: JSON.stringify(body) }),
    ...options,
  });
}

/** Returns the header with a brand's key. */
export function bearer({ issued }: TestBrand): { Authorization: string } {
  return { Authorization: `Bearer ${issued.apiKey}` };
}

/** Returns everything that the brand can read, as text. Two equal snapshots show that nothing changed in between. */
export async function snapshot(brand: TestBrand, ids: Ids): Promise<string[]> {
  const answers = reads.map((read) => perform(read, ids, { headers: bearer(brand) }));
  return (await Promise.all(answers)).map(({ text }) => text);
}
