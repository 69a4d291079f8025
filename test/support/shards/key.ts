import type { NewKey } from '../../../tools/admin/keys.ts';
import { apiKeyPrefix, checksum, hashApiKey } from '../../../src/auth/api-key.ts';
import { newId } from '../../../src/collection/identifier.ts';

// A design of docs/scaling.md: a key that names the database of its brand. The 43 digits of a key are a number below
// 2^256, and no such number begins with `z`, the highest digit. So a `z` can mark a second format in the same 53
// characters: `bik_z`, two digits for the shard, 40 random ones, and the checksum.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 40;

/** The database of all keys without a number. */
export const FIRST_SHARD = '00';

/** Returns the number of the database that a well-formed key names. */
export function shardOf(key: string): string {
  return key.startsWith('bik_z') ? key.slice(5, 7) : FIRST_SHARD;
}

/** Generates a key for a brand in this database, with 62^40 (2^238) possibilities. */
export async function newShardKey(shard: string): Promise<NewKey> {
  const body = `bik_z${shard}${randomDigits()}`;
  const apiKey = body + checksum(body);
  return { apiKey, id: newId(), hash: await hashApiKey(apiKey), prefix: apiKeyPrefix(apiKey) };
}

/** Draws uniform digits: the 8 values of a byte above the last multiple of 62 are drawn again. */
function randomDigits(): string {
  let digits = '';
  while (digits.length < RANDOM_DIGITS) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 248) digits += BASE62.charAt(byte % 62);
  }
  return digits;
}
