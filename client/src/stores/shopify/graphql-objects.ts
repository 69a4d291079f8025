import type { StoreContent, StoreProduct } from '../store-product.ts';
import { codesOf, discountIn, isAutomatic } from './discounts.ts';
import { placeOf, typeIn, typeOf } from './ids.ts';
import type { JsonObject, PlacedObject } from '../json-values.ts';
import { numberOf, objectOf, textOf } from '../json-values.ts';
import { isMedium, productOf } from './products.ts';

/** The lists that belong to a product, a variant or a discount. */
export type ListName = 'variants' | 'media' | 'codes';

/** A list of which there is less than Shopify counts. */
interface ShortList {
  readonly name: ListName;
  /** The id of what it belongs to. */
  readonly id: string;
  readonly known: number;
  readonly count: number;
}

/** Whether a value is a line of the result of a bulk operation. */
export function isShopifyObject(value: JsonObject): boolean {
  return typeIn(value['id']) !== undefined || typeIn(value['__parentId']) !== undefined;
}

/**
 * Collects the objects of a bulk operation, which come in any order: what belongs to a product or a discount is an object of
 * its own, and names its parent in `__parentId`.
 */
export class ShopifyObjects {
  readonly #products: PlacedObject[] = [];
  readonly #discounts: JsonObject[] = [];
  /** What belongs to something, by the id of that. */
  readonly #lists: Readonly<Record<ListName, Map<string, PlacedObject[]>>> = {
    variants: new Map(),
    media: new Map(),
    codes: new Map(),
  };
  /** The lists that were read page by page. */
  readonly #complete = new Set<PlacedObject[]>();

  /** Adds an object. What is neither of a product nor of a discount, such as a metafield, is of no use. */
  add(placed: PlacedObject): void {
    const { object } = placed;
    const type = typeOf(object);
    const parent = textOf(object['__parentId']);
    if (type === 'Product') this.#products.push(placed);
    else if (discountIn(object) !== undefined) {
      if (!isAutomatic(object)) this.#discounts.push(object);
    } else if (type === 'ProductVariant' || (parent !== undefined && 'price' in object)) {
      this.#push('variants', parent ?? textOf(objectOf(object['product'])['id']) ?? '', placed);
    } else if (parent === undefined) return;
    else if ('code' in object) this.#push('codes', parent, placed);
    else if (isMedium(object)) this.#push('media', parent, placed);
  }

  #push(name: ListName, parent: string, placed: PlacedObject): void {
    const list = this.#lists[name].get(parent) ?? [];
    list.push(placed);
    this.#lists[name].set(parent, list);
  }

  replace(name: ListName, parent: string, list: PlacedObject[]): void {
    this.#lists[name].set(parent, list);
    this.#complete.add(list);
  }

  shortLists(): ShortList[] {
    return [
      ...this.#products.flatMap(({ object }) => this.#shortList('variants', object)),
      ...this.#products.flatMap(({ object }) => this.#shortList('media', object)),
      ...this.#discounts.flatMap((node) => this.#shortList('codes', node)),
    ];
  }

  #shortList(name: ListName, parent: JsonObject): ShortList[] {
    const list = this.#listOf(name, parent);
    const counts = discountIn(parent) ?? parent;
    const { count: text, precision } = objectOf(counts[`${name}Count`]);
    const [known, count] = [list.length, numberOf(text) ?? 0];
    const isShort = known < count || (known === count && precision === 'AT_LEAST');
    const id = textOf(parent['id']) ?? '';
    return isShort && !this.#complete.has(list) ? [{ name, id, known, count }] : [];
  }

  /** @param now the time of reading, which says whether a discount is active */
  content(now: Date): Required<Pick<StoreContent, 'products' | 'discounts' | 'doubts'>> {
    const ids = new Set(this.#products.map(({ object }) => object['id']));
    const orphans = [...this.#lists.variants].filter(([id]) => !ids.has(id));
    // Some product has images, so they were asked for.
    const hasMedia = [...this.#lists.media.keys()].some((id) => typeIn(id) === 'Product');
    return {
      products: [
        ...this.#products.map((product) => this.#storeProduct(product, hasMedia)),
        ...orphans.map(([id, [first]]) => ({
          ...this.#storeProduct({ place: first?.place ?? '', object: { id } }, false),
          obstacle: { reason: 'its product is not in the source' },
        })),
      ],
      discounts: this.#discounts.flatMap((node) => codesOf(node, this.#listOf('codes', node), now)),
      doubts: [
        ...this.shortLists().map(({ name, id, known, count }) => ({
          sentence: `Only ${known} of ${count} ${name} of ${placeOf(id)} are in the source.`,
        })),
        // Nobody asked for their codes.
        ...this.#discounts
          .filter((node) => discountIn(node)?.['codesCount'] === undefined)
          .filter((node) => this.#listOf('codes', node).length === 0)
          .map(({ id }) => ({ sentence: `The codes of ${placeOf(id)} are not in the source.` })),
      ],
    };
  }

  #storeProduct(product: PlacedObject, hasMedia: boolean): StoreProduct {
    const position = ({ object }: PlacedObject): number => numberOf(object['position']) ?? 0;
    const variants = this.#listOf('variants', product.object)
      .toSorted((a, b) => position(a) - position(b))
      .map((variant) => ({ ...variant, media: this.#mediaOf(variant.object) }));
    const { count } = objectOf(product.object['mediaCount']);
    const media = hasMedia || numberOf(count) === 0 ? this.#mediaOf(product.object) : undefined;
    return productOf({ ...product, media }, variants);
  }

  #mediaOf(parent: JsonObject): JsonObject[] {
    return this.#listOf('media', parent).map(({ object }) => object);
  }

  #listOf(name: ListName, { id }: JsonObject): PlacedObject[] {
    return this.#lists[name].get(textOf(id) ?? '') ?? [];
  }
}
