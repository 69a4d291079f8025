import { createHash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { newestChange, apiKeys, brands } from '../../../src/operator.ts';
import { exportedKeyColumns } from './parts.ts';

// A file begins with the fingerprint of the state that it has of the brand. So nobody has to read all of the file, or all of
// the brand, to see that it has not changed since.

/**
 * SQL: the numbers of the newest changes, the revision of the profile, the suspension and the keys of a row of brands, as
 * text. It does not depend on the database that the brand is in.
 */
export function versionsOf(collections: readonly Collection[]): SQL<string> {
  const versions = [
    sql`${brands.revision}`,
    sql`${brands.suspendedAt}`,
    ...collections.map(({ path, table }) => newestChange({ table, path }, brands.id)),
    sql`(select json_group_array(json_array(${sql.join(Object.values(exportedKeyColumns), sql`, `)}) order by ${apiKeys.id}) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id})`,
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
  return /^\{\s*"format": "[^"]*",\s*"fingerprint": "([0-9a-f]{64})"/.exec(head)?.[1];
}
