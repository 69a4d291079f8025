import type { Answer, Resource, TestBrand } from './brand.ts';

/** An item of a push, as a client sends it. */
export type Item = Readonly<Record<string, unknown>>;

/** What a push answers for one item. */
export interface Result {
  readonly id: string | null;
  readonly status: string;
  readonly error?: string;
}

/** How a push is sent. */
export interface PushOptions {
  readonly headers?: Record<string, string>;
  readonly dryRun?: boolean;
  readonly db?: D1Database;
}

export const LENIENT = { Prefer: 'handling=lenient' };

/** A collection as its pushes are tested: what differs between the two. */
export interface Pushed {
  readonly path: string;
  readonly many: string;
  /** What errors call one. */
  readonly noun: string;
  /** The fields of a new one, besides the one that matches. */
  readonly bare: (n: number) => Item;
  /** Values of the fields that match, besides `id`; those of different numbers differ. */
  readonly values: Readonly<Record<string, (n: number) => string>>;
  /** What a POST needs, as it is reported if it is missing. */
  readonly required: (match: string) => string[];
}

export const products: Pushed = {
  path: '/products',
  many: 'products',
  noun: 'product',
  bare: (n) => ({ title: `Item ${n}`, priceCents: n }),
  values: {
    storeProductId: (n) => `gid://shop/Product/${n}`,
    storeVariantId: (n) => `gid://shop/Variant/${n}`,
    sku: (n) => `A-${n}`,
    handle: (n) => `item-${n}`,
  },
  required: () => ['title', 'priceCents'],
};

export const couponCodes: Pushed = {
  path: '/coupon-codes',
  many: 'couponCodes',
  noun: 'coupon code',
  bare: (n) => ({ code: `CODE${n}`, discountPercent: (n % 99) + 1 }),
  values: {
    code: (n) => `CODE${n}`,
    storeDiscountId: (n) => `gid://shop/Discount/${n}`,
  },
  required: (match) => (match === 'code' ? [] : ['code']).concat('discountPercent'),
};

/** Each collection with each field by which its items can find resources, besides `id`. */
export const fields: readonly { readonly of: Pushed; readonly match: string }[] = [
  products,
  couponCodes,
].flatMap((of) => Object.keys(of.values).map((match) => ({ of, match })));

/** An item that creates: it has the field that matches, and what a POST needs. */
export function newItem(of: Pushed, match: string, n: number): Item {
  return { ...of.bare(n), [match]: of.values[match]?.(n) };
}

/** Sends a push. */
export async function push(
  brand: TestBrand,
  of: Pushed,
  match: string,
  items: readonly unknown[],
  { headers = {}, dryRun, db }: PushOptions = {},
): Promise<Answer> {
  const parameters = dryRun === undefined ? '' : `&dryRun=${String(dryRun)}`;
  const body = { [of.many]: items };
  return brand.send('POST', `${of.path}?match=${match}${parameters}`, body, {
    headers,
    ...(db && { db }),
  });
}

/** The results in an answer with status 200. */
export function resultsOf({ status, body, text }: Answer): Result[] {
  const { results } = body;
  if (status !== 200 || !Array.isArray(results)) throw new Error(`No results: ${status} ${text}`);
  return results.map((result: unknown) => resultOf(result));
}

/** The status of each item, and why it was refused if it was. */
export function outcomes(answer: Answer): string[] {
  return resultsOf(answer).map(({ status, error }) => error ?? status);
}

/** The resources in the answer to a push; those of a dry run may have no id. */
export function pushedOf({ body, text }: Answer, { many }: Pushed): Record<string, unknown>[] {
  const list = body[many];
  if (!Array.isArray(list) || !list.every(isRecord)) throw new Error(`No ${many} in ${text}`);
  return list;
}

/** All resources of a brand in a collection, oldest first. */
export async function listed(brand: TestBrand, { path }: Pushed): Promise<Resource[]> {
  const [list] = Object.values((await brand.send('GET', path)).body);
  if (!Array.isArray(list) || !list.every(isResource)) throw new Error('No list.');
  return list;
}

function resultOf(value: unknown): Result {
  if (!isRecord(value)) throw new Error('A result is no object.');
  const { id, status, error } = value;
  return {
    id: typeof id === 'string' ? id : null,
    status: String(status),
    ...(typeof error === 'string' && { error }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isResource(value: unknown): value is Resource {
  return isRecord(value) && typeof value['id'] === 'string';
}
