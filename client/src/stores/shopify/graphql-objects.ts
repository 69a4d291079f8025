import type { StoreContent } from '../store-product.ts';
import { codesOf, discountIn, isAutomatic } from './graphql-discount.ts';
import type { VariantNode } from './graphql-product.ts';
import { imageIn, productOf } from './graphql-product.ts';
import { digitsIn, typeIn } from './ids.ts';
import type { JsonObject, PlacedObject } from '../json.ts';
import { numberOf, objectOf, textOf } from '../json.ts';

/** The lists that belong to a product, a variant or a discount. */
export type ListName = 'variants' | 'media' | 'codes';

/** A list of which there is less than Shopify counts. */
export interface ShortList {
  readonly name: ListName;
  /** The id of what it belongs to. */
  readonly id: string;
  readonly known: number;
  readonly count: number;
}

/** The types of what a product shows. Only the first one is an image. */
const MEDIA: ReadonlySet<string> = new Set(['MediaImage', 'Video', 'ExternalVideo', 'Model3d']);

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
  /** Whether the images of products were asked for. */
  #hasMedia: boolean;

  /** @param hasMedia whether the images of products were asked for; by default they were if there are any */
  constructor({ hasMedia = false }: { readonly hasMedia?: boolean } = {}) {
    this.#hasMedia = hasMedia;
  }

  /** Adds an object. What is neither of a product nor of a discount, such as a metafield, is of no use. */
  add(object: JsonObject, place: string): void {
    const type = typeIn(object['id']) ?? textOf(object['__typename']);
    const parent = textOf(object['__parentId']);
    const placed = { place, object };
    if (type === 'Product') this.#products.push(placed);
    else if (discountIn(object) !== undefined) this.#discounts.push(object);
    else if (type === 'ProductVariant' || (parent !== undefined && 'price' in object)) {
      this.#push('variants', parent ?? textOf(objectOf(object['product'])['id']) ?? '', placed);
    } else if (parent === undefined) return;
    else if ('code' in object) this.#push('codes', parent, placed);
    else if (MEDIA.has(type ?? '') || imageIn(object) !== undefined) {
      this.#push('media', parent, placed);
      if (typeIn(parent) === 'Product') this.#hasMedia = true;
    }
  }

  #push(name: ListName, parent: string, placed: PlacedObject): void {
    const list = this.#lists[name].get(parent);
    if (list === undefined) this.#lists[name].set(parent, [placed]);
    else list.push(placed);
  }

  /** Replaces a list by the whole of it. */
  replace(name: ListName, parent: string, list: PlacedObject[]): void {
    this.#lists[name].set(parent, list);
    this.#complete.add(list);
  }

  /** Whether none of them is of a product or a discount. */
  get isEmpty(): boolean {
    return this.#products.length + this.#discounts.length + this.#lists.variants.size === 0;
  }

  /** Returns the lists that are not complete. */
  shortLists(): ShortList[] {
    const ofProducts = this.#products.flatMap(({ object }) => [
      ...this.#shortList('variants', object, object['variantsCount']),
      ...this.#shortList('media', object, object['mediaCount']),
    ]);
    const ofDiscounts = this.#discounts.flatMap((node) =>
      this.#shortList('codes', node, discountIn(node)?.['codesCount']),
    );
    return [...ofProducts, ...ofDiscounts];
  }

  #shortList(name: ListName, parent: JsonObject, counted: unknown): ShortList[] {
    const id = textOf(parent['id']) ?? '';
    const list = this.#lists[name].get(id) ?? [];
    const { count: text, precision } = objectOf(counted);
    const [known, count] = [list.length, numberOf(text) ?? 0];
    const isShort = known < count || (known === count && precision === 'AT_LEAST');
    return isShort && !this.#complete.has(list) ? [{ name, id, known, count }] : [];
  }

  /** @param now the time of reading, which says whether a discount is active */
  content(now: Date): StoreContent {
    const discounts = this.#discounts.filter((node) => !isAutomatic(node));
    return {
      products: this.#storeProducts(),
      discounts: discounts.flatMap((node) => codesOf(node, this.#listOf('codes', node), now)),
      doubts: [
        ...this.shortLists().map(doubtOf),
        ...discounts.filter((node) => this.#lacksCodes(node)).map(doubtWithoutCodes),
      ],
      notes: [],
    };
  }

  #storeProducts(): StoreContent['products'] {
    const ids = new Set(this.#products.map(({ object }) => object['id']));
    const known = this.#products.map(({ place, object }) =>
      productOf({
        place,
        product: object,
        variants: this.#variantsOf(object),
        imageUrls: this.#imagesOf(object),
      }),
    );
    const orphans = [...this.#lists.variants]
      .filter(([id]) => !ids.has(id))
      .map(([id, [first]]) => {
        const product = { id };
        const place = first?.place ?? '';
        const obstacle = { reason: 'its product is not in the source', kind: 'problem' } as const;
        const variants = this.#variantsOf(product);
        return { ...productOf({ place, product, variants, imageUrls: undefined }), obstacle };
      });
    return [...known, ...orphans];
  }

  #listOf(name: ListName, { id }: JsonObject): readonly PlacedObject[] {
    return this.#lists[name].get(textOf(id) ?? '') ?? [];
  }

  #variantsOf(product: JsonObject): VariantNode[] {
    const position = ({ object }: PlacedObject): number => numberOf(object['position']) ?? 0;
    return this.#listOf('variants', product)
      .toSorted((a, b) => position(a) - position(b))
      .map(({ place, object }) => ({
        place,
        variant: object,
        imageUrl: this.#urlsOf(object)[0],
      }));
  }

  #imagesOf(product: JsonObject): string[] | undefined {
    const { count } = objectOf(product['mediaCount']);
    if (!this.#hasMedia && numberOf(count) !== 0) return undefined;
    const main = imageIn(objectOf(product['featuredMedia'])) ?? [];
    return [...new Set([main, this.#urlsOf(product)].flat())];
  }

  #urlsOf(parent: JsonObject): string[] {
    return this.#listOf('media', parent).flatMap(({ object }) => imageIn(object) ?? []);
  }

  /** Whether nobody asked for the codes of a discount. */
  #lacksCodes(node: JsonObject): boolean {
    return !('codesCount' in (discountIn(node) ?? {})) && this.#listOf('codes', node).length === 0;
  }
}

const WHOSE: Readonly<Record<ListName, string>> = {
  variants: 'variants of product',
  media: 'images of product',
  codes: 'codes of discount',
};

function doubtOf({ name, id, known, count }: ShortList): string {
  return `Only ${known} of ${count} ${WHOSE[name]} ${digitsIn(id)} are in the source.`;
}

function doubtWithoutCodes({ id }: JsonObject): string {
  return `The codes of discount ${digitsIn(textOf(id) ?? '')} are not in the source.`;
}
