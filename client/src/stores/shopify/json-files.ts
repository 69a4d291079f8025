import type { JsonReader } from '../store.ts';
import { elementsIn, isJsonObject } from '../json-values.ts';
import { divided } from '../doubts.ts';
import { isShopifyObject, ShopifyObjects } from './graphql-objects.ts';
import { typeOf } from './ids.ts';
import { BULK } from './wrong-exports.ts';
import { isRestProduct, readRestProducts } from './rest-products.ts';
import { Failure } from '../../../../common/failure.ts';

/** Reads the result of a bulk operation of the GraphQL API, whose lines come in any order, or a list of the REST API. */
export const readShopifyJson: JsonReader = (values, isWhole) => {
  const all = values.flatMap((one) => elementsIn(one, ['products']));
  const found = all.map(({ value }) => value).filter(isJsonObject);
  if (found.some(isRestProduct)) return readRestProducts(all, isWhole);
  if (!found.some(isShopifyObject)) return undefined;
  const { own, doubts } = divided(all, isShopifyObject, 'a product or a discount of Shopify');
  const objects = new ShopifyObjects();
  for (const placed of own) objects.add(placed);
  const content = objects.content(new Date());
  // A discount without codes is a doubt.
  if (content.products.length + content.discounts.length + content.doubts.length === 0) {
    const types = [...new Set(own.map(({ object }) => typeOf(object) ?? 'another'))].join(' and ');
    throw new Failure(`The file has objects of Shopify of the type ${types}. ${BULK}`);
  }
  return { ...content, doubts: [...content.doubts, ...doubts] };
};
