import type { StoreStatus } from '../store-product.ts';

const STATUSES: ReadonlyMap<string, StoreStatus> = new Map(
  (['ACTIVE', 'ARCHIVED', 'DRAFT', 'UNLISTED'] as const).map((status) => [status, status]),
);

/** Returns the status of a product: GraphQL writes it in capitals, REST and CSV in small letters. */
export function statusOf(value: unknown): StoreStatus | undefined {
  return typeof value === 'string' ? STATUSES.get(value.toUpperCase()) : undefined;
}

/** What Shopify calls the only variant of a product without options. */
export const DEFAULT_TITLE = 'Default Title';
