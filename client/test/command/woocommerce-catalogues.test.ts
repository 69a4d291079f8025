import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { commandOf } from './commanded.ts';
import { catalogues, wooCommerceJson } from './store-catalogues.ts';
import { woocommerce } from './woocommerce-stand-in.ts';

const rows = z.array(z.record(z.string(), z.unknown()));

it('A catalogue of WooCommerce is read from the store as from its JSON', async () => {
  const store = await woocommerce();
  const command = commandOf({ apiKey: '', baseUrl: 'http://127.0.0.1:9' });
  await fc.assert(
    fc.asyncProperty(catalogues, async (all) => {
      const text = wooCommerceJson(all);
      const found = rows.parse(JSON.parse(text));
      store.products = found.filter(({ type }) => type !== 'variation');
      store.variations = found.filter(({ type }) => type === 'variation');

      const fromStore = await command(['read', '--from', 'woocommerce'], { env: store.env });
      const fromFile = await command(['read', '-', '--currency', 'EUR'], { stdin: text });

      expect(fromStore).toEqual(fromFile);
      expect(fromStore.code).toBe(0);
    }),
    { numRuns: 50 },
  );
});
