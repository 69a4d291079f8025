import type { StoreStatus } from '../store-product.ts';

/** The statuses of products. GraphQL writes them in capitals, REST and CSV in small letters. */
export const STATUSES: ReadonlyMap<string, StoreStatus> = new Map([
  ['active', 'ACTIVE'],
  ['archived', 'ARCHIVED'],
  ['draft', 'DRAFT'],
  ['unlisted', 'UNLISTED'],
]);

/** What Shopify calls the only variant of a product without options. */
export const DEFAULT_TITLE = 'Default Title';
