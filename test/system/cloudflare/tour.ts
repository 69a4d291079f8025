import { expect } from 'vitest';
import type { Product } from '../../../client/src/index.ts';
import { BrandClient } from '../../../client/src/index.ts';
import { all } from '../../node/outcomes.ts';

/** The service as an integration uses it: every operation, through the typed client. One product stays. */
export async function tour(baseUrl: string, apiKey: string): Promise<Product> {
  const client = new BrandClient({ apiKey, baseUrl, tries: 1 });

  const profile = await client.getProfile();
  const { brandName } = profile.data.brand;
  const patched = await client.updateProfile(
    { connection: { status: 'CONNECTED' } },
    { ifMatch: profile.etag },
  );
  expect(patched.data.connection.status).toBe('CONNECTED');
  await client.replaceProfile({ brand: { brandName }, connection: {} }, { ifMatch: patched.etag });

  const { products, couponCodes } = client;
  const made = await products.create({ title: 'Rope', priceCents: 1250 });
  const updated = await products.update(made.data.id, { priceCents: 999 }, { ifMatch: made.etag });
  const replaced = await products.replace(made.data.id, { title: 'Cord', priceCents: 1 });
  expect(replaced.etag).not.toBe(updated.etag);
  expect((await products.get(made.data.id)).data).toMatchObject({ title: 'Cord', priceCents: 1 });
  const [kept] = await products.createMany([
    { title: 'Kept', priceCents: 3, storeProductId: 'gid://shopify/Product/1' },
  ]);
  expect((await all(products.list())).map(({ id }) => id)).toEqual(
    expect.arrayContaining([made.data.id, kept?.id]),
  );
  await products.delete(made.data.id);

  const code = `TOUR-${crypto.randomUUID()}`;
  const coupon = await couponCodes.create({ code, discountPercent: 10 });
  await couponCodes.update(coupon.data.id, { active: false });
  await couponCodes.replace(coupon.data.id, { code, discountPercent: 20 });
  expect((await couponCodes.get(coupon.data.id)).data.discountPercent).toBe(20);
  expect(await all(couponCodes.list({ code }))).toHaveLength(1);
  await couponCodes.delete(coupon.data.id);

  if (kept === undefined) throw new Error('The product was not created.');
  return kept;
}

/** The status of a read with a key. */
export async function statusOf(
  baseUrl: string,
  apiKey: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(`${baseUrl}/api/brand/v1/products`, {
    headers: { Authorization: `Bearer ${apiKey}`, ...headers },
  });
  await response.text();
  return response.status;
}
