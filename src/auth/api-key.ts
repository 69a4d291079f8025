import { crc32 } from '../hash.ts';

// A key is `bik_`, 43 base62 digits (256 random bits) and 6 base62 digits: the CRC-32 of the preceding characters. The
// prefix lets secret scanners find a leaked key; the checksum lets us reject a mistyped key without a call to D1.
//
// Such a key means database 0. A key of another database has `z`, two digits for the number, and 40 random ones (238 bits)
// in place of the 43. The first form never begins with `z`: 43 digits have room for 2 % more numbers than 256 bits.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^bik_[0-9A-Za-z]{49}$/;

/** Returns the number of the database that a well-formed key names. */
export function databaseOfKey(key: string): number {
  const [mark, high = '', low = ''] = key.slice(4);
  return mark === 'z' ? 62 * BASE62.indexOf(high) + BASE62.indexOf(low) : 0;
}

/** Whether the text has the format of a key and a correct checksum. The key need not have been issued. */
export function isWellFormedApiKey(text: string): boolean {
  return FORM.test(text) && text.endsWith(keyChecksum(text.slice(0, -6)));
}

/** The highest number of a database that a key can name. */
export const MAX_DATABASE = 62 ** 2 - 1;

/**
 * Generates a key of a brand in this database. Show it once and never store it.
 * @throws RangeError if no key can name the database
 */
export function newApiKey(database = 0): string {
  if (!Number.isInteger(database) || database < 0 || database > MAX_DATABASE) {
    throw new RangeError(`The number of a database is an integer from 0 to ${MAX_DATABASE}.`);
  }
  const ofDatabase = database === 0 ? '' : `z${base62(BigInt(database), 2)}`;
  // All digits are equally likely: what is cut off of so long a number leaves a difference of 2^-18 at most.
  const random = crypto.getRandomValues(new BigUint64Array(4));
  const secret = random.reduce((number, part) => (number << 64n) + part, 0n);
  const body = `bik_${ofDatabase}${base62(secret, 43 - ofDatabase.length)}`;
  return body + keyChecksum(body);
}

/** The last digits of a key: the CRC-32 of the preceding characters. */
export function keyChecksum(body: string): string {
  return base62(BigInt(crc32(body)), 6);
}

function base62(number: bigint, digits: number): string {
  let text = '';
  for (let rest = number; text.length < digits; rest /= 62n) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
  }
  return text;
}
