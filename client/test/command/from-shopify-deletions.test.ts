import { expect, it } from 'vitest';
import { Failure } from '../../../common/failure.ts';
import { START } from '../../src/stores/shopify/queries.ts';
import { shopify } from '../../src/stores/shopify/store.ts';
import { readStore, whyKept } from './read-store.ts';
import type { ShopProduct } from './shopify/catalogue.ts';
import { code, percentage, variant } from './shopify/catalogue.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';
import type { ShopAnswer } from './shopify/stand-in.ts';
import { StandIn } from './shopify/stand-in.ts';

const DELETE = ['--delete', '--max-delete', '100%'];

/** Lets the lists lack something, while the shop still has it. */
function hide(shop: StandIn, id: string): void {
  shop.faults.hidden = new Set([id]);
}

/** A shop that shows the result of a bulk operation at once, and its shirt of several variants. */
async function shopWithShirt(): Promise<{ shop: StandIn; shirt: ShopProduct }> {
  const shop = await StandIn.start();
  shop.showings = 0;
  const [, shirt] = shop.catalogue.products;
  if (shirt === undefined) throw new Error('The catalogue has changed.');
  return { shop, shirt };
}

const LACKED = /^the store has .*, although its list lacked it$/;
const NO_ID = 'it has no id of Shopify, so the store cannot be asked about it';

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

it.each<[string, ShopAnswer, RegExp]>([
  ['refuses', { status: 403, body: '' }, /forbids this app to ask/],
  ['answers for some', { status: 200, body: { data: { nodes: [null] } } }, /did not say of each/],
  [
    'answers for others',
    { status: 200, body: { data: { nodes: [null, { id: 'gid://shopify/ProductVariant/1' }] } } },
    /did not say of each/,
  ],
])(
  'What the list of a shop lacks is not known to be gone if the shop gives no answer: it %s',
  async (_, answer, sentence) => {
    const { shop } = await shopWithShirt();
    shop.faults.answer = ({ name }) => (name === 'Nodes' ? answer : undefined);
    const gone = [8, 9].map((number) => ({
      id: `${number}`,
      storeVariantId: `gid://shopify/ProductVariant/${number}`,
    }));
    const asked = whyKept(shopify, shop, gone);
    await expect(asked).rejects.toThrow(Failure);
    await expect(asked).rejects.toThrow(sentence);
  },
);

it.each([
  ['matched by its product', { variants: 'first', match: 'storeProductId' }],
  ['matched by its handle', { variants: 'first', match: 'handle' }],
] as const)(
  'What the list of a shop lacks stays if only its first variant is gone, with --variants first: %s',
  async (_, special) => {
    const { shop, shirt } = await shopWithShirt();
    const [first] = shirt.variants.splice(0, 1);
    const resource = { id: 'it', storeProductId: shirt.id, storeVariantId: first?.id };
    expect(await whyKept(shopify, shop, [resource], special)).toEqual([
      expect.stringMatching(LACKED),
    ]);
    // Otherwise the variant decides.
    expect(await whyKept(shopify, shop, [resource])).toEqual([undefined]);
  },
);

it('What the list of a shop lacks stays as a variant whose product the service does not name right', async () => {
  const { shop, shirt } = await shopWithShirt();
  const resource = {
    id: 'it',
    storeProductId: 'gid://shopify/Product/1',
    storeVariantId: shirt.variants[0]?.id,
  };
  expect(await whyKept(shopify, shop, [resource])).toEqual([expect.stringMatching(LACKED)]);
});

it('What the list of a shop lacks stays as a code that the service spells in another way, if it is matched by its discount', async () => {
  const { shop } = await shopWithShirt();
  const storeDiscountId = shop.catalogue.discounts[0]?.id.replace('Node', 'CodeNode');
  const resource = { id: 'it', code: 'EDITED', storeDiscountId };
  const special = { collection: 'coupon-codes' } as const;
  expect(
    await whyKept(shopify, shop, [resource], { ...special, match: 'storeDiscountId' }),
  ).toEqual([expect.stringMatching(LACKED)]);
  expect(await whyKept(shopify, shop, [resource], special)).toEqual([undefined]);
});

it('What the list of a shop lacks stays if it has no id of Shopify, such as a code that people made in the service', async () => {
  const { shop } = await shopWithShirt();
  const products = ['none-of-shopify', '4711', null].map((storeVariantId) => ({
    id: storeVariantId ?? '',
    storeVariantId,
  }));
  expect(await whyKept(shopify, shop, products)).toEqual(products.map(() => NO_ID));
  const codes = [
    { id: 'a', code: 'ATHLETE', storeDiscountId: null },
    { id: 'b', code: 'OF-WOO', storeDiscountId: '4711' },
  ];
  expect(await whyKept(shopify, shop, codes, { collection: 'coupon-codes' })).toEqual([
    NO_ID,
    NO_ID,
  ]);
});

it('A list of a shop of fewer variants than the shop counts is a problem', async () => {
  const { shop, shirt } = await shopWithShirt();
  shop.listLimit = 3;
  const half = {
    nodes: shirt.variants.slice(0, 3),
    pageInfo: { hasNextPage: false, endCursor: null },
  };
  shop.faults.answer = ({ name }) =>
    name === 'Variants' ? { status: 200, body: { data: { node: { variants: half } } } } : undefined;
  const { items, skipped } = await readStore(shopify, shop);
  const reason: unknown = expect.stringMatching(
    /^The shop counts 6 variants of product \d+, and gives 3\.$/,
  );
  expect([items.length, skipped]).toEqual([45, [{ key: null, reason, kind: 'problem' }]]);
});

it('A list of a shop that a bulk operation cuts off is read to its last page', async () => {
  const { shop, shirt } = await shopWithShirt();
  shop.listLimit = 3;
  const sizes = Array.from({ length: 600 }, (_, index) => variant([`${index}`]));
  shirt.variants.splice(0, Infinity, ...sizes);
  const { items, skipped } = await readStore(shopify, shop);
  expect([items.length, skipped]).toEqual([42 + 600, []]);
  expect(shop.asked.filter((name) => name === 'Variants').length).toBeGreaterThan(2);
});

it('A list of a shop is given up if its pages name each other as the next one', async () => {
  const { shop } = await shopWithShirt();
  shop.listLimit = 3;
  let asked = 0;
  shop.faults.answer = ({ name }) => {
    if (name !== 'Variants') return undefined;
    // Otherwise it would ask for ever.
    if (++asked > 50) return { status: 404, body: '' };
    const pageInfo = { hasNextPage: true, endCursor: asked % 2 === 0 ? 'a' : 'b' };
    return { status: 200, body: { data: { node: { variants: { nodes: [], pageInfo } } } } };
  };
  await expect(readStore(shopify, shop)).rejects.toThrow(/does not show all variants of/);
  expect(asked).toBe(3);
});

it('Nothing is written to a shop, and nobody else sees its token', async () => {
  const { shop, shirt } = await shopWithShirt();
  await readStore(shopify, shop);
  await whyKept(shopify, shop, [{ id: 'it', storeVariantId: shirt.variants[0]?.id }]);
  expect(new Set(shop.mutations)).toEqual(new Set([START]));
  expect(shop.asked).toContain('Nodes');
  expect(shop.fileHeaders.length).toBeGreaterThan(0);
  expect(shop.fileHeaders.join('\n')).not.toContain('shpat');
});
