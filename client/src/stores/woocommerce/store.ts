import type { Store } from '../store.ts';
import { WooCommerceApi } from './api.ts';
import { confirmGone } from './confirm.ts';
import { readWooCommerceCsv } from './csv.ts';
import { readWooCommerceJson } from './json.ts';
import { PageSizes } from './page-size.ts';
import { OTHER_FORMS } from './other-forms.ts';
import { readShop } from './read-store.ts';
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
    otherForms: OTHER_FORMS,
  },
  connect(options) {
    const settings = settingsIn(options.env);
    const api = new WooCommerceApi(settings, options);
    const sizes = new PageSizes();
    return {
      read: () => readShop(api, sizes, new URL(settings.address), options),
      confirm: (resources) => confirmGone(api, sizes, resources, options),
    };
  },
};
