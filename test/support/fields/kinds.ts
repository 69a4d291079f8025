import { Json } from '../json-text.ts';
import type { Fuzzed } from './fuzzed.ts';
import {
  fuzzedBoolean,
  fuzzedInteger,
  fuzzedMultiLine,
  fuzzedOneOf,
  fuzzedPattern,
  fuzzedPercent,
  fuzzedSingleLine,
  fuzzedStoreId,
  fuzzedTime,
  fuzzedUrl,
} from './fuzzed.ts';

// The kinds of fields. Each says what a request may send, and what it may not.

/** An accepted value, and the value that is read back. */
export interface Accepted {
  readonly sent: unknown;
  readonly kept: unknown;
}

/** What the tests know of a kind of field. */
export interface Kind {
  readonly accepted: readonly Accepted[];
  readonly refused: readonly unknown[];
  /** What the fuzzer sends of it. A kind of a collection's field needs it. */
  readonly fuzzed?: Fuzzed;
}

/** Accepted values that are read back unchanged. */
export function same(...values: readonly unknown[]): Accepted[] {
  return values.map((value) => ({ sent: value, kept: value }));
}

const NO_STRINGS = [null, 1, true, [], {}, ['A']];
const NO_NUMBERS = [
  null,
  '1',
  '',
  true,
  false,
  [],
  [1],
  {},
  new Json('1e400'),
  new Json('-1e400'),
  new Json('9007199254740993'),
];
const NO_LINES = ['a\nb', 'a\rb', 'a\tb'];
const NO_TEXT = [
  '\ud800',
  'a\ud83d',
  '\ude00b',
  'a\udfffb',
  '\ude00\ud83d',
  'a\0b',
  'a\u0001b',
  'a\u000bb',
  'a\u001fb',
  'a\u007fb',
  'a\u0080b',
  'a\u0085b',
  'a\u009fb',
];

/** The number of four-byte characters in 256 KiB. */
const EMOJI_AT_MOST = 40_000;

/** Text of `min` to `max` code points. */
export function text(min: number, max: number, { lines = false } = {}): Kind {
  const emoji = Math.min(max, EMOJI_AT_MOST);
  const shortest = 'a'.repeat(Math.max(min, 1));
  return {
    fuzzed: lines ? fuzzedMultiLine(min, max) : fuzzedSingleLine(min, max),
    accepted: [
      ...same(shortest, 'x'.repeat(max), '😀'.repeat(emoji), '\u00c9≠日'.repeat(max).slice(0, max)),
      { sent: `  ${shortest}  `, kept: shortest },
      { sent: ` ${'x'.repeat(max)} `, kept: 'x'.repeat(max) },
      { sent: 'e\u0301'.repeat(max), kept: '\u00e9'.repeat(max) },
      ...(min === 0 ? [...same(''), { sent: '   ', kept: '' }] : []),
      ...(lines ? same('one\ntwo\r\nthree\tfour'.padEnd(min, 'x')) : []),
    ],
    refused: [
      ...NO_STRINGS,
      ...NO_TEXT.map((bad) => bad.padEnd(min, 'x')),
      'x'.repeat(max + 1),
      // NFC decomposes U+0958, so it is too long only afterwards.
      '\u0958'.repeat(max),
      ...(max < EMOJI_AT_MOST ? ['😀'.repeat(max + 1)] : []),
      ...(min > 0 ? ['', ' '.repeat(min), 'x'.repeat(min - 1), '😀'.repeat(min - 1)] : []),
      ...(lines ? [] : NO_LINES.map((bad) => bad.padEnd(min, 'x'))),
    ],
  };
}

export function integer(min: number, max: number): Kind {
  return {
    fuzzed: fuzzedInteger(min, max),
    accepted: [
      ...same(min, min + 1, max - 1, max),
      ...[
        { sent: new Json('5.0'), kept: 5 },
        { sent: new Json('1e3'), kept: 1000 },
      ].filter(({ kept }) => kept >= min && kept <= max),
      ...(min <= 0 ? [{ sent: new Json('-0'), kept: 0 }] : []),
    ],
    refused: [...NO_NUMBERS, min - 1, max + 1, 1.5, 0.1, new Json('1e-7')],
  };
}

/** A percentage with at most two decimals. */
export function percent(min: number): Kind {
  return {
    fuzzed: fuzzedPercent(min),
    accepted: [
      ...same(0.01, 0.07, 0.29, 1.15, 12.34, 33.3, 57.78, 64.1, 99.99, 100),
      { sent: new Json('12.340'), kept: 12.34 },
      ...same(min, 0),
      { sent: new Json('-0'), kept: 0 },
      ...(min < 0 ? same(-0.29, -999.99) : []),
    ],
    refused: [
      ...NO_NUMBERS,
      min - 0.01,
      100.01,
      100.001,
      0.001,
      12.345,
      99.999,
      0.1 + 0.2,
      new Json('1e-7'),
      new Json('0.2900001'),
    ],
  };
}

export const timestamp: Kind = {
  fuzzed: fuzzedTime,
  accepted: [
    ...same('2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.007Z', '2024-02-29T00:00:00.000Z'),
    ...same('0000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'),
    { sent: '2026-01-31T09:30:00Z', kept: '2026-01-31T09:30:00.000Z' },
    { sent: '2026-01-31T09:30:00.5Z', kept: '2026-01-31T09:30:00.500Z' },
    { sent: '2026-01-31T09:30:00.123999999Z', kept: '2026-01-31T09:30:00.123Z' },
    // More decimals than V8 reads, behind zeros that it does not count.
    { sent: '2026-01-31T09:30:00.0123456789Z', kept: '2026-01-31T09:30:00.012Z' },
    { sent: '2026-01-31T09:30:00.00123456789+02:00', kept: '2026-01-31T07:30:00.001Z' },
    { sent: `2026-01-31T09:30:00.${'9'.repeat(200)}Z`, kept: '2026-01-31T09:30:00.999Z' },
    { sent: '1969-12-31T23:59:59.9999Z', kept: '1969-12-31T23:59:59.999Z' },
    { sent: '2026-01-31T09:30:00+02:00', kept: '2026-01-31T07:30:00.000Z' },
    { sent: '2026-01-31T19:30:00.25-05:30', kept: '2026-02-01T01:00:00.250Z' },
    { sent: '2026-01-31T09:30:00+00:00', kept: '2026-01-31T09:30:00.000Z' },
    { sent: '0000-01-01T01:00:00+01:00', kept: '0000-01-01T00:00:00.000Z' },
    { sent: '9999-12-31T22:59:59-01:00', kept: '9999-12-31T23:59:59.000Z' },
    { sent: ' 2026-01-31T09:30:00Z ', kept: '2026-01-31T09:30:00.000Z' },
  ],
  refused: [
    ...NO_STRINGS,
    ...NO_TEXT,
    1769851800,
    '',
    'now',
    'yesterday',
    '1769851800',
    '2026-01-31T09:30:00',
    '2026-01-31T09:30:00.000',
    '2026-01-31',
    '09:30:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:61Z',
    '2026-01-31T09:30:00+24:00',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.999-00:01',
    'Sat, 31 Jan 2026 09:30:00 GMT',
    '2026-01-31T09:30:00.Z',
    // In the form in which times are stored.
    '2026-02-30T00:00:00.000Z',
    '2025-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-00T00:00:00.000Z',
    '2026-01-31T24:00:00.000Z',
    '2026-01-31T09:60:00.000Z',
    '2026-01-31T23:59:60.000Z',
    '0000-00-00T00:00:00.000Z',
    '2026-01-31t09:30:00.000z',
  ],
};

const ORIGIN = 'https://example.com/';

/** An `http` or `https` URL. */
export const url: Kind = {
  fuzzed: fuzzedUrl,
  accepted: [
    ...same('http://example.com', 'https://example.com:8443/a/b.png?c=d&e=%20#f'),
    ...same('HTTPS://Example.COM/A', 'https://[::1]/', 'https://bücher.example/ä'),
    ...same(ORIGIN + 'x'.repeat(2048 - ORIGIN.length), ORIGIN + '😀'.repeat(2048 - ORIGIN.length)),
    { sent: '  https://example.com/a  ', kept: 'https://example.com/a' },
    { sent: 'https://example.com/cafe\u0301', kept: 'https://example.com/caf\u00e9' },
  ],
  refused: [
    ...NO_STRINGS,
    '',
    '   ',
    'example.com',
    '/a',
    '//example.com/a',
    'https://',
    'https:///',
    'ftp://example.com/a',
    'javascript:alert(1)',
    'data:text/plain,a',
    'mailto:a@example.com',
    'https://exa mple.com/',
    'https://example.com:99999/',
    'https://[::1',
    'see https://a.test',
    ...NO_TEXT.map((bad) => ORIGIN + bad),
    ...NO_LINES.map((bad) => ORIGIN + bad),
    ORIGIN + 'x'.repeat(2049 - ORIGIN.length),
    ORIGIN + '😀'.repeat(2049 - ORIGIN.length),
  ],
};

/** One of a closed set of upper-case values. */
export function oneOf(...values: readonly string[]): Kind {
  return {
    fuzzed: fuzzedOneOf(values, String(values[0]).toLowerCase(), 'GONE'),
    accepted: [...same(...values), ...values.map((value) => ({ sent: ` ${value} `, kept: value }))],
    refused: [
      ...NO_STRINGS,
      '',
      'OTHER_VALUE',
      values.join(),
      ...values.flatMap((value) => [value.toLowerCase(), `${value}S`, `${value}\0`, [value]]),
    ],
  };
}

/** An upper-case name. */
export function upperCaseName(max: number): Kind {
  const [form, tooLong] = [/^[A-Z][A-Z0-9_]*$/, 'Z'.repeat(max + 1)];
  const name = fuzzedPattern(form, 'OTHER', 'SHOP', 'A1', 'other', '1A', '', tooLong);
  return {
    fuzzed: {
      ...name,
      isGood: (value) => name.isGood(value) && String(value).trim().length <= max,
    },
    accepted: [
      ...same('A', 'A1_B', 'SUPPLEMENTS', 'A_', 'Z'.repeat(max)),
      { sent: ' A ', kept: 'A' },
    ],
    refused: [
      ...NO_STRINGS,
      ...NO_TEXT,
      ...NO_LINES,
      '',
      'a',
      'Supplements',
      '1A',
      '_A',
      'A-B',
      'A B',
      'É',
      'Ａ',
      'A.B',
      'Z'.repeat(max + 1),
    ],
  };
}

/** `true` or `false`. */
export const boolean: Kind = {
  fuzzed: fuzzedBoolean,
  accepted: same(true, false),
  refused: [null, 0, 1, '', 'true', 'false', 'TRUE', [], [true], {}],
};

export const cents = integer(0, 999_999_999_999);

export const currencyCode: Kind = {
  fuzzed: fuzzedOneOf(['USD', 'EUR', 'JPY'], 'usd', 'ZZZ'),
  accepted: [...same('USD', 'EUR', 'JPY', 'KWD', 'CHF'), { sent: ' GBP ', kept: 'GBP' }],
  refused: [
    null,
    840,
    true,
    [],
    {},
    '',
    'usd',
    'Usd',
    'US',
    'USDX',
    'ZZZ',
    'QQQ',
    '$',
    '840',
    'ＵＳＤ',
    'US\0',
    'US D',
  ],
};

/** An identifier of the store platform. */
export const storeId: Kind = {
  ...text(1, 255),
  fuzzed: fuzzedStoreId,
  accepted: [
    ...text(1, 255).accepted,
    ...same('gid://shopify/Product/123', 'gid://shopify/Product/123?a=b', '12345'),
  ],
};
