import { contentOf } from '../content.ts';
import { accessIn } from './access.ts';
import { WooCommerceApi } from './api.ts';
import { confirmCoupons, confirmProducts } from './confirm.ts';
import { isInHole, skippedOf } from './holes.ts';
import { readCoupons, readProducts } from './read-store.ts';
import type { Source, StoreOptions } from '../source.ts';

/**
 * The API of a WooCommerce store.
 * @throws UsageError if the environment does not say where the store is and who asks
 */
export function woocommerceSource(options: StoreOptions): Source {
  const { env, signal, collection, onProgress, fetch = globalThis.fetch } = options;
  const api = new WooCommerceApi(accessIn(env), { fetch, signal });
  const isProducts = collection === 'products';
  return {
    async read() {
      const readAt = new Date();
      const { store, holes } = isProducts
        ? await readProducts(api, onProgress)
        : await readCoupons(api, readAt, onProgress);
      const content = contentOf(store, options);
      return {
        content: {
          ...content,
          skipped: [...content.skipped, ...holes.map(skippedOf)],
          isUnread: (resource) => isInHole(resource, holes),
        },
        readAt,
      };
    },
    confirm: async (resources) =>
      isProducts
        ? confirmProducts(api, resources, options)
        : confirmCoupons(api, resources, options),
  };
}
