import type { Store } from '../store.ts';
import { AdminApi } from './api.ts';
import { confirmGone } from './confirm.ts';
import { readShopifyCsv } from './products-csv.ts';
import { readShopifyDiscountsCsv } from './discounts-csv.ts';
import { readShopifyJson } from './json-files.ts';
import { WRONG_EXPORTS } from './wrong-exports.ts';
import { readStore } from './read-store.ts';
import { settingsIn, VARIABLES } from './settings.ts';

export const shopify: Store = {
  name: 'shopify',
  title: 'Shopify',
  source: 'SHOPIFY',
  collections: ['products', 'coupon-codes'],
  variables: VARIABLES,
  hasMarkup: false,
  namesOnlyVariant: false,
  otherPrice: 'compare-at price',
  files: {
    csv: { 'coupon-codes': readShopifyDiscountsCsv, products: readShopifyCsv },
    json: readShopifyJson,
    wrongExports: WRONG_EXPORTS,
  },
  connect(options) {
    const settings = settingsIn(options.env);
    const api = new AdminApi(settings, options);
    return {
      read: () => readStore(api, settings.shop, options),
      confirm: (resources) => confirmGone(api, resources, options),
    };
  },
};
