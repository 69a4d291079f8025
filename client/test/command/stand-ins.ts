import type { Store } from '../../src/stores/store.ts';
import { tinyshop } from '../fixtures/tinyshop-stand-in.ts';
import type { AnyStandIn, Thing } from './any-stand-in.ts';
import type { WhenFinished } from './listening.ts';
import { onlyVariant, product as shopifyProduct, variant } from './shopify/catalogue.ts';
import { StandIn } from './shopify/stand-in.ts';
import {
  coupon,
  product,
  variableProduct,
  variation,
  woocommerce,
} from './woocommerce-stand-in.ts';

// Every store gets the tests of all stores by a line in STAND_INS.

/** Starts a store of each platform, by its name, with something in it. */
export const STAND_INS: Readonly<
  Record<string, (whenFinished?: WhenFinished) => Promise<AnyStandIn>>
> = {
  shopify: shopifyShop,
  woocommerce: woocommerceStore,
  tinyshop,
};

export async function standInOf(
  { name }: Pick<Store, 'name'>,
  whenFinished?: WhenFinished,
): Promise<AnyStandIn> {
  const start = STAND_INS[name];
  if (start === undefined) throw new Error(`STAND_INS in stand-ins.ts has no ${name}.`);
  return start(whenFinished);
}

/** Returns so many things, which are numbered. */
export function things(count: number, first = 1): Thing[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return { number, title: `Thing ${number}`, price: '8.50' };
  });
}

async function shopifyShop(whenFinished?: WhenFinished): Promise<AnyStandIn> {
  const shop = await StandIn.start(whenFinished);
  // Each poll costs a pause.
  shop.showings = 1;
  const { products } = shop.catalogue;
  const shirt = shopifyProduct('Shirt', [
    variant(['S'], { sku: 'SHIRT-S', inventoryQuantity: 2 }),
    variant(['M'], { sku: 'SHIRT-M', inventoryQuantity: 3 }),
  ]);
  const sell: AnyStandIn['sell'] = (sold) => {
    const made = sold.map(({ number, title, price }) => {
      const id = `gid://shopify/ProductVariant/${number}`;
      return shopifyProduct(title, [onlyVariant({ id, price, sku: `T-${number}` })], {
        id: `gid://shopify/Product/${number}`,
        handle: `thing-${number}`,
      });
    });
    products.splice(0, products.length, ...made, shirt);
  };
  const hide: AnyStandIn['hide'] = (number) => {
    const all = [...products];
    const listed = all.filter(({ id }) => id !== `gid://shopify/Product/${number}`);
    shop.faults.answer = ({ name }) => {
      products.splice(0, products.length, ...(name === 'Start' ? listed : all));
      return undefined;
    };
  };
  return { env: shop.env, fetch: shop.fetch, sell, hide };
}

async function woocommerceStore(whenFinished?: WhenFinished): Promise<AnyStandIn> {
  const store = await woocommerce({}, whenFinished);
  store.variations = [
    variation(90_001, 90_000, '38', { stock_quantity: 2 }),
    variation(90_002, 90_000, '39', { stock_quantity: 3 }),
  ];
  store.coupons = [coupon(7, 'herbst10')];
  const sell: AnyStandIn['sell'] = (sold) => {
    store.products = [
      ...sold.map(({ number, title, price }) =>
        product(number, { name: title, regular_price: price, sku: `T-${number}` }),
      ),
      variableProduct(90_000, [90_001, 90_002]),
    ];
  };
  const hide: AnyStandIn['hide'] = (number) => {
    const all = store.products;
    const listed = all.filter(({ id }) => id !== number);
    store.onRequest = ({ query }) => {
      store.products = query.has('page') ? listed : all;
      return undefined;
    };
  };
  sell(things(2));
  return { env: store.env, fetch: store.fetch, sell, hide };
}
