import type { BrandClient } from '../src/index.ts';
import { all } from './outcomes.ts';

/** The id of a resource that nobody has. */
export const ID = '01890000-0000-7000-8000-000000000000';

/** An item to push or create. */
export const ITEM = { sku: 'S', title: 'T', priceCents: 1 };

/** Calls the client. */
export type Call = (client: BrandClient, options?: object) => Promise<unknown>;

const PROFILE = { brand: { brandName: 'B' }, connection: {} };

/** All calls of the client that change what may have an entity tag. */
export const CHANGES: Readonly<Record<string, Call>> = {
  replace: ({ products }, options) => products.replace(ID, ITEM, options),
  update: ({ couponCodes }, options) => couponCodes.update(ID, {}, options),
  delete: ({ couponCodes }, options) => couponCodes.delete(ID, options),
  'profile.replace': (client, options) => client.profile.replace(PROFILE, options),
  'profile.update': (client, options) => client.profile.update({}, options),
};

/** All calls of the client. */
export const CALLS: Readonly<Record<string, Call>> = {
  list: ({ products }, options) => all(products.list({}, options)),
  changes: ({ products }, options) => all(products.changes(options)),
  get: ({ products }, options) => products.get(ID, options),
  create: ({ products }, options) => products.create(ITEM, options),
  createMany: ({ products }, options) => products.createMany([ITEM], options),
  push: ({ products }, options) => products.push([ITEM], { match: 'sku', ...options }),
  'profile.get': (client, options) => client.profile.get(options),
  ...CHANGES,
};
