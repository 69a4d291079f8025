import { expect, it } from 'vitest';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';

// What the operations in test/fixtures do. What they have in common with all others, the tests of all operations try.

it('An archived product is shown as archived, and the others stay', async () => {
  const brand = await TestBrand.create();
  const bar = { title: 'Bar', priceCents: 1, serviceListingStatus: 'LIVE' };
  const { id } = await brand.create('/products', bar);
  const other = await brand.create('/products', bar);
  const answer = await brand.send('POST', `/products/${id}/archive`);
  expect(resourceOf(answer)).toMatchObject({ ...bar, serviceListingStatus: 'ARCHIVED' });
  expect(await brand.list('/products')).toEqual([resourceOf(answer), other]);
});

const created = async (brand: TestBrand, maxUses: number | null): Promise<string> => {
  const { id } = await brand.create('/coupon-codes', { code: 'C', discountPercent: 10, maxUses });
  return `/coupon-codes/${id}`;
};

it('A coupon code is redeemed until no use is left: one that is refused keeps its fields and its tag', async () => {
  const brand = await TestBrand.create();
  const path = await created(brand, 2);
  for (const currentUses of [1, 2]) {
    const answer = await brand.send('POST', `${path}/redeem`);
    expect(resourceOf(answer)).toMatchObject({ currentUses });
  }
  const before = await brand.send('GET', path);
  const refused = await brand.send('POST', `${path}/redeem`);
  expect([refused.status, refused.body]).toEqual([
    409,
    { error: 'This coupon code has no use left.' },
  ]);
  const after = await brand.send('GET', path);
  expect([after.text, after.headers.get('ETag')]).toEqual([
    before.text,
    before.headers.get('ETag'),
  ]);
});

it('A coupon code without a limit is redeemed without end', async () => {
  const brand = await TestBrand.create();
  const path = await created(brand, null);
  for (const currentUses of [1, 2, 3]) {
    const answer = await brand.send('POST', `${path}/redeem`);
    expect(resourceOf(answer)).toMatchObject({ currentUses });
  }
});

it('A coupon code is redeemed as often as it may, and no more, by clients at once', async () => {
  const brand = await TestBrand.create();
  const path = await created(brand, 5);
  const answers = Array.from({ length: 12 }, () => brand.send('POST', `${path}/redeem`));
  const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(7).fill(409)]);
});

it.each(collections)('The count is that of the resources of the brand alone: $path', async (of) => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  await other.create(of.path, of.bare(1));
  for (const count of [0, 1, 2]) {
    expect((await brand.send('GET', `${of.path}/count`)).body).toEqual({ count });
    await brand.create(of.path, of.bare(count));
  }
});
