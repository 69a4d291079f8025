import { base62, keyChecksum } from './api-key.ts';

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
  const place = database === 0 ? '' : `z${base62(BigInt(database), 2)}`;
  // All digits are equally likely: what is cut off of so long a number leaves a difference of 2^-18 at most.
  const random = crypto.getRandomValues(new BigUint64Array(4));
  const secret = random.reduce((number, part) => (number << 64n) + part, 0n);
  const body = `bik_${place}${base62(secret, 43 - place.length)}`;
  return body + keyChecksum(body);
}
