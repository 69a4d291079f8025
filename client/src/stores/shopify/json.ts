import type { JsonReader, JsonValue, PlacedObject } from '../json-values.ts';
import { divided, elementsIn, isJsonObject } from '../json-values.ts';
import { isShopifyObject, ShopifyObjects } from './graphql-objects.ts';
import { typeIn } from './ids.ts';
import { isRestProduct, readRestProducts } from './rest-products.ts';
import { Failure } from '../failure.ts';

/** What to use in place of what cannot be read. */
export const BULK = 'Use the JSON lines of a bulk operation, or --from shopify.';

const KIND = 'a product or a discount of Shopify';

/** Reads the result of a bulk operation of the GraphQL API, whose lines come in any order, or a list of the REST API. */
export const readShopifyJson: JsonReader = (values) => {
  const all = values.flatMap((one) => elementsIn(one, ['products']));
  const objects = all.map(({ value }) => value).filter(isJsonObject);
  if (objects.some(isRestProduct)) return restContent(all);
  return objects.some(isShopifyObject) ? graphqlContent(all) : undefined;
};

function restContent(values: readonly JsonValue[]): ReturnType<JsonReader> {
  const { own, doubts } = divided(values, isRestProduct, KIND);
  const content = readRestProducts(own);
  return { ...content, doubts: [...content.doubts, ...doubts] };
}

function graphqlContent(values: readonly JsonValue[]): ReturnType<JsonReader> {
  const { own, doubts } = divided(values, isShopifyObject, KIND);
  const objects = new ShopifyObjects();
  for (const { place, object } of own) objects.add(object, place);
  if (objects.isEmpty) throw new Failure(`The file has ${kindsOf(own)}. ${BULK}`);
  const content = objects.content(new Date());
  return { ...content, doubts: [...content.doubts, ...doubts] };
}

/** Names what a file has in place of products and discounts: `objects of Shopify of the type Order`. */
function kindsOf(all: readonly PlacedObject[]): string {
  const types = new Set(all.map(({ object }) => typeIn(object['id']) ?? 'another'));
  return `objects of Shopify of the type ${[...types].join(' and ')}`;
}
