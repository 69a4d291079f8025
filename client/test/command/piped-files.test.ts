import fc from 'fast-check';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { ALL_PRODUCTS } from '../../src/stores/shopify/queries.ts';
import { record, records } from '../../../test/node/processes.ts';
import { shop } from './command-shop.ts';
import { isJson, linesOf } from './shopify/execute.ts';
import {
  discounts,
  discountsCsv,
  shopifyCsv,
  shopifyJson,
  shopProduct,
} from './shopify/random-shop.ts';
import type { CatalogueProduct, CsvStyle } from './store-catalogues.ts';
import { catalogues, csvOf, csvStyles } from './store-catalogues.ts';
import { wooCommerceCsv, wooCommerceJson } from './woocommerce-catalogue.ts';
import { random } from '../../../test/support/random.ts';

// read | sync --delete: a file that is cut anywhere, or in which anything has lost its key, deletes nothing that it may mean.

/** A kind of file. */
interface Kind {
  readonly words: readonly string[];
  readonly text: (all: readonly CatalogueProduct[], style: CsvStyle) => string | Promise<string>;
  /** Removes the key of one of its parts. @param which a number of any size */
  readonly withoutKey: (text: string, which: number, style: CsvStyle) => string;
  /** Whether nobody can tell that a file goes on behind a line. */
  readonly hasLines: boolean;
}

function ownItems(all: readonly CatalogueProduct[]): Record<string, string>[] {
  return all.flatMap(({ title, variants }) =>
    variants.map(({ id, cents }) => ({ sku: `S-${id}`, title, priceCents: String(cents) })),
  );
}

function ownObjects(all: readonly CatalogueProduct[]): object[] {
  return ownItems(all).map((one) => ({ ...one, priceCents: Number(one['priceCents']) }));
}

/** Returns the rows of a CSV file, with their ends. */
function rowsOf(text: string): string[] {
  return text.match(/(?:[^"\r\n]|"[^"]*")*\r?\n/g) ?? [];
}

/** The key is in the first column, and needs no quotation marks. */
const withoutFirstCell: Kind['withoutKey'] = (text, which, { delimiter }) => {
  const [header = '', ...rows] = rowsOf(text);
  const at = which % rows.length;
  return [
    header,
    ...rows.map((row, index) => (index === at ? row.slice(row.indexOf(delimiter)) : row)),
  ].join('');
};

/** Returns a list without a member of one of its objects. */
function withoutMember(list: unknown, name: string, which: number): unknown[] {
  if (!Array.isArray(list)) throw new Error('There is no list.');
  return list.map((one: unknown, index) => {
    if (index !== which % list.length || !isJson(one)) return one;
    const { [name]: _, ...rest } = one;
    return rest;
  });
}

function lines(all: readonly unknown[]): string {
  return all.map((one) => `${JSON.stringify(one)}\n`).join('');
}

function withoutMemberInLines(name: string): Kind['withoutKey'] {
  return (text, which) =>
    lines(withoutMember(JSON.parse(`[${text.trim().replaceAll('\n', ',')}]`), name, which));
}

const csv = { withoutKey: withoutFirstCell, hasLines: true };

const KINDS: Readonly<Record<string, Kind>> = {
  'a list of JSON': {
    words: ['--match', 'sku'],
    text: (all) => JSON.stringify(ownObjects(all)),
    withoutKey: (text, which) => JSON.stringify(withoutMember(JSON.parse(text), 'sku', which)),
    hasLines: false,
  },
  NDJSON: {
    words: ['--match', 'sku'],
    text: (all) => lines(ownObjects(all)),
    withoutKey: withoutMemberInLines('sku'),
    hasLines: true,
  },
  CSV: {
    ...csv,
    words: ['--match', 'sku'],
    text: (all, style) => csvOf(ownItems(all), style),
  },
  'the CSV of Shopify': { ...csv, words: ['--match', 'handle'], text: shopifyCsv },
  'the JSON lines of Shopify': {
    words: ['--match', 'storeVariantId'],
    text: async (all) =>
      lines(await linesOf(parse(ALL_PRODUCTS), { products: all.map(shopProduct), discounts: [] })),
    withoutKey: withoutMemberInLines('id'),
    hasLines: true,
  },
  'the JSON of Shopify': {
    words: ['--match', 'storeVariantId'],
    text: shopifyJson,
    withoutKey: (text, which) => {
      const products = records(record(JSON.parse(text))['products']);
      const at = which % products.length;
      return JSON.stringify({
        products: products.map((one, index) =>
          index === at ? { ...one, variants: withoutMember(one['variants'], 'id', which) } : one,
        ),
      });
    },
    hasLines: false,
  },
  ...Object.fromEntries(
    ['storeVariantId', 'handle'].map((match) => [
      `the CSV of WooCommerce, by ${match}`,
      {
        ...csv,
        words: ['--match', match],
        text: (all: readonly CatalogueProduct[], style: CsvStyle) =>
          wooCommerceCsv(all, 'en', style),
      },
    ]),
  ),
  'the JSON of WooCommerce': {
    words: ['--match', 'storeVariantId'],
    text: wooCommerceJson,
    withoutKey: (text, which) => JSON.stringify(withoutMember(JSON.parse(text), 'id', which)),
    hasLines: false,
  },
};

type Harm = { readonly cutAt: number } | { readonly withoutKey: number };

const harms: fc.Arbitrary<Harm> = fc.oneof(
  fc.record({ cutAt: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) }),
  fc.record({ withoutKey: fc.nat(1000) }),
);

/** Returns what is left of a file, and whether it ends as a whole one would. */
function harmed(text: string, harm: Harm, kind: Kind, style: CsvStyle): [string, boolean] {
  if ('withoutKey' in harm) return [kind.withoutKey(text, harm.withoutKey, style), false];
  const part = text.slice(0, Math.floor(text.length * harm.cutAt));
  const isWhole = /[\r\n]$/.test(part) && part.split('"').length % 2 === 1;
  return [part, kind.hasLines && isWhole];
}

/** Syncs a whole file, then what a harmed one becomes in a pipe. Returns the keys before and after. */
async function piped(
  text: string,
  harm: Harm,
  kind: Kind,
  style: CsvStyle,
): Promise<{ before: unknown[]; after: unknown[]; isWhole: boolean }> {
  const { client, command } = await shop();
  const [, collection = 'products'] = kind.words.slice(kind.words.indexOf('--collection'));
  const keys = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    const list = collection === 'coupon-codes' ? client.couponCodes.list() : client.products.list();
    for await (const { id } of list) found.push(id);
    return found;
  };
  await command(['sync', '-', ...kind.words], { stdin: text });
  const before = await keys();
  const [part, isWhole] = harmed(text, harm, kind, style);
  const { stdout } = await command(['read', '-', ...kind.words], { stdin: part });
  const words = [...kind.words, '--delete', '--max-delete', '100%'];
  await command(['sync', '-', ...words], { stdin: stdout });
  return { before, after: await keys(), isWhole };
}

it.each(Object.entries(KINDS))(
  'A file that is piped keeps what it may mean: %s',
  async (_, kind) => {
    await fc.assert(
      fc.asyncProperty(catalogues, csvStyles, harms, async (all, style, harm) => {
        const text = await kind.text(all, style);
        const { before, after, isWhole } = await piped(text, harm, kind, style);
        // A product whose title has no letter has no handle in a CSV of WooCommerce.
        fc.pre(before.length > 0);
        if (!isWhole) expect(before.filter((one) => !after.includes(one))).toEqual([]);
      }),
      random(10),
    );
  },
);

it('The CSV of discounts of Shopify keeps what it may mean', async () => {
  const kind: Kind = {
    ...csv,
    words: ['--match', 'code', '--collection', 'coupon-codes'],
    text: () => '',
  };
  await fc.assert(
    fc.asyncProperty(discounts, csvStyles, harms, async (all, style, harm) => {
      const text = discountsCsv(all, style);
      const { before, after, isWhole } = await piped(text, harm, kind, style);
      if (!isWhole) expect(before.filter((one) => !after.includes(one))).toEqual([]);
    }),
    random(10),
  );
});
