import { expect, it } from 'vitest';
import { shopAndBrand } from './shopify/shop-and-brand.ts';

const DELETE = ['--delete', '--max-delete', '100%'];

const CODES = ['--collection', 'coupon-codes'];

it('A sync of the codes of Shopify creates each code of each percentage', async () => {
  const { sync, codes, shop } = await shopAndBrand();
  const { code: exit, stdout } = await sync(CODES);
  expect(exit).toBe(0);
  const [seven, team] = shop.catalogue.discounts;
  const idOf = (one: { id: string } | undefined): string | undefined =>
    one?.id.replace('DiscountNode', 'DiscountCodeNode');
  const common = { active: true, maxUses: null, currentUses: 0 };
  const ofTeam = {
    ...common,
    discountPercent: 10,
    description: 'Team',
    storeDiscountId: idOf(team),
  };
  expect(await codes()).toMatchObject([
    {
      ...common,
      code: 'SEVEN',
      discountPercent: 7,
      maxUses: 100,
      currentUses: 3,
      description: 'SEVEN',
      storeDiscountId: idOf(seven),
    },
    { ...ofTeam, code: 'TEAM-A', currentUses: 1 },
    { ...ofTeam, code: 'TEAM-B', currentUses: 2 },
    { ...ofTeam, code: 'Größe 20' },
    { ...common, code: 'EIGHTH', discountPercent: 12.5 },
    { ...common, code: 'NOTHING', discountPercent: 0 },
    { ...common, code: 'ALL', discountPercent: 100 },
    { ...common, code: 'OVER', currentUses: 12, active: false },
    { ...common, code: 'SOON', active: false },
    { ...common, code: 'JUST-OVER', active: false },
  ]);
  for (const reason of [
    'FIVE-OFF: it is a fixed amount',
    'ONE-FREE: it is Buy X Get Y',
    'SHIP: it is free shipping',
    'APP-CODE: an app decides what it gives',
  ]) {
    expect(stdout).toContain(reason);
  }
});

it('A sync of the codes of Shopify writes nothing if nothing has changed, also where Shopify has cut off the codes', async () => {
  const { sync, report, shop } = await shopAndBrand();
  await sync(CODES);
  shop.listLimit = 1;
  expect(await report([...CODES, ...DELETE])).toMatchObject({
    unchanged: 10,
    created: 0,
    updated: 0,
    deleted: 0,
  });
  expect(shop.asked).toContain('Codes');
});
