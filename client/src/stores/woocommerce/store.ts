import type { Store } from '../store.ts';
import { WooCommerceApi } from './api.ts';
import { confirmGone } from './confirm.ts';
import { readWooCommerceCsv } from './products-csv.ts';
import { readWooCommerceJson } from './json-files.ts';
import { AdaptivePageSize } from './adaptive-page-size.ts';
import { WRONG_EXPORTS } from './wrong-exports.ts';
import { readStore } from './read-store.ts';
import { settingsIn, VARIABLES } from './settings.ts';

export const woocommerce: Store = {
  name: 'woocommerce',
  title: 'WooCommerce',
  source: 'WOOCOMMERCE',
  collections: ['products', 'coupon-codes'],
  variables: VARIABLES,
  hasMarkup: true,
  namesOnlyVariant: true,
  otherPrice: 'sale price',
  files: {
    csv: { products: readWooCommerceCsv },
    json: readWooCommerceJson,
    wrongExports: WRONG_EXPORTS,
  },
  connect(options) {
    const settings = settingsIn(options.env);
    const api = new WooCommerceApi(settings, options);
    const pageSize = new AdaptivePageSize();
    return {
      read: () => readStore(api, pageSize, new URL(settings.address), options),
      confirm: (resources) => confirmGone(api, pageSize, resources, options),
    };
  },
};
