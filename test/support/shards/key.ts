import type { NewKey } from '../../../tools/admin/keys.ts';
import { apiKeyPrefix, checksum, hashApiKey } from '../../../src/auth/api-key.ts';
import { newId } from '../../../src/collection/identifier.ts';

// A trial of docs/scaling.md: a key that says in which of several databases its brand lives.
// The 43 digits of a key are a number below 2^256, and none such begins with `z`, the highest digit. So a `z` can stand
// for a second form in the same 53 characters: `bik_z`, two digits of the shard, 40 random ones, and the checksum over all.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 40;

/** The database that all keys without a number mean. */
export const FIRST_SHARD = '00';

/** The number of the database that a well-formed key names. */
export function shardOf(key: string): string {
  return key.startsWith('bik_z') ? key.slice(5, 7) : FIRST_SHARD;
}

/** A new key for a brand in that database: 62^40 are 2^238 possibilities. */
export async function newShardKey(shard: string): Promise<NewKey> {
  const body = `bik_z${shard}${randomDigits()}`;
  const apiKey = body + checksum(body);
  return { apiKey, id: newId(), hash: await hashApiKey(apiKey), prefix: apiKeyPrefix(apiKey) };
}

/** Digits drawn evenly: of the 256 values of a byte, the 8 above the last multiple of 62 are drawn again. */
function randomDigits(): string {
  let digits = '';
  while (digits.length < RANDOM_DIGITS) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 248) digits += BASE62.charAt(byte % 62);
  }
  return digits;
}
