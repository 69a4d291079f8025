import { sql } from 'drizzle-orm';
import { newApiKey } from '../../src/auth/api-key.ts';
import { apiKeys } from '../../src/db/tables.ts';
import type { TestBrand } from './brand.ts';
import { execute } from './brand.ts';
import type { KeyOptions } from './operator.ts';
import { issueKey, revokeKey } from './operator.ts';

/** Returns the same brand with a new key. */
export async function withNewKey(brand: TestBrand, options: KeyOptions = {}): Promise<TestBrand> {
  return brand.with(await issueKey(execute, brand.issued.brandId, options));
}

export interface UnusableKeys {
  /** Well-formed, and never issued. */
  readonly unknown: string;
  readonly revoked: string;
  readonly expired: string;
}

/** Creates keys of the brand that are no longer valid. */
export async function makeUnusableKeys(brand: TestBrand): Promise<UnusableKeys> {
  const revoked = await withNewKey(brand);
  await revokeKey(execute, revoked.issued.keyId);
  const expired = await withNewKey(brand, { expiresIn: 3600 });
  await execute(
    sql`update ${apiKeys} set expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 second')
      where ${apiKeys.id} = ${expired.issued.keyId}`,
  );
  return {
    unknown: newApiKey(),
    revoked: revoked.issued.apiKey,
    expired: expired.issued.apiKey,
  };
}

/** Returns the key with one character replaced by another of the alphabet. */
export function misspell(key: string, index: number): string {
  const other = key.charAt(index) === 'a' ? 'b' : 'a';
  return key.slice(0, index) + other + key.slice(index + 1);
}
