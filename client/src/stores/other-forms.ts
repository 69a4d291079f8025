import { Failure } from './failure.ts';
import type { JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';
import { STORES } from './stores.ts';

/** A platform whose products this command does not read. */
interface OtherPlatform {
  readonly name: string;
  /** The names of columns in its files, and of members in its answers. One of these groups is there as a whole. */
  readonly forms: readonly (readonly string[])[];
}

const PLATFORMS: readonly OtherPlatform[] = [
  {
    name: 'Magento 2',
    forms: [
      ['attribute_set_code', 'product_websites'],
      ['attribute_set_id', 'type_id', 'sku'],
    ],
  },
  {
    name: 'Wix',
    forms: [
      ['handleId', 'fieldType'],
      ['productType', 'priceData', 'productOptions'],
    ],
  },
  {
    name: 'Squarespace',
    forms: [['Product ID [Non Editable]'], ['storePageId', 'urlSlug']],
  },
  {
    name: 'BigCommerce',
    forms: [
      ['Item', 'Inventory Tracking'],
      ['Product Type', 'Track Inventory'],
      ['inventory_tracking', 'base_variant_id'],
    ],
  },
  {
    name: 'Shopware',
    forms: [
      ['product_number', 'price_gross'],
      ['productNumber', 'taxId'],
    ],
  },
  {
    name: 'Ecwid',
    forms: [
      ['type', 'product_internal_id'],
      ['sku', 'name', 'price', 'category 1'],
      ['defaultDisplayedPrice', 'productClassId'],
    ],
  },
  {
    name: 'PrestaShop',
    forms: [['Product ID', 'Active'], ['id_manufacturer']],
  },
  { name: 'OpenCart', forms: [['product_id', 'model']] },
  { name: 'Lightspeed', forms: [['variant_option_one_name']] },
  { name: 'Webflow', forms: [['Product Handle', 'Main Variant Image']] },
  { name: 'a Meta catalogue', forms: [['availability', 'condition', 'image_link']] },
];

/** What to do with products of a platform that is not read. */
export const ANOTHER_PLATFORM =
  'The section "Another platform" of the manual has a program that makes items of such a file.';

const OTHER_EXPORT =
  'Use the export of products, or that of discount codes with --collection coupon-codes.';

/**
 * Refuses a file of a platform that is not read, or of a store that has something else.
 * @param kind what these names are of
 * @throws Failure that names it, and what to use instead
 */
export function refuseOtherForms(names: readonly string[], kind: 'columns' | 'members'): void {
  const isThere = isIn(names);
  const platform = PLATFORMS.find(({ forms }) => forms.some((form) => form.every(isThere)));
  if (platform !== undefined) {
    throw new Failure(
      `The file has products of ${platform.name}, which this command does not read. ${ANOTHER_PLATFORM}`,
    );
  }
  const form = STORES.flatMap(({ files }) => files?.otherForms ?? []).find((one) =>
    one[kind]?.every(isThere),
  );
  if (form === undefined) return;
  throw new Failure(`The file has ${form.name}. ${form.instead ?? OTHER_EXPORT}`);
}

/** Whether a name is one of these, in any case. */
function isIn(names: readonly string[]): (name: string) => boolean {
  const written = new Set(names.map((name) => name.toLowerCase()));
  return (name) => written.has(name.toLowerCase());
}

/** The same for objects, in a list or in a list that is a member of a document. @throws Failure as `refuseOtherForms` */
export function refuseOtherObjects(values: readonly unknown[]): void {
  const documents = values.filter(isJsonObject);
  const nested = documents.flatMap((document) => Object.values(document).flatMap(firstObjects));
  for (const object of [...documents, ...nested]) refuseOtherForms(Object.keys(object), 'members');
}

/** The first one tells what the others are. */
function firstObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.slice(0, 1).filter(isJsonObject) : [];
}
