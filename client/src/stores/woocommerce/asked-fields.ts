import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { phpList } from './entries.ts';

const OF_BOTH =
  'id,type,status,sku,regular_price,sale_price,manage_stock,stock_quantity,stock_status,attributes,date_modified_gmt';

/**
 * What is read of each entry, as the API wants it named. Nothing else is asked for: an answer is a quarter as large, and the
 * addresses of people that a coupon has are never sent.
 */
export const ASKED_FIELDS = {
  products: `${OF_BOTH},name,slug,description,images,variations`,
  variations: `${OF_BOTH},parent_id,description,image`,
  coupons:
    'id,code,date_created_gmt,amount,status,date_expires,date_expires_gmt,discount_type,description,usage_count,usage_limit,free_shipping',
} as const;

/** What is read of the objects in a field. */
const MEMBERS: Readonly<Partial<Record<string, string>>> = {
  image: 'src',
  images: 'src',
  attributes: 'id,name,variation,option',
  variations: 'id',
};

/** Returns what was asked for of an entry. What a store gives besides would be held until all entries are read. */
export function askedPart(entry: JsonObject, fields: string): JsonObject {
  const names = fields.split(',').filter((name) => name in entry);
  const parts = names.map((name) => {
    const [value, members] = [entry[name], MEMBERS[name]];
    const list = members === undefined ? undefined : phpList(value);
    return [
      name,
      list?.map((one) => askedValue(one, members)) ?? askedValue(value, members),
    ] as const;
  });
  return Object.fromEntries(parts);
}

/** Returns a value; an empty object or list for one where nobody expects it. */
function askedValue(value: unknown, members = ''): unknown {
  if (Array.isArray(value)) return [];
  return isJsonObject(value) ? askedPart(value, members) : value;
}
