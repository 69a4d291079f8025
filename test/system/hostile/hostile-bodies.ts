// Bodies designed to be slow. Each repeats one kind of difficult input up to a size, so that time that is not linear
// shows.

/** The size of the members of a single product, in bytes. */
export const SIZE = 128 * 1024;

/** The maximum size of the body of a list, in bytes, with room for what stands around the members. */
const LIST_SIZE = 2 * 1024 * 1024 - 20_000;
const ITEMS = 500;

/** Members of a product's JSON, about as many bytes as a size. */
type Members = (size: number) => string;

/** The body of one product. */
export const one = (members: Members): string => product(members(SIZE));

/** The body of a list of 500 products, of nearly the maximum size. */
export function list(members: Members): string {
  const item = product(members(LIST_SIZE / ITEMS - 300));
  const body = `{"products":[${Array<string>(ITEMS).fill(item).join()}]}`;
  // It would be refused unread.
  if (bytes(body) > 2 * 1024 * 1024) throw new Error('The list is too large.');
  return body;
}

const product = (members: string): string => `{"title":"A","priceCents":1,${members}}`;

/** A harmless text in a field that is ignored. */
export const harmless: Members = (size) => `"createdAt":"${'x'.repeat(size)}"`;

/** What an ordinary product of this size has. */
export const ordinary: Members = (size) =>
  `"description":"${'A soft tee of organic cotton. '.repeat(Math.min(size, 3000) / 30)}","imageUrls":[${'"https://cdn.shop.example/tees/1.jpg",'.repeat(9)}"https://cdn.shop.example/"]`;

const STRINGS = [
  'description',
  'title',
  'handle',
  'sku',
  'storeStatus',
  'lastSyncedAt',
  'imageUrl',
];
const NUMBERS = ['priceCents', 'discountPercent', 'storeInventoryQuantity'];

/** A text in each string field, or in the description alone: `start`, as many of `unit` as there is room for, `end`. */
function text(unit: string, start = '', end = '', fields = STRINGS): Members {
  return (size) => {
    const value = JSON.stringify(start + repeated(unit, size / fields.length) + end);
    return fields.map((field) => `"${field}":${value}`).join();
  };
}

const inDescription = (unit: string, start = '', end = ''): Members =>
  text(unit, start, end, ['description']);

/** As many members as there is room for. */
const members =
  (member: (index: number) => string): Members =>
  (size) =>
    filled(size, member).join();

/** URLs of one host of so many characters, as many as there is room for. */
const urls =
  (character: (index: number) => string, length: number): Members =>
  (size) => {
    const host = Array.from({ length }, (_, index) => character(index)).join('');
    const url = JSON.stringify(`https://${host}`);
    const count = Math.min(250, Math.max(1, size / bytes(url)));
    return `"imageUrls":[${Array<string>(Math.floor(count)).fill(url).join()}]`;
  };

/** Han characters, hardly two of them equal: Punycode takes quadratic time in the number of different ones. */
const han = (index: number): string => String.fromCharCode(0x4e00 + ((index * 37) % 20_000));

const numbers =
  (make: (size: number) => string): Members =>
  (size) => {
    const value = make(Math.floor(size / NUMBERS.length));
    return NUMBERS.map((field) => `"${field}":${value}`).join();
  };

/** Bodies that are sent as one product and as a list of 500. */
export const hostileMembers: Readonly<Record<string, Members>> = {
  // Runs of combining marks: NFC sorts each by its class.
  'marks of two classes': inDescription('\u0301\u0316', 'a'),
  'marks of two classes in each field': text('\u0301\u0316', 'a'),
  'marks, 30 in a row': inDescription(`e${'\u0301\u0316'.repeat(15)}`),
  'marks as escapes': (size) => `"description":"a${'\\u0301'.repeat(size / 6)}"`,
  'Hangul in parts': inDescription('\u1100\u1161\u11a8'),
  'ligatures of 18 letters': text('\ufdfa'),
  'letters that NFC takes apart': inDescription('\u0958'),
  'letters that NFC makes three of': inDescription('\ufb2c'),
  // Near-matches of patterns.
  'spaces between letters': text(' ', 'a', 'a'),
  'times with many decimals and no zone': text('9', '2026-01-31T09:30:00.'),
  'upper-case names': text('A_', '', 'a'),
  'percent signs': text('%E4%B8%80', 'https://'),
  // Hosts are turned into Punycode.
  'hosts in Han': urls(han, 1300),
  'short hosts in Han': urls(han, 60),
  'hosts of ligatures': urls((index) => (index % 9 === 8 ? '.' : '\ufdfa'), 250),
  'at signs': urls(() => '@', 2000),
  // Names.
  'unknown fields': members((index) => `"f${index}":1`),
  'one field many times': members(() => '"title":"x"'),
  '__proto__ many times': members(() => '"__proto__":{"a":1}'),
  // V8 would hash digits by their value, and these have the same low bits.
  'names of digits of one hash': members((index) => `"${(index * 2 ** 17) % (2 ** 32 - 1)}":1`),
  'texts of digits of one hash': (size) =>
    `"createdAt":[${filled(size, (index) => `"${((index + 1) * 2 ** 16) % 1e9}"`).join()}]`,
  'a huge name of marks': (size) => `"a${'\u0301'.repeat(size / 2)}":1`,
  // Deep and wide documents.
  'lists in lists': (size) => `"imageUrls":${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'objects in an ignored field': (size) =>
    `"id":${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'a long list of objects': (size) => `"imageUrls":[${'{},'.repeat(size / 3)}0]`,
  // Numbers.
  'numbers of many digits': numbers((size) => '9'.repeat(size)),
  'numbers of many zeros': numbers((size) => `1${'0'.repeat(size)}e-${size}`),
  'long exponents': numbers((size) => `1e${'9'.repeat(size)}`),
};

/** Returns objects of so many members; their names are new in each object, or the same. */
function objects(count: number, isNew = true): (index: number) => string {
  return (index) => {
    const name = (at: number): string => (isNew ? index * count + at : at).toString(36);
    return `{${Array.from({ length: count }, (_, at) => `"${name(at)}":0`).join()}}`;
  };
}

/** Many objects of 50 members: V8's parser makes a shape for each whose names are new. */
export const manyObjects = (isNew: boolean): string =>
  `{"id":[${filled(LIST_SIZE, objects(50, isNew)).join()}]}`;

/** Whole bodies of the maximum size, whose trouble is the number of their parts. */
export const hostileBodies: Readonly<Record<string, () => string>> = {
  'items of new names': () =>
    `{"products":[${filled(LIST_SIZE, objects(400)).slice(0, ITEMS).join()}]}`,
  'empty objects': () => `{"products":[${filled(LIST_SIZE, () => '{}').join()}]}`,
  'unknown fields of one item': () =>
    `{"products":[{${filled(LIST_SIZE, (index) => `"${index.toString(36)}":0`).join()}}]}`,
  'colons behind a long name': () =>
    `[${'{},'.repeat(1001)}{"${'a'.repeat(LIST_SIZE / 2)}"${':'.repeat(LIST_SIZE / 2)}`,
  'open brackets': () => '['.repeat(LIST_SIZE),
  'a text without an end': () => `{"title":"${'\\\\'.repeat(LIST_SIZE / 2)}`,
  'white space': () => ' '.repeat(LIST_SIZE),
};

/** A push of 30 products of the maximum length; `run` makes it a change. */
export function largePush(run: number, field: 'description' | 'createdAt'): string {
  const products = Array.from({ length: 30 }, (_, index) => ({
    ...{ sku: `LARGE-${index}`, title: `Run ${run}`, priceCents: 1 },
    [field]: 'x'.repeat(65_000),
  }));
  return JSON.stringify({ products });
}

/** Parts, as many as there is room for. */
function filled(size: number, part: (index: number) => string): string[] {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < size; index++) {
    const next = part(index);
    parts.push(next);
    length += bytes(next) + 1;
  }
  return parts;
}

function repeated(unit: string, size: number): string {
  return unit.repeat(Math.max(1, size / bytes(unit)));
}

function bytes(value: string): number {
  return new TextEncoder().encode(value).byteLength;
}
