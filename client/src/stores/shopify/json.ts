import type { JsonObject, JsonReader, JsonValue } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { isShopifyObject, ShopifyObjects } from './graphql-objects.ts';
import { typeIn } from './ids.ts';
import { isRestProduct, readRestProducts } from './rest-products.ts';
import { Failure } from '../failure.ts';

const BULK = 'Use the JSON lines of a bulk operation, or --from shopify.';
const CODES =
  'Use --from shopify --collection coupon-codes, or the CSV file of discounts that the admin exports.';

/** Forms of Shopify that are read by mistake, by a member that no other form has, and what to use instead. */
const OTHER_FORMS: readonly {
  readonly members: readonly string[];
  readonly name: string;
  readonly instead: string;
}[] = [
  {
    members: ['data', 'extensions'],
    name: "one answer of Shopify's GraphQL API, which may be one page of several",
    instead: BULK,
  },
  { members: ['price_rules'], name: "price rules of Shopify's REST API", instead: CODES },
  { members: ['price_rule_id', 'code'], name: "codes of Shopify's REST API", instead: CODES },
  { members: ['discount_codes'], name: "codes of Shopify's REST API", instead: CODES },
  { members: ['value_type', 'target_type'], name: 'price rules of Shopify', instead: CODES },
  { members: ['orders'], name: 'orders of Shopify', instead: BULK },
  { members: ['line_items', 'financial_status'], name: 'orders of Shopify', instead: BULK },
  { members: ['inventory_item_id', 'location_id'], name: 'inventory of Shopify', instead: BULK },
];

/** Reads the result of a bulk operation of the GraphQL API, whose lines come in any order, or a list of the REST API. */
export const readShopifyJson: JsonReader = (values) => {
  const all = values.flatMap(listed);
  const objects = all.map(({ value }) => value).filter(isJsonObject);
  if (objects.some(isRestProduct)) return restContent(all);
  if (objects.some(isShopifyObject)) return graphqlContent(all);
  const other = OTHER_FORMS.find(({ members }) =>
    objects.some((one) => members.every((name) => name in one)),
  );
  if (other === undefined) return undefined;
  throw new Failure(`The file has ${other.name}. ${other.instead}`);
};

/** Returns the products of a document such as `{ "products": [ … ] }`, or the value itself. */
function listed(one: JsonValue): JsonValue[] {
  const list: unknown = isJsonObject(one.value) ? one.value['products'] : undefined;
  if (!Array.isArray(list)) return [one];
  return list.map((value: unknown, index) => ({ value, place: `item ${index + 1}` }));
}

function restContent(values: readonly JsonValue[]): ReturnType<JsonReader> {
  const [own, doubts] = divided(values, isRestProduct);
  const content = readRestProducts(own.map(({ place, object }) => ({ place, product: object })));
  return { ...content, doubts: [...content.doubts, ...doubts] };
}

function graphqlContent(values: readonly JsonValue[]): ReturnType<JsonReader> {
  const [own, doubts] = divided(values, isShopifyObject);
  const objects = new ShopifyObjects();
  for (const { place, object } of own) objects.add(object, place);
  if (objects.isEmpty) throw new Failure(`The file has ${kindsOf(own)}. ${BULK}`);
  const content = objects.content(new Date());
  return { ...content, doubts: [...content.doubts, ...doubts] };
}

/** Names what a file has in place of products and discounts: `objects of Shopify of the type Order`. */
function kindsOf(all: readonly { readonly object: JsonObject }[]): string {
  const types = new Set(all.map(({ object }) => typeIn(object['id']) ?? 'another'));
  return `objects of Shopify of the type ${[...types].join(' and ')}`;
}

/** Divides values into those of a kind, and a doubt for each of the others. */
function divided(
  values: readonly JsonValue[],
  isOwn: (value: JsonObject) => boolean,
): [{ readonly place: string; readonly object: JsonObject }[], string[]] {
  const own: { place: string; object: JsonObject }[] = [];
  const doubts: string[] = [];
  for (const { value, place } of values) {
    if (isJsonObject(value) && isOwn(value)) own.push({ place, object: value });
    else doubts.push(`What is at ${place} is neither a product nor a discount of Shopify.`);
  }
  return [own, doubts];
}
