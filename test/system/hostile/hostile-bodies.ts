// Bodies designed to be slow. Each repeats one kind of difficult input up to a size, so that time that is not linear
// shows.

import type { Operation, Target } from './operations.ts';
import { bytes, ITEMS, LIST_LIMIT } from './sizes.ts';

const SIZE = 128 * 1024;
/** Of an item in a list of 500. */
const ITEM_SIZE = 1024;
/** Of an item in a list of the maximum size. */
const LARGE_ITEM_SIZE = 4096;

/** A body of one kind, for any target and of about any size in bytes. */
type Make = (target: Target, size: number) => string;

/** A kind of trouble. */
export interface Hostile {
  readonly name: string;
  /** The body of one resource. */
  readonly one: (operation: Operation) => string;
  /** A list of 500 such resources. */
  readonly list: (operation: Operation) => string;
  /** A list of larger ones, as many as a body may have. */
  readonly full: (operation: Operation) => string;
}

/** Harmless bodies, small ones first, for comparison with the hostile ones. */
export const harmlessBodies: readonly Hostile[] = [8, 2, 1].map((part) =>
  hostile(`harmless, ${part}`, ({ body }, size) =>
    body(`"createdAt":"${'x'.repeat(size / part)}"`),
  ),
);

function hostile(name: string, make: Make): Hostile {
  return {
    name,
    one: ({ target }) => make(target, SIZE),
    list: ({ target, many = '' }) => {
      const item = make(target, ITEM_SIZE);
      return `{"${many}":[${Array<string>(ITEMS).fill(item).join()}]}`;
    },
    full: ({ target, many = '' }) => {
      const item = make(target, LARGE_ITEM_SIZE);
      const items = Math.min(ITEMS, Math.floor((LIST_LIMIT - 100) / (bytes(item) + 1)));
      return `{"${many}":[${Array<string>(items).fill(item).join()}]}`;
    },
  };
}

/** A text in each string field: `start`, as many of `unit` as there is room for, `end`. */
function text(name: string, unit: string, start = '', end = ''): Hostile {
  return hostile(name, ({ strings, body }, size) => {
    const room = size / strings.length;
    const value = JSON.stringify(start + repeated(unit, room) + end);
    return body(strings.map((field) => `"${field}":${value}`).join());
  });
}

/** One such text, in the first string field alone, and in the one that takes the longest texts. */
function longText(name: string, unit: string, start = '', end = ''): readonly Hostile[] {
  const value = (size: number): string => JSON.stringify(start + repeated(unit, size) + end);
  return [
    hostile(name, ({ strings: [field = ''], body }, size) => body(`"${field}":${value(size)}`)),
    hostile(`${name}, in a description`, ({ strings, body }, size) => {
      const field = strings.includes('description') ? 'description' : 'lastSyncError';
      return body(`"${field}":${value(size)}`);
    }),
  ];
}

/** The same text escaped, six bytes for each UTF-16 unit. */
function escaped(name: string, unit: string): Hostile {
  return hostile(name, ({ strings: [field = ''], body }, size) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return body(`"${field}":"a${`\\u${code}`.repeat(size / 6)}"`);
  });
}

/** As many members as there is room for. */
function members(name: string, member: (index: number) => string): Hostile {
  return hostile(name, ({ body }, size) => {
    const texts: string[] = [];
    for (let length = 0, index = 0; length < size; index++) {
      const text = member(index);
      texts.push(text);
      length += text.length + 1;
    }
    return body(texts.join());
  });
}

/**
 * A JSON list of texts of digits with the same low bits, which V8's table of texts puts in one place. Then the last of
 * them, for which the whole row is searched.
 */
function digits(size: number): string {
  const texts: string[] = [];
  const step = 2 ** 16;
  for (let length = 0, value = step; length < size; value += value + step < 1e9 ? step : 0) {
    const text = `"${value}"`;
    texts.push(text);
    length += text.length + 1;
  }
  return `[${texts.join()}]`;
}

/** URLs of the form `https://` and so on, 2,000 units each, as many as there is room for. */
function urls(
  name: string,
  unit: string | ((index: number) => string),
  end = '',
  units = 2000,
): Hostile {
  return hostile(name, ({ body, strings }, size) => {
    const count = typeof unit === 'string' ? Math.floor(units / unit.length) : units;
    const make = typeof unit === 'string' ? () => unit : unit;
    const url = `https://${Array.from({ length: count }, (_, index) => make(index)).join('')}${end}`;
    const json = JSON.stringify(url);
    const field = strings.includes('imageUrl') ? 'imageUrls' : 'website';
    const list = Array<string>(Math.min(250, Math.ceil(size / bytes(json)))).fill(json);
    return body(`"${field}":${field === 'imageUrls' ? `[${list.join()}]` : json}`);
  });
}

function repeated(unit: string, size: number): string {
  return unit.repeat(Math.max(1, size / bytes(unit)));
}

/** A character of a host whose labels have 62. */
function labels(index: number, code: number): string {
  return index % 63 === 62 ? '.' : String.fromCharCode(code);
}

/** Han characters, hardly two of them equal. */
export const han = (index: number): string => String.fromCharCode(0x4e00 + ((index * 37) % 20_000));

export const hostileBodies: readonly Hostile[] = [
  // Runs of combining marks: NFC sorts each by its class.
  ...longText('Latin marks of two classes', '\u0301\u0316', 'a'),
  text('Latin marks in each field', '\u0301\u0316\u0327\u0345', 'a'),
  ...longText('marks of two parts', '\u0344\u0316', 'a'),
  ...longText('Hebrew points', '\u05b0\u05b1\u05bc\u05c1\u05b4', '\u05e9'),
  ...longText('Arabic vowels', '\u0651\u064b\u0650\u0670', '\u0628'),
  ...longText('Thai vowels and tones', '\u0e48\u0e38', '\u0e01'),
  ...longText('Tibetan vowels', '\u0f74\u0f72\u0f71\u0f73', '\u0f40'),
  ...longText('Devanagari signs', '\u094d\u093c', '\u0915'),
  ...longText('musical symbols', '\u{1d16d}\u{1d165}', '\u{1d158}'),
  ...longText('Hangul vowels', '\u1161', '\u1100'),
  ...longText('Hangul syllables in parts', '\u1100\u1161\u11a8'),
  // No marks, but they compose.
  hostile('Kirat Rai vowels', ({ body }, size) =>
    body(`"description":"${'\u{16d68}'.repeat(size / 4)}"`),
  ),
  ...longText('half-width Katakana marks', '\uff9e\uff9f', '\uff76'),
  text('marks, 30 in a row', `e${'\u0301\u0316'.repeat(15)}`),
  text('marks, 31 in a row', `e${'\u0301\u0316'.repeat(15)}\u0301`),
  text('letters with two marks', 'a\u0316\u0301'),
  escaped('marks as escapes', '\u0301'),
  escaped('lone surrogates as escapes', '\ud800'),
  // Letters that grow.
  text('ligatures of 18 letters', '\ufdfa'),
  hostile('titles of ligatures', ({ body }) => body(`"title":"${'\ufdfa'.repeat(255)}"`)),
  text('letters that NFC takes apart', '\u0958'),
  // White space, which is trimmed.
  text('spaces', ' '),
  ...longText('spaces between letters', ' ', 'a', 'a'),
  text('spaces of all kinds', '\u00a0\u3000\ufeff\t\n ', 'a', 'a'),
  text('line ends', '\n', 'a', 'b'),
  text('control characters', '\u0001'),
  // Near-matches of each pattern.
  text('slugs that end in a hyphen', 'a-', '', ''),
  text('host names of short labels', 'a.', '', '_'),
  text('host names of hyphens', 'a-a-', 'a', '.'),
  text('e-mail addresses without a host', 'a.', '', 'a'),
  text('e-mail addresses with endless hosts', 'a-a.', 'a@', '1'),
  text('times with many decimals and no zone', '9', '2026-01-31T09:30:00.'),
  text('upper-case names', 'A_', '', 'a'),
  text('global ids', 'x', 'gid://', ''),
  text('UUIDs', '01890a5d-ac96-774b-bcce-b302099a8057'),
  text('percent signs', '%E4%B8%80', 'https://'),
  // URLs, as long as they may be.
  urls('hosts in Han', han),
  urls('hosts in Han, in labels', (index) => (index % 50 === 49 ? '.' : han(index))),
  // Short enough for DNS as written, but not as they are resolved.
  urls('hosts of squared words', (index) => labels(index, 0x3300 + (index % 88)), '', 250),
  urls('hosts of ligatures, in labels', (index) => labels(index, 0xfdfa), '', 250),
  urls('short hosts in Han', (index) => labels(index, han(index).charCodeAt(0)), '', 250),
  urls('hosts in Han behind a password', (index) => (index === 5 ? '@' : han(index))),
  urls('hosts of escapes', '%E4%B8%80'),
  urls('hosts of Punycode', 'xn--4ca9', '.'),
  urls('hosts of ligatures', '\ufdfa'),
  urls('at signs', '@', 'a.example'),
  urls('numbers', '0', '1'),
  // Many fields, and names.
  members('unknown fields', (index) => `"f${index}":1`),
  members('unknown fields of short names', (index) => `"${index.toString(36)}":1`),
  members('unknown fields with long names', (index) => `"${'x'.repeat(150)}${index}":1`),
  members('unknown fields that are numbers', (index) => `"${index}":1`),
  members('unknown fields of one hash', (index) => `"${(index % 128) * 131_072 + (index >> 7)}":1`),
  members('one field many times', () => `"title":"x"`),
  members('__proto__ many times', () => `"__proto__":{"a":1}`),
  hostile('__proto__ in __proto__', ({ body }, size) =>
    body(`${'"__proto__":{'.repeat(size / 15)}"a":1${'}'.repeat(size / 15)}`),
  ),
  hostile('a huge name', ({ body }, size) => body(`"${'x'.repeat(size)}":1`)),
  hostile('a huge name of marks', ({ body }, size) => body(`"a${'\u0301'.repeat(size / 2)}":1`)),
  hostile('a huge name of escapes', ({ body }, size) => body(`"${'\\u0301'.repeat(size / 6)}":1`)),
  // Deep and wide documents.
  hostile('lists in lists', ({ body }, size) =>
    body(`"imageUrls":${'['.repeat(size / 2)}${']'.repeat(size / 2)}`),
  ),
  hostile('objects in objects', ({ body }, size) =>
    body(`"title":${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`),
  ),
  hostile('open brackets', (_, size) => '['.repeat(size)),
  hostile('deep fields that are ignored', ({ body }, size) =>
    body(`"id":${'{"a":['.repeat(size / 8)}${']}'.repeat(size / 8)}`),
  ),
  hostile('a list of 250 numbers', ({ body }) => body(`"imageUrls":[${'0,'.repeat(249)}0]`)),
  hostile('a long list of numbers', ({ body }, size) =>
    body(`"imageUrls":[${'0,'.repeat(size / 2)}0]`),
  ),
  hostile('a long list of objects', ({ body }, size) =>
    body(`"imageUrls":[${'{},'.repeat(size / 3)}0]`),
  ),
  hostile('numbers for texts', ({ strings, body }) =>
    body(strings.map((field) => `"${field}":0`).join()),
  ),
  // Numbers.
  number('numbers of many digits', (size) => '9'.repeat(size)),
  number('numbers of many decimals', (size) => `0.${'1'.repeat(size)}`),
  number('numbers of many zeros', (size) => `1${'0'.repeat(size)}e-${size}`),
  number('long exponents', (size) => `1e${'9'.repeat(size)}`),
  number('percentages with three decimals', (size) => `12.34${'0'.repeat(size)}1`),
  {
    name: 'texts of digits of one hash',
    one: ({ target: { body } }) => body(`"createdAt":${digits(SIZE)}`),
    list: ({ many = '' }) => `{"${many}":${digits(ITEMS * ITEM_SIZE)}}`,
    full: ({ many = '' }) => `{"${many}":${digits(LIST_LIMIT - 100)}}`,
  },
  members('names of digits of one hash', (index) => `"${(index * 2 ** 17) % (2 ** 32 - 1)}":1`),
  // No JSON.
  hostile('a text without an end', (_, size) => `{"title":"${'a'.repeat(size)}`),
  hostile('escapes without an end', (_, size) => `{"title":"${'\\\\'.repeat(size / 2)}`),
  hostile('white space', (_, size) => ' '.repeat(size)),
];

function number(name: string, make: (size: number) => string): Hostile {
  return hostile(name, ({ numbers, body }, size) => {
    const value = make(Math.floor(size / numbers.length));
    return body(numbers.map((field) => `"${field}":${value}`).join());
  });
}
