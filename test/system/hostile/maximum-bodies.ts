import { han } from './hostile-bodies.ts';
import { bytes, ITEMS, LIST_LIMIT } from './sizes.ts';

// Bodies of the maximum size.

/** Returns a list of 500 ordinary products, of nearly the maximum size of a body. */
export function ordinaryProducts(): string {
  const sentence = 'A soft tee of organic cotton, cut to last and to be worn often. ';
  return JSON.stringify({
    products: Array.from({ length: ITEMS }, (_, index) => ({
      ...{ title: `Organic cotton tee ${index}`, priceCents: 2500 + index, currencyCode: 'USD' },
      ...{ description: sentence.repeat(54), sku: `TEE-${index}`, storeStatus: 'ACTIVE' },
      storeProductId: `gid://shopify/Product/${100_000 + index}`,
      imageUrls: Array.from(
        { length: 5 },
        (__, image) => `https://cdn.shop.example/tees/${index}-${image}.jpg`,
      ),
    })),
  });
}

/** Parts of JSON with numbers in them, as many as fit into a body of the maximum size. */
function parts(part: (number: number) => string): string[] {
  const all: string[] = [];
  for (let size = 200, number = 0; ; number++) {
    const next = part(number);
    size += bytes(next) + 1;
    if (size > LIST_LIMIT) return all;
    all.push(next);
  }
}

/** Returns the name of a member by its place in its object, and by its place among all members. */
type Name = (member: number, all: number) => string;

/** The same names in each object. */
export const sameNames: Name = (member) => `a${member}`;
/** Names that no other object has. */
export const newNames: Name = (_, all) => all.toString(36);

/** Objects of so many members. */
function objects(name: Name, count: number): (number: number) => string {
  return (number) =>
    `{${Array.from({ length: count }, (_, member) => `"${name(member, number * count + member)}":0`).join()}}`;
}

/** Bodies of the maximum size that have as many objects as fit. */
export const bodiesOfObjects: Readonly<Record<string, (name: Name) => string>> = {
  'one member each': (name) => `[${parts(objects(name, 1)).join()}]`,
  '6 members each, where a list of products belongs': (name) =>
    `{"products":[${parts(objects(name, 6)).join()}]}`,
  '25 members each, in an unknown field': (name) => `{"a":[${parts(objects(name, 25)).join()}]}`,
  '50 members each, in an ignored field': (name) => `{"id":[${parts(objects(name, 50)).join()}]}`,
  'in each other': (name) => {
    const all = parts((number) => `{"${name(0, number)}":}`);
    return `${all.map((part) => part.slice(0, -1)).join('')}0${'}'.repeat(all.length)}`;
  },
};

/** A list of products with 250 URLs each. */
function shortHosts(host: (number: number) => string): string {
  const urls = parts((number) => `"http://${host(number)}"`).slice(0, -2000);
  const items = Array.from({ length: Math.ceil(urls.length / 250) }, (_, index) => {
    const some = urls.slice(250 * index, 250 * (index + 1)).join();
    return `{"title":"A","priceCents":1,"imageUrls":[${some}]}`;
  });
  return `{"products":[${items.slice(0, ITEMS).join()}]}`;
}

/** Bodies of the maximum size whose trouble is the number of their parts. */
export const bodiesOfManyParts: Readonly<Record<string, () => string>> = {
  '500 items of new names': () =>
    `{"products":[${parts(objects(newNames, 400)).slice(0, ITEMS).join()}]}`,
  'members of a new name': () =>
    `{${parts((number) => `"a${number}":${objects(newNames, 1)(number)}`).join()}}`,
  'lists of objects of a new name': () =>
    `{${parts((number) => `"a${number}":[${objects(newNames, 1)(number)}]`).join()}}`,
  'unknown fields': () => `{${parts((number) => `"${number.toString(36)}":0`).join()}}`,
  'unknown fields of one item': () =>
    `{"products":[{${parts((number) => `"${number.toString(36)}":0`).join()}}]}`.replace(
      /,[^,]*,[^,]*(?=}]}$)/,
      '',
    ),
  'colons behind a long name': () =>
    `[${'{},'.repeat(1001)}{"${'a'.repeat(1_000_000)}"${':'.repeat(1_000_000)}`,
  'empty objects': () => `{"products":[${parts(() => '{}').join()}]}`,
  'empty lists': () => `{"products":[${parts(() => '[]').join()}]}`,
  'short texts': () => `{"products":[${parts((number) => `"${number.toString(36)}"`).join()}]}`,
  'hosts of a letter': () => shortHosts(() => 'a'),
  'short hosts': () => shortHosts((number) => `a${number}`),
  'short hosts in Han': () => shortHosts(han),
  'short hosts in Hebrew': () => shortHosts((number) => String.fromCharCode(0x5d0 + (number % 20))),
  'short hosts of ligatures': () => shortHosts(() => '\ufdfa'),
  'short hosts of marks': () => shortHosts(() => '\u0301'),
  'short hosts of a number': () => shortHosts(String),
  'short hosts of a percent sign': () => shortHosts(() => '%'),
  'short paths in Han': () => shortHosts((number) => `a/${han(number)}`),
};

/** Texts that take long to normalize or to search for marks, as units to repeat. */
export const longTexts: Readonly<Record<string, string>> = {
  Chinese: '\u{4e2d}',
  'letters that NFC takes apart': '\u0958',
  'letters that NFC makes three of': '\ufb2c',
  'notes that NFC makes three of': '\u{1d160}',
  'marks, 15 in a row': `e${'\u0301'.repeat(15)}`,
  'marks, 30 in a row': `e${'\u0316\u0301'.repeat(15)}`,
  'marks of two parts': `e${'\u0344'.repeat(15)}`,
  'marks of two units': `e${'\u{1d165}'.repeat(20)}`,
};

/** Returns a list of products whose descriptions repeat a text, of nearly the maximum size of a body. */
export function longDescriptions(unit: string): string {
  const description = unit.repeat(Math.floor(65_000 / bytes(unit)));
  const product = { title: 'A', priceCents: 1, description };
  return JSON.stringify({ products: Array<object>(32).fill(product) });
}
