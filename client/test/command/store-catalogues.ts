import fc from 'fast-check';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { products as resource } from '../../../src/resources/products.ts';
import { readFile } from '../../src/command/files/read-file.ts';
import type { CollectionName } from '../../src/fields.ts';
import type { Content } from '../../src/stores/source.ts';

// Random catalogues of stores, and the items that the service must have of them. Each store has what writes them in its forms.

const word = fc.constantFrom(
  'Größe',
  'Red',
  'blue',
  'A&B',
  'C#',
  '½',
  "O'Neill",
  '"X"',
  '🔴',
  'סל',
);
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const html = fc.array(fc.constantFrom('<p>a, b</p>', '&amp;', '\n', '\\n', ';', '"', ' ', 'é'));
const count = fc.integer({ min: -9, max: 999 });

const variant = fc.record({
  sku: fc.option(fc.stringMatching(/^[=A-Z][A-Z0-9-]{0,8}$/)),
  values: fc.tuple(text, text),
  cents: fc.nat(10_000_000),
  hasOtherPrice: fc.boolean(),
  /** A number if the store counts it. */
  stock: fc.oneof(count, fc.constantFrom('in stock', 'out of stock')),
  /** The place of its own image among those of its product, if there is one. */
  image: fc.nat(4),
});

const product = fc.record({
  title: text,
  description: html.map((parts) => parts.join('').trim()),
  isPublished: fc.boolean(),
  images: fc.uniqueArray(fc.stringMatching(/^https:\/\/x\.example\/[a-z]{1,9}\.jpg$/), {
    maxLength: 3,
  }),
  options: fc.constantFrom([], ['Size'], ['Size', 'Colour']),
  variants: fc.array(variant, { minLength: 1, maxLength: 4 }),
  /** What its variants share in place of their own stock, which only WooCommerce knows. */
  sharedStock: fc.option(count),
});

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

/** Gives a product ids, and one variant if it has no options. No two variants have all values in common. */
function numbered(one: Drawn<typeof product>, at: number) {
  const { options, images } = one;
  const isSimple = options.length === 0;
  const id = 1000 * (at + 1);
  const variants = one.variants.slice(0, isSimple ? 1 : undefined).map((each, index) => ({
    ...each,
    id: id + index + 1,
    values: each.values.slice(0, options.length).map((value) => `${value} ${index}`),
    image: isSimple ? null : (images[each.image] ?? null),
  }));
  return { ...one, id, isSimple, variants, sharedStock: isSimple ? null : one.sharedStock };
}

export type CatalogueProduct = ReturnType<typeof numbered>;
export type CatalogueVariant = CatalogueProduct['variants'][number];

/** Catalogues whose products have no title in common. */
export const catalogues = fc
  .uniqueArray(product, {
    minLength: 1,
    maxLength: 6,
    selector: ({ title }) => title.toLowerCase(),
  })
  .map((products) => products.map(numbered));

/** Ways to write CSV. */
export const csvStyles = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
});

export type CsvStyle = Drawn<typeof csvStyles>;

export type Cells = Readonly<Record<string, string>>;

/** Returns CSV with all columns of these rows; a cell that a row does not have is empty. */
export function csvOf(rows: readonly Cells[], { delimiter, lineEnd, mark }: CsvStyle): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quoted = (cell: string): string =>
    /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  return mark + lines.map((cells) => cells.map(quoted).join(delimiter) + lineEnd).join('');
}

export function priceOf({ cents }: CatalogueVariant): string {
  return (cents / 100).toFixed(2);
}

/** A store writes an apostrophe before what a spreadsheet would take for a formula. */
export function safe(cell: string): string {
  return /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
}

/** Reads a file. */
export function read(text: string, collection: CollectionName = 'products'): Content {
  return readFile(new TextEncoder().encode(text), { collection, currency: 'EUR' });
}

/** The items that the service must have of a catalogue, by what every form of a platform can say. */
export function expectedItems(
  all: readonly CatalogueProduct[],
  special: (one: CatalogueProduct, each: CatalogueVariant) => object,
): object[] {
  return all.flatMap((one) =>
    one.variants.map((each) => ({
      description: one.description.normalize('NFC'),
      sku: each.sku,
      currencyCode: 'EUR',
      priceCents: each.cents,
      imageUrls: [...one.images],
      imageUrl: one.images[0] ?? null,
      storeStatus: one.isPublished ? 'ACTIVE' : 'DRAFT',
      ...special(one, each),
    })),
  );
}

/** Leaves out what not every form of a platform says, and checks that the service takes the rest. */
export function itemsOf({ items, skipped, doubts }: Content): object[] {
  expect([skipped, doubts]).toEqual([[], []]);
  for (const item of items) expect(z.safeParse(resource.patchBody, item).error).toBeUndefined();
  return items.map(({ handle: _, sourceUpdatedAt: __, ...item }) => item);
}

export function handlesIn({ items }: Content): unknown[] {
  return items.map(({ handle }) => handle);
}
