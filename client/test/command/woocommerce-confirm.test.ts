import { expect, it } from 'vitest';
import type { AnyResource } from '../../src/stores/source.ts';
import { woocommerce as platform } from '../../src/stores/woocommerce/store.ts';
import { whyKept } from './read-store.ts';
import { containing } from './woocommerce-shop.ts';
import type { StandIn } from './woocommerce-stand-in.ts';
import {
  coupon,
  NO_WORD,
  product,
  unknown,
  variableProduct,
  variation,
  woocommerce,
} from './woocommerce-stand-in.ts';

// What the list of a store lacks: is it gone? That a sync asks for it, and keeps what is not, woocommerce-sync.test.ts says.

/** A product of the service, by what it has of the store. */
function resource(variant: unknown, product: unknown = variant): AnyResource {
  return {
    id: `${String(variant)} of ${String(product)}`,
    storeVariantId: variant,
    storeProductId: product,
  };
}

/** A store with two products and a variable one. */
async function shop(): Promise<StandIn> {
  const store = await woocommerce();
  store.products = [product(1), product(2), variableProduct(200, [201, 202])];
  store.variations = [variation(201, 200, '38'), variation(202, 200, '39')];
  return store;
}

const VARIATIONS = [resource('201', '200'), resource('202', '200')];

it.each([
  ['for good', () => []],
  ['to the trash', () => [variableProduct(200, [], { status: 'trash' })]],
])(
  'A product of WooCommerce that the list lacks is gone with its variations if it was deleted: it went %s',
  async (_, remains) => {
    const store = await shop();
    store.products = remains();
    store.variations = store.variations.map((one) => ({ ...one, status: 'trash' }));

    expect(await whyKept(platform, store, [resource('1'), ...VARIATIONS])).toEqual(
      Array(3).fill(undefined),
    );
  },
);

it('A product of WooCommerce that the list lacks stays if the store has it, whatever product the service says that it is of', async () => {
  const store = await shop();
  const expected = containing('the store has product 1, although its list lacked it');

  expect(await whyKept(platform, store, [resource('1'), resource('1', '99999')])).toEqual([
    expected,
    expected,
  ]);
});

it('A product of WooCommerce that the list lacks stays if it has variations now', async () => {
  const store = await shop();

  expect(await whyKept(platform, store, [resource('200')])).toEqual([
    containing('with variations now'),
  ]);
});

it('A variation of WooCommerce that the list lacks stays if the store has it, though its product is gone', async () => {
  const store = await shop();
  store.products = [];

  expect(await whyKept(platform, store, VARIATIONS)).toEqual(
    ['201', '202'].map((id) => containing(`the store has variation ${id}`)),
  );
});

it('A product of WooCommerce that the list lacks stays if it has other ids than a product of WooCommerce', async () => {
  const others = ['gid://shopify/ProductVariant/1', '1; 2', null].map((id) => resource(id));

  expect(await whyKept(platform, await shop(), others)).toEqual(
    others.map(() => containing('no id of WooCommerce')),
  );
});

// Which ids decide about a product is proved with Shopify.
it('A product of WooCommerce that the list lacks stays if only its first variant is gone, where that stands for the whole', async () => {
  const store = await shop();
  store.variations = store.variations.slice(1);
  const [first] = VARIATIONS;

  const special = { variants: 'first', match: 'handle' } as const;
  expect(await whyKept(platform, store, first === undefined ? [] : [first], special)).toEqual([
    containing('the store has product 200'),
  ]);
});

it('A product of WooCommerce that the list lacks is asked for with many others at once', async () => {
  const store = await shop();
  store.products = Array.from({ length: 100 }, (_, index) =>
    product(index + 1, index < 50 ? { status: 'trash' } : {}),
  );

  const all = Array.from({ length: 100 }, (_, index) => resource(String(index + 1)));
  const kept = (await whyKept(platform, store, all)).map((why) => why !== undefined);
  expect(kept).toEqual(all.map((_, index) => index >= 50));
  expect(store.asked).toHaveLength(2);
});

it.each([...NO_WORD, ['404 for a coupon', unknown('shop_coupon')] as const])(
  'A product of WooCommerce that the list lacks is not known to be gone after an answer that says nothing: %s',
  async (_, fault) => {
    const store = await woocommerce();
    store.onRequest = ({ path }) => (path === '/products' ? undefined : fault);

    await expect(whyKept(platform, store, [resource('25')])).rejects.toThrow(
      /does not say whether it has product 25|answered .* with no JSON|refuses the request/,
    );
  },
);

const special = { collection: 'coupon-codes' } as const;
const resources = [{ id: 'of 1', code: 'edited', storeDiscountId: '1' }];

it.each([
  ...NO_WORD,
  ['404 for a product', unknown('product')] as const,
  ['a coupon without a code', { body: '{"id":1,"status":"publish"}' }] as const,
])(
  'A coupon of WooCommerce that the list lacks is not known to be gone after an answer that says nothing: %s',
  async (_, fault) => {
    const store = await woocommerce();
    store.onRequest = ({ path }) => (path === '/coupons' ? undefined : fault);

    await expect(whyKept(platform, store, resources, special)).rejects.toThrow(
      /does not say (?:whether it has coupon 1|which code coupon 1 has)|with no JSON|refuses the request/,
    );
  },
);

it.each([
  ['has another code by now, and is another one', 'code', undefined],
  ['stays all the same, if it is matched by its id', 'storeDiscountId', 'the store has coupon 1'],
])(
  'A coupon of WooCommerce that the list lacks may have another code by now: it %s',
  async (_, match, why) => {
    const store = await woocommerce();
    store.coupons = [coupon(1, 'a')];

    expect(await whyKept(platform, store, resources, { ...special, match })).toEqual([
      why === undefined ? undefined : containing(why),
    ]);
  },
);

it('A coupon of WooCommerce that the list lacks stays if the store has its code under another id', async () => {
  const store = await woocommerce();
  store.coupons = [coupon(2, 'edited')];

  expect(await whyKept(platform, store, resources, special)).toEqual([
    containing('the store has coupon'),
  ]);
});
