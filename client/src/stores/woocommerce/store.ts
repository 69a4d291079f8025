import type { Store } from '../store.ts';
import { WooCommerceApi } from './api.ts';
import { confirmCoupons, confirmProducts } from './confirm.ts';
import { readWooCommerceCsv } from './csv.ts';
import { readWooCommerceJson } from './json.ts';
import { OTHER_FORMS } from './other-forms.ts';
import { readCoupons, readProducts } from './read-store.ts';
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
    json: [readWooCommerceJson],
    otherForms: OTHER_FORMS,
  },
  connect(options) {
    const { env, collection, onProgress } = options;
    const settings = settingsIn(env);
    const api = new WooCommerceApi(settings, options);
    const isProducts = collection === 'products';
    return {
      async read() {
        const readAt = new Date();
        const content = isProducts
          ? await readProducts(api, onProgress)
          : await readCoupons(api, readAt, onProgress);
        return { content, readAt, domains: [new URL(settings.address).hostname] };
      },
      confirm: async (resources) =>
        isProducts
          ? confirmProducts(api, resources, options)
          : confirmCoupons(api, resources, options),
    };
  },
};
