import type { BrandClient, Product } from '../../client/src/index.ts';
import { BrandApiError } from '../../client/src/index.ts';
import { differences } from './differences.ts';
import type { ImportedProduct, Remark } from './shopify-export.ts';

/** Products made with one request. */
const BATCH = 100;

/** Products looked up at the same time. */
const LOOKUPS = 4;

const TOO_LARGE = 413;

/** What an import did, or would do. */
export interface ImportResult {
  created: number;
  changed: number;
  unchanged: number;
  /** Products that the service does not take. */
  readonly refused: Remark[];
}

/** How an import goes on. */
export interface ImportOptions {
  /** Only tells what would be done. */
  readonly dryRun: boolean;
  /** Called with the number of products that are done with since it was last called. */
  readonly onProgress: (count: number) => void;
  /** Ends the import between two requests. */
  readonly signal: AbortSignal;
}

/**
 * Brings products to the service: those that it has not are made, in batches; those that differ are changed; the others
 * are left alone. A product is known again by its handle and SKU, so that an import which was stopped can be run again.
 * @throws BrandApiError where the service does not answer, or refuses the key
 */
export async function importProducts(
  client: BrandClient,
  products: readonly ImportedProduct[],
  options: ImportOptions,
): Promise<ImportResult> {
  const { dryRun, onProgress, signal } = options;
  const result: ImportResult = { created: 0, changed: 0, unchanged: 0, refused: [] };

  for (const batch of chunks(products, BATCH)) {
    const missing: ImportedProduct[] = [];
    for (const some of chunks(batch, LOOKUPS)) {
      if (signal.aborted) return result;
      const known = await Promise.all(some.map((imported) => find(client, imported)));
      for (const [index, imported] of some.entries()) {
        const product = known[index];
        if (product === undefined) missing.push(imported);
        else if (typeof product !== 'string')
          await change(client, product, imported, dryRun, result);
        else result.refused.push({ handle: imported.handle, reason: product });
      }
      onProgress(known.filter((product) => product !== undefined).length);
    }
    if (signal.aborted) return result;
    await create(client, missing, dryRun, result);
    onProgress(missing.length);
  }
  return result;
}

/** The product that the service has of this handle and SKU, or why it can have none. */
async function find(
  client: BrandClient,
  { handle, sku }: ImportedProduct,
): Promise<Product | string | undefined> {
  try {
    for await (const product of client.products.list({ handle, ...(sku !== null && { sku }) })) {
      if (product.sku === sku) return product;
    }
  } catch (error) {
    return reasonOf(error);
  }
  return undefined;
}

async function change(
  client: BrandClient,
  product: Product,
  imported: ImportedProduct,
  dryRun: boolean,
  result: ImportResult,
): Promise<void> {
  const patch = differences(product, imported);
  if (patch === undefined) {
    result.unchanged++;
    return;
  }
  try {
    if (!dryRun) await client.products.update(product.id, patch);
    result.changed++;
  } catch (error) {
    result.refused.push({ handle: imported.handle, reason: reasonOf(error) });
  }
}

/**
 * Makes products at once. Where the service refuses some, these are left out and the others made all the same; where it
 * refuses so long a list, they are made in two.
 */
async function create(
  client: BrandClient,
  products: readonly ImportedProduct[],
  dryRun: boolean,
  result: ImportResult,
): Promise<void> {
  if (products.length === 0) return;
  try {
    if (!dryRun) await client.products.createMany(products.map((product) => ({ ...product })));
    result.created += products.length;
  } catch (error) {
    if (products.length > 1 && error instanceof BrandApiError && error.status === TOO_LARGE) {
      for (const half of chunks(products, Math.ceil(products.length / 2))) {
        await create(client, half, dryRun, result);
      }
      return;
    }
    const reasons = reasonsByIndex(reasonOf(error));
    if (reasons.size === 0) throw error;
    for (const [index, reason] of reasons) {
      result.refused.push({ handle: products[index]?.handle ?? '', reason });
    }
    await create(
      client,
      products.filter((_, index) => !reasons.has(index)),
      dryRun,
      result,
    );
  }
}

/** Why the service refused something; anything else than a refused value ends the import. */
function reasonOf(error: unknown): string {
  if (error instanceof BrandApiError && error.status === 400) return error.message;
  throw error;
}

/** The problems in `Invalid request: products.3.title: required; …`, by the index of the product. */
function reasonsByIndex(message: string): Map<number, string> {
  const reasons = new Map<number, string>();
  for (const [, index, problem = ''] of message.matchAll(
    /products\.(\d+)\.(.+?)(?=; products\.\d+\.|$)/gs,
  )) {
    const before = reasons.get(Number(index));
    reasons.set(Number(index), before === undefined ? problem : `${before}; ${problem}`);
  }
  return reasons;
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
