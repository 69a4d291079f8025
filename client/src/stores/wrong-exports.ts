import { Failure } from '../../../common/failure.ts';
import { isJsonObject, objectsOf } from './json-values.ts';
import { ANOTHER_PLATFORM } from './store.ts';
import { STORES } from './stores.ts';

/**
 * The platforms whose products this command does not read, with the names of columns in their files and of members in their
 * answers. One of these groups is there as a whole.
 */
const PLATFORMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'Magento 2': [
    ['attribute_set_code', 'product_websites'],
    ['attribute_set_id', 'type_id', 'sku'],
  ],
  Wix: [
    ['handleId', 'fieldType'],
    ['productType', 'priceData', 'productOptions'],
  ],
  Squarespace: [['Product ID [Non Editable]'], ['storePageId', 'urlSlug']],
  BigCommerce: [
    ['Item', 'Inventory Tracking'],
    ['Product Type', 'Track Inventory'],
    ['inventory_tracking', 'base_variant_id'],
  ],
  Shopware: [
    ['product_number', 'price_gross'],
    ['productNumber', 'taxId'],
  ],
  Ecwid: [
    ['type', 'product_internal_id'],
    ['sku', 'name', 'price', 'category 1'],
    ['defaultDisplayedPrice', 'productClassId'],
  ],
  PrestaShop: [['Product ID', 'Active'], ['id_manufacturer']],
  OpenCart: [['product_id', 'model']],
  Lightspeed: [['variant_option_one_name']],
  Webflow: [['Product Handle', 'Main Variant Image']],
  'a Google or Meta catalogue': [['availability', 'condition', 'image_link']],
};

const RIGHT_EXPORT =
  'Use the export of products, or that of discount codes with --collection coupon-codes.';

/**
 * Refuses a file of a platform that is not read, or of a store that has something else.
 * @param names in any case
 * @param kind what these names are of
 * @throws Failure that names it, and what to use instead
 */
export function refuseWrongExports(names: readonly string[], kind: 'columns' | 'members'): void {
  const written = new Set(names.map((name) => name.toLowerCase()));
  const isThere = (name: string): boolean => written.has(name.toLowerCase());
  for (const [platform, forms] of Object.entries(PLATFORMS)) {
    if (!forms.some((form) => form.every(isThere))) continue;
    throw new Failure(
      `The file has products of ${platform}, which this command does not read. ${ANOTHER_PLATFORM}`,
    );
  }
  for (const { name, instead = RIGHT_EXPORT, ...form } of STORES.flatMap(
    ({ files }) => files?.wrongExports ?? [],
  )) {
    if (form[kind]?.every(isThere)) throw new Failure(`The file has ${name}. ${instead}`);
  }
}

/** The same for objects, in a list or in a list that is a member of a document. @throws Failure as `refuseWrongExports` */
export function refuseWrongObjects(values: readonly unknown[]): void {
  const documents = values.filter(isJsonObject);
  const nested = documents.flatMap((document) =>
    // The first object of a list tells what the others are.
    Object.values(document).flatMap((list) => objectsOf(list).slice(0, 1)),
  );
  for (const object of [...documents, ...nested])
    refuseWrongExports(Object.keys(object), 'members');
}
