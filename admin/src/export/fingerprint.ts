import { createHash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { apiKeys, auditTrail, brands, newestChange } from '../../../src/operator.ts';
import type { Part } from './parts.ts';
import { isExportedAct, KEYS } from './parts.ts';

// A file begins with the fingerprint of the state that it has of the brand. So nobody has to read all of the brand to see that
// it has not changed since. It ends with the checksum of all that precedes: a damaged file is none.

/**
 * SQL: the numbers of the newest changes, the revision of the profile, the suspension, the keys and the number of acts of a
 * row of brands, as text.
 * @param parts what is exported: with the hashes of keys, it differs
 */
export function versionsOf(
  parts: readonly Part[],
  collections: readonly Collection[],
): SQL<string> {
  const key = Object.values(parts.find(({ name }) => name === KEYS)?.columns ?? {});
  const versions = [
    sql`${brands.revision}`,
    sql`${brands.suspendedAt}`,
    sql`(select count(*) from ${auditTrail} where ${auditTrail.brandId} = ${brands.id} and ${isExportedAct})`,
    ...collections.map(({ path, table }) => newestChange({ table, path }, brands.id)),
    sql`(select json_group_array(json_array(${sql.join(key, sql`, `)}) order by ${apiKeys.id}) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id})`,
  ];
  return sql<string>`json_array(${sql.join(versions, sql`, `)})`;
}

export function fingerprintOf(versions: string): string {
  return createHash('sha256').update(versions).digest('hex');
}

/** The member of the document, in its second line. */
export const FINGERPRINT = 'fingerprint';

/** Returns the fingerprint of a file by its first lines; undefined if it has none. */
export function fingerprintIn(head: string): string | undefined {
  return /^\{\s*"format": "[^"]*",\s*"fingerprint": "([0-9a-f]+)"/.exec(head)?.[1];
}

/** Returns the last member of the document, and its end. */
export function ending(checksum: string): string {
  return `,\n  "checksum": "${checksum}"\n}\n`;
}

/** The length of it. */
export const ENDING_LENGTH = ending('0'.repeat(64)).length;

/** Whether a file ends with the checksum of all that precedes. */
export function hasItsChecksum(bytes: Uint8Array): boolean {
  const hash = createHash('sha256').update(bytes.subarray(0, -ENDING_LENGTH));
  const end = new TextDecoder().decode(bytes.subarray(-ENDING_LENGTH));
  return end === ending(hash.digest('hex'));
}
