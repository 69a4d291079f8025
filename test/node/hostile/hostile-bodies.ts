// Bodies designed to be slow. Each repeats one kind of difficult input up to a size, so that time that is not linear
// shows.

/** The size of the members of a single product, in bytes. */
const SIZE = 128 * 1024;

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
  return `{"products":[${Array<string>(ITEMS).fill(item).join()}]}`;
}

const product = (members: string): string => `{"title":"A","priceCents":1,${members}}`;

const STRINGS = [
  'description',
  'title',
  'handle',
  'sku',
  'storeStatus',
  'lastSyncedAt',
  'imageUrl',
];

/** A text in each string field: `start`, as many of `unit` as there is room for, `end`. */
function text(unit: string, start = '', end = ''): Members {
  return (size) => {
    const count = Math.max(1, size / STRINGS.length / bytes(unit));
    const value = JSON.stringify(start + unit.repeat(count) + end);
    return STRINGS.map((field) => `"${field}":${value}`).join();
  };
}

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

/** Bodies that are sent as one product and as a list of 500. */
export const hostileMembers: Readonly<Record<string, Members>> = {
  // Runs of combining marks: NFC sorts each by its class.
  'marks of two classes': text('\u0301\u0316', 'a'),
  'letters that NFC makes three of': text('\ufb2c'),
  // Near-matches of patterns.
  'spaces between letters': text(' ', 'a', 'a'),
  'times with many decimals and no zone': text('9', '2026-01-31T09:30:00.'),
  'percent signs': text('%E4%B8%80', 'https://'),
  // Hosts are turned into Punycode.
  'hosts in Han': urls(han, 1300),
  'at signs': urls(() => '@', 2000),
  // V8 would hash digits by their value, and these have the same low bits.
  'names of digits of one hash': members((index) => `"${(index * 2 ** 17) % (2 ** 32 - 1)}":1`),
  'one field many times': members(() => '"title":"x"'),
  // Deep and wide documents.
  'lists in lists': (size) => `"imageUrls":${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'objects in an ignored field': (size) =>
    `"id":${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'a number of many zeros': (size) => `"priceCents":1${'0'.repeat(size)}e-${Math.floor(size)}`,
};

/** Objects of so many members, whose names are new in each. V8's parser makes a shape for each. */
const objects = (count: number) => (index: number) =>
  `{${Array.from({ length: count }, (_, at) => `"${(index * count + at).toString(36)}":0`).join()}}`;

/** Whole bodies of the maximum size, whose trouble is the number of their parts. */
export const hostileBodies: Readonly<Record<string, () => string>> = {
  'objects of new names': () => `{"id":[${filled(LIST_SIZE, objects(50)).join()}]}`,
  'items of new names': () =>
    `{"products":[${filled(LIST_SIZE, objects(400)).slice(0, ITEMS).join()}]}`,
  'empty objects': () => `{"products":[${filled(LIST_SIZE, () => '{}').join()}]}`,
  'colons behind a long name': () =>
    `[${'{},'.repeat(1001)}{"${'a'.repeat(LIST_SIZE / 2)}"${':'.repeat(LIST_SIZE / 2)}`,
  'open brackets': () => '['.repeat(LIST_SIZE),
  'a text without an end': () => `{"title":"${'\\\\'.repeat(LIST_SIZE / 2)}`,
};

/** A push of 30 products of the maximum length; `run` makes it a change. */
export function largePush(run: number): string {
  const products = Array.from({ length: 30 }, (_, index) => ({
    sku: `LARGE-${index}`,
    title: `Run ${run}`,
    priceCents: 1,
    description: 'x'.repeat(65_000),
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

function bytes(value: string): number {
  return new TextEncoder().encode(value).byteLength;
}
