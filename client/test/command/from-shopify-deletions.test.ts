import { expect, it } from 'vitest';
import { START } from '../../src/stores/shopify/queries.ts';
import { code, percentage } from './shopify/catalogue.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';
import type { ShopAnswer, StandIn } from './shopify/stand-in.ts';

const DELETE = ['--delete', '--max-delete', '100%'];

/** Lets the lists lack something, while the shop still has it. */
function hide(shop: StandIn, id: string): void {
  shop.faults.hidden = new Set([id]);
}

it('`sync --from shopify --delete` keeps what the shop has, though the result lacked it', async () => {
  const { sync, report, shop, products } = await shopAndBrand();
  await sync();
  const [, shirt] = shop.catalogue.products;
  const id = shirt?.id ?? '';
  hide(shop, id);
  const document = await report(DELETE);
  expect(document).toMatchObject({ deleted: 0, unchanged: 42 });
  expect(JSON.stringify(document)).toContain(
    `the store has ${shirt?.variants[0]?.id ?? ''}, although its list lacked it`,
  );
  expect(await products()).toHaveLength(48);
});

it.each<[string, ShopAnswer, RegExp]>([
  ['refuses', { status: 403, body: '' }, /forbids this app to ask/],
  ['answers for some', { status: 200, body: { data: { nodes: [null] } } }, /did not say of each/],
  [
    'answers for others',
    { status: 200, body: { data: { nodes: [null, { id: 'gid://shopify/ProductVariant/1' }] } } },
    /did not say of each/,
  ],
])(
  '`sync --from shopify --delete` deletes nothing if the shop does not say what it has: it %s',
  async (_, answer, sentence) => {
    const { sync, shop, products } = await shopAndBrand();
    await sync();
    shop.catalogue.products.splice(5, 2);
    shop.faults.answer = ({ name }) => (name === 'Nodes' ? answer : undefined);
    const { code: exit, stderr } = await sync(DELETE);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(await products()).toHaveLength(48);
  },
);

it.each([
  ['--match', 'storeProductId'],
  ['--match', 'handle'],
])(
  '`sync --from shopify --delete` keeps a product of which the first variant is gone: %s %s',
  async (...match) => {
    const { report, shop, products } = await shopAndBrand();
    const words = ['--variants', 'first', ...match, ...DELETE];
    await report(words);
    const [, shirt] = shop.catalogue.products;
    shirt?.variants.shift();
    hide(shop, shirt?.id ?? '');
    expect(await report(words)).toMatchObject({ deleted: 0 });
    expect((await products()).map((one) => one.storeProductId)).toContain(shirt?.id);
  },
);

it('`sync --from shopify --delete` keeps a product whose product the service does not name right', async () => {
  const { report, shop, client, products } = await shopAndBrand();
  await report();
  const [mug] = shop.catalogue.products;
  const [first] = await products();
  await client.products.update(first?.id ?? '', { storeProductId: 'gid://shopify/Product/1' });
  hide(shop, mug?.id ?? '');
  expect(await report(DELETE)).toMatchObject({ deleted: 0, kept: [{ id: first?.id }] });
});

it('`sync --from shopify --delete` keeps a code that the service spells in another way, if it is matched by its discount', async () => {
  const { report, shop, client, codes } = await shopAndBrand();
  const words = ['--collection', 'coupon-codes', '--match', 'storeDiscountId', ...DELETE];
  const { discounts } = shop.catalogue;
  discounts.splice(1, 1);
  await report(words);
  const [first] = await codes();
  await client.couponCodes.update(first?.id ?? '', { code: 'EDITED' });
  hide(shop, discounts[0]?.id ?? '');
  expect(await report(words)).toMatchObject({ deleted: 0, kept: [{ id: first?.id }] });
});

it('`sync --from shopify --delete` calls no night good on which the shop gives fewer variants than it counts', async () => {
  const { sync, report, shop, products } = await shopAndBrand();
  await sync();
  shop.listLimit = 3;
  const [, shirt] = shop.catalogue.products;
  const half = {
    nodes: shirt?.variants.slice(0, 3),
    pageInfo: { hasNextPage: false, endCursor: null },
  };
  shop.faults.answer = ({ name }) =>
    name === 'Variants' ? { status: 200, body: { data: { node: { variants: half } } } } : undefined;
  const document = await report(DELETE);
  expect(document).toMatchObject({ deleted: 0 });
  expect(JSON.stringify(document)).toMatch(
    /The shop counts 6 variants of product \d+, and gives 3/,
  );
  expect((await sync(DELETE)).code).toBe(1);
  expect(await products()).toHaveLength(48);
});

it('`sync --from shopify --delete` gives up a list whose pages name each other as the next one', async () => {
  const { sync, shop, products } = await shopAndBrand();
  await sync();
  shop.listLimit = 3;
  let asked = 0;
  shop.faults.answer = ({ name }) => {
    if (name !== 'Variants') return undefined;
    // Otherwise it would ask for ever.
    if (++asked > 50) return { status: 404, body: '' };
    const pageInfo = { hasNextPage: true, endCursor: asked % 2 === 0 ? 'a' : 'b' };
    return { status: 200, body: { data: { node: { variants: { nodes: [], pageInfo } } } } };
  };
  const { code, stderr } = await sync(DELETE);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/does not show all variants of/)]);
  expect(asked).toBe(3);
  expect(await products()).toHaveLength(48);
});

it('`sync --from shopify --delete` keeps a product without an id of Shopify', async () => {
  const { sync, report, client, products } = await shopAndBrand();
  await sync();
  await client.products.create({
    title: 'Strange',
    priceCents: 1,
    source: 'SHOPIFY',
    storeVariantId: 'none-of-shopify',
  });
  const document = await report(DELETE);
  expect(document).toMatchObject({ deleted: 0 });
  expect(JSON.stringify(document)).toContain('it has no id of Shopify');
  expect(await products()).toHaveLength(49);
});

it('`sync --from shopify --delete` keeps a code without an id of Shopify, such as one that people made in the service', async () => {
  const { sync, report, client, codes } = await shopAndBrand();
  await sync(['--collection', 'coupon-codes']);
  await client.couponCodes.createMany([
    { code: 'ATHLETE', discountPercent: 10 },
    { code: 'OF-WOO', discountPercent: 10, storeDiscountId: '4711' },
  ]);
  const document = await report(['--collection', 'coupon-codes', ...DELETE]);
  const reason = 'it has no id of Shopify, so the store cannot be asked about it';
  expect(document).toMatchObject({
    deleted: 0,
    kept: [
      { key: 'ATHLETE', reason },
      { key: 'OF-WOO', reason },
    ],
  });
  expect((await codes()).map((one) => one.code)).toContain('ATHLETE');
});

it('`sync --from shopify --delete` writes nothing to the shop, and shows its token to nobody else', async () => {
  const { sync, shop } = await shopAndBrand();
  await sync();
  shop.catalogue.products.splice(5, 1);
  await sync(DELETE);
  expect(new Set(shop.mutations)).toEqual(new Set([START]));
  expect(shop.asked).toContain('Nodes');
  expect(shop.fileHeaders.length).toBeGreaterThan(0);
  expect(shop.fileHeaders.join('\n')).not.toContain('shpat');
});

it('`sync --from shopify --delete` deletes only codes that the shop does not have', async () => {
  const { sync, report, shop, codes } = await shopAndBrand();
  await sync(['--collection', 'coupon-codes']);
  const { discounts } = shop.catalogue;
  discounts.splice(0, 1);
  discounts.push(percentage(0.5, [code('HALF')]));
  hide(shop, discounts[0]?.id ?? '');
  const document = await report(['--collection', 'coupon-codes', ...DELETE]);
  expect(document).toMatchObject({ created: 1, deleted: 1 });
  expect(JSON.stringify(document)).toContain('the store has the code, although');
  const left = (await codes()).map((one) => one.code);
  expect(left).not.toContain('SEVEN');
  expect(left).toContain('TEAM-A');
  expect(left).toContain('HALF');
});
