import { expect, it } from 'vitest';
import { syncedBrand } from './synced-brand.ts';
import { product, woocommerceAt } from './woocommerce-stand-in.ts';

it.each([
  ['https://my_shop.example', 'my_shop.example'],
  ['https://shop.example.', 'shop.example'],
  ['https://www.shop.example.', 'www.shop.example'],
])(
  'A shop is recorded by its domain, and is the same every night: %s, %s',
  async (url, storeDomain) => {
    const store = woocommerceAt(url);
    store.products.push(product(1));
    const { sync, client } = await syncedBrand('woocommerce', store);
    for (let night = 1; night <= 2; night++) {
      const { code, stderr } = await sync(['--record']);
      expect([code, stderr]).toEqual([0, '']);
    }
    const { data } = await client.profile.get();
    expect(data.connection).toMatchObject({
      storeDomain,
      status: 'CONNECTED',
      lastSyncError: null,
    });
  },
);
