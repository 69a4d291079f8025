import type { JsonReader } from '../store.ts';
import type { JsonValue, PlacedObject } from '../json.ts';
import { divided, elementsIn, isJsonObject, objectsOf, textOf } from '../json.ts';
import { isShopifyObject, ShopifyObjects } from './graphql-objects.ts';
import { IF_WHOLE, pageDoubts } from '../doubts.ts';
import { typeIn } from './ids.ts';
import { isRestProduct, readRestProducts } from './rest-products.ts';
import { Failure } from '../failure.ts';

/** What to use in place of what cannot be read. */
export const BULK = 'Use the JSON lines of a bulk operation, or --from shopify.';

/** How many products a page of the REST API has, without a limit and with the largest one. */
const PAGES = [50, 250];

/** How many variants of a product it gives at most. */
const MOST_VARIANTS = 100;

const KIND = 'a product or a discount of Shopify';

/** Reads the result of a bulk operation of the GraphQL API, whose lines come in any order, or a list of the REST API. */
export const readShopifyJson: JsonReader = (values, isWhole) => {
  const all = values.flatMap((one) => elementsIn(one, ['products']));
  const objects = all.map(({ value }) => value).filter(isJsonObject);
  if (objects.some(isRestProduct)) return restContent(all, isWhole);
  return objects.some(isShopifyObject) ? graphqlContent(all) : undefined;
};

function restContent(values: readonly JsonValue[], isWhole: boolean): ReturnType<JsonReader> {
  const { own, doubts } = divided(values, isRestProduct, KIND);
  const content = readRestProducts(own);
  const pages = [...pageDoubts(own.length, PAGES, 'products'), ...fullProductDoubts(own)];
  return { ...content, doubts: [...content.doubts, ...doubts, ...(isWhole ? [] : pages)] };
}

/** Says which products may have more variants than there are. */
function fullProductDoubts(products: readonly PlacedObject[]): string[] {
  return products
    .filter(({ object }) => objectsOf(object['variants']).length === MOST_VARIANTS)
    .map(
      ({ place, object }) =>
        `${textOf(object['title']) ?? place} has exactly ${MOST_VARIANTS} variants, as many as the REST API gives. ${BULK} ${IF_WHOLE}`,
    );
}

function graphqlContent(values: readonly JsonValue[]): ReturnType<JsonReader> {
  const { own, doubts } = divided(values, isShopifyObject, KIND);
  const objects = new ShopifyObjects();
  for (const placed of own) objects.add(placed);
  if (objects.isEmpty) throw new Failure(`The file has ${kindsOf(own)}. ${BULK}`);
  const content = objects.content(new Date());
  return { ...content, doubts: [...content.doubts, ...doubts] };
}

/** Names what a file has in place of products and discounts: `objects of Shopify of the type Order`. */
function kindsOf(all: readonly PlacedObject[]): string {
  const types = new Set(all.map(({ object }) => typeIn(object['id']) ?? 'another'));
  return `objects of Shopify of the type ${[...types].join(' and ')}`;
}
