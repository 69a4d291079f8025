import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, databaseOfKey } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import { onDatabases } from '../database/on-databases.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { hashOfImported } from '../key/keys.ts';
import type { ExportedRow } from './parts.ts';
import { KEYS } from './parts.ts';
import { insertCalls } from './write.ts';

// A file may have the hashes of its keys, so that the same keys work again. Until all of the brand is there, its keys have
// hashes that no key has: nobody reads or writes a part of a brand.

interface ImportedKey {
  readonly id: string;
  readonly hash: string;
  /** The number of the database that the key names, where its requests arrive. */
  readonly number: number;
}

/** How many hashes a statement has: D1 refuses one above 100,000 bytes. */
const HASHES_AT_ONCE = 400;

/** Returns the keys of a file whose hashes it has. That of a key which was imported without one is no hash of a key. */
export function keysIn(rows: readonly ExportedRow[]): ImportedKey[] {
  return rows.flatMap(({ part, values: { id, hash, prefix } }) =>
    part.name === KEYS && typeof hash === 'string' && hash !== hashOfImported(String(id))
      ? { id: String(id), hash, number: databaseOfKey(String(prefix)) }
      : [],
  );
}

/** @throws Failure if a database has one of the keys, of another brand */
export async function refuseTaken(
  databases: readonly OpenDatabase[],
  brandId: string,
  keys: readonly ImportedKey[],
): Promise<void> {
  const statements = partsOf(keys).map((some) => {
    const hashes = sql.join(
      some.map(({ hash }) => sql`${hash}`),
      sql`, `,
    );
    return sql<{ id: string }>`select ${apiKeys.id} from ${apiKeys}
      where ${apiKeys.hash} in (${hashes}) and ${apiKeys.brandId} <> ${brandId}`;
  });
  if (statements.length === 0) return;
  const found = await onDatabases(databases, (database) => database.run(...statements));
  const [taken] = found.flat(2);
  if (taken === undefined) return;
  throw new Failure(`Another brand has the key ${taken.id} of this file, so nothing was imported.`);
}

/** @throws Failure if keys name a database that there is not */
export function refuseUnknown(
  databases: readonly OpenDatabase[],
  keys: readonly ImportedKey[],
): void {
  const lost = keys.find((key) => databases.every(({ number }) => number !== key.number));
  if (lost === undefined) return;
  throw new Failure(
    `The key ${lost.id} of this file names database ${lost.number}, which wrangler.toml does not have, so nothing was imported. Requests with it arrive there: bind a database of this number first.`,
  );
}

/**
 * Lets the databases that keys name lead them to the one that the brand is imported into, as after a move.
 * @param led those that have its row, and are not its home
 */
export async function leadKeys(
  home: OpenDatabase,
  databases: readonly OpenDatabase[],
  led: ReadonlySet<number>,
  {
    brandId,
    profile,
    rows,
  }: {
    readonly brandId: string;
    readonly profile: ExportedRow;
    readonly rows: readonly ExportedRow[];
  },
): Promise<void> {
  const keys = rows.filter(({ part, values }) => part.name === KEYS && 'hash' in values);
  const named = new Set([...led, ...keysIn(rows).map(({ number }) => number)]);
  const others = databases.filter(({ number }) => number !== home.number && named.has(number));
  await onDatabases(others, async (database) => {
    const calls = insertCalls([profile, ...keys], {
      brandId,
      moreOf: ({ part, values: { hash } }) =>
        part.name === KEYS ? { hash, moved_to: home.number } : {},
    });
    for await (const { statements } of calls) await database.run(...statements);
    await database.run(
      sql`update ${apiKeys} set moved_to = ${home.number} where ${apiKeys.brandId} = ${brandId}`,
    );
  });
}

/** Returns the statements that let the keys of an imported brand work again, under a condition. */
export function revive(
  brandId: string,
  keys: readonly ImportedKey[],
  condition: SQL,
): readonly SQL[] {
  return keys.map(
    ({ id, hash }) =>
      sql`update ${apiKeys} set hash = ${hash}
        where ${apiKeys.hash} = ${hashOfImported(id)} and ${apiKeys.brandId} = ${brandId} and ${condition}`,
  );
}

function partsOf(keys: readonly ImportedKey[]): (readonly ImportedKey[])[] {
  return Array.from({ length: Math.ceil(keys.length / HASHES_AT_ONCE) }, (_, part) =>
    keys.slice(part * HASHES_AT_ONCE, (part + 1) * HASHES_AT_ONCE),
  );
}
