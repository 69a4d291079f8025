import { expect, it } from 'vitest';
import {
  databaseOfKey,
  isWellFormedApiKey,
  keyChecksum,
  MAX_DATABASE,
  newApiKey,
} from '../src/auth/api-key.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

// The checksums come from zlib's crc32 of the first 47 characters, in base62.
const KNOWN = [
  'bik_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg4JJW6F',
  'bik_000000000000000000000000000000000000000000013QYCO',
  'bik_JKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz3Yme7i',
];
const [KEY = ''] = KNOWN;

const malformed: readonly [name: string, text: string][] = [
  ['nothing', ''],
  ['the prefix alone', 'bik_'],
  ['a character less', KEY.slice(0, -1)],
  ['a character more', `${KEY}0`],
  ['a space before', ` ${KEY}`],
  ['a line feed behind', `${KEY}\n`],
  ['another prefix', KEY.replace('bik_', 'bix_')],
  ['the prefix in upper case', KEY.replace('bik_', 'BIK_')],
  ['no prefix', KEY.slice(4)],
  ['no checksum', KEY.slice(0, -6)],
  ['a hyphen in the secret', KEY.replace('A', '-')],
  ['a digit of another script', KEY.replace('1', '١')],
  ['the key twice', KEY + KEY],
  ['all in upper case', KEY.toUpperCase()],
  ['another prefix, its checksum right', 'bix_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg4LYaIK'],
  [
    'a secret of 42 characters, its checksum right',
    'bik_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef21O7Hw',
  ],
  [
    'a secret of 44 characters, its checksum right',
    'bik_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh0Vfouu',
  ],
  [
    'a hyphen in the secret, its checksum right',
    'bik_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef-2INeNx',
  ],
];

const keys = Array.from({ length: 10_000 }, () => newApiKey());

it('A generated key is bik_, 43 base62 characters and a 6-character checksum, ten thousand times', () => {
  expect(keys.filter((key) => !/^bik_[0-9A-Za-z]{49}$/.test(key))).toEqual([]);
  expect(keys.filter((key) => !isWellFormedApiKey(key))).toEqual([]);
});

it('A generated key is never the same twice', () => {
  expect(new Set(keys).size).toBe(10_000);
});

it('A generated key is random in every character of its secret', () => {
  for (let index = 4; index < 47; index++) {
    expect(new Set(keys.map((key) => key[index])).size).toBeGreaterThan(55);
  }
});

const numbers = Array.from({ length: MAX_DATABASE + 1 }, (_, number) => number);

it('A key with the number of its database has the form of keys, for each number', () => {
  const keys = numbers.map((number) => newApiKey(number));
  expect(keys.filter((key) => !isWellFormedApiKey(key))).toEqual([]);
  expect(keys.map(databaseOfKey)).toEqual(numbers);
  expect(MAX_DATABASE).toBe(3843);
});

it('A key with the number of its database is bik_z, two base62 digits, 40 random ones and the checksum of all of it', () => {
  for (const [number, digits] of [
    [1, '01'],
    [61, '0z'],
    [62, '10'],
    [3843, 'zz'],
  ] as const) {
    const key = newApiKey(number);
    expect(key.slice(0, 7)).toBe(`bik_z${digits}`);
    expect(key.slice(47)).toBe(keyChecksum(key.slice(0, 47)));
  }
  const keys = Array.from({ length: 10_000 }, () => newApiKey(1));
  expect(new Set(keys).size).toBe(10_000);
  for (let index = 7; index < 47; index++) {
    expect(new Set(keys.map((key) => key[index])).size).toBe(62);
  }
});

it('A key with the number of its database is never a key of database 0, whose 43 digits are a number below 2^256', () => {
  const z = 61n * 62n ** 42n;
  expect(z).toBeGreaterThanOrEqual(2n ** 256n);
  expect(KNOWN.map(databaseOfKey)).toEqual([0, 0, 0]);
});

it.each([-1, 3844, 1.5, NaN])(
  'A key has no number of a database that does not fit: %d',
  (number) => {
    expect(() => newApiKey(number)).toThrow(RangeError);
  },
);

it.each(KNOWN)('The form of a key holds for known keys: %s', (key) => {
  expect(isWellFormedApiKey(key)).toBe(true);
});

it('The form of a key holds for no key with a single character changed', () => {
  const taken: string[] = [];
  for (const key of [KEY, newApiKey(), newApiKey(1)]) {
    for (let index = 0; index < key.length; index++) {
      for (const character of `${BASE62}_- `) {
        const changed = key.slice(0, index) + character + key.slice(index + 1);
        if (changed !== key && isWellFormedApiKey(changed)) taken.push(changed);
      }
    }
  }
  expect(taken).toEqual([]);
});

it('The form of a key holds for no key with two neighbours exchanged', () => {
  const exchanged = Array.from(
    { length: KEY.length - 1 },
    (_, index) =>
      KEY.slice(0, index) + KEY.charAt(index + 1) + KEY.charAt(index) + KEY.slice(index + 2),
  ).filter((text) => text !== KEY);
  expect(exchanged.length).toBeGreaterThan(40);
  expect(exchanged.filter(isWellFormedApiKey)).toEqual([]);
});

it.each(malformed)('The form of a key does not hold for other texts: %s', (_, text) => {
  expect(isWellFormedApiKey(text)).toBe(false);
});
