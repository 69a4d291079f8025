import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { databaseOfKey } from '../../../src/auth/api-key.ts';
import { apiKeys, brands, moves } from '../../../src/db/tables.ts';
import type { Execute, Row } from '../execute.ts';
import { keyIsImported } from '../imported-keys.ts';
import type { Chunk } from '../pages.ts';
import { readChunks } from '../pages.ts';

/** What a database has of a brand. */
export interface Place {
  /** The number of the database. */
  readonly number: number;
  /** The name of the brand; undefined if the database does not have it. */
  readonly brandName: string | undefined;
  /** The brand's newest move there. */
  readonly move: Moved | undefined;
  readonly keys: readonly KeyPlace[];
}

/** A row of `moves`. */
export interface Moved {
  readonly id: string;
  readonly generation: number;
  readonly role: 'out' | 'in';
  readonly state: string;
  readonly peer: number;
  readonly attempt: number;
  readonly changedAt: string;
  /** Whether that is less than seven days ago: if the brand has left the database, its data certainly is still there. */
  readonly isKept: boolean;
  /** Whether that is more than eight days ago: what drives the move has ended. */
  readonly isOverdue: boolean;
  /** Whether the brand's row and keys stay if the move is given up. */
  readonly isReturn: boolean;
}

/** A key of a brand in one database. */
export interface KeyPlace {
  readonly keyId: string;
  /** The number of the database that the key names; undefined if nobody has the key's text. */
  readonly names: number | undefined;
  readonly movedTo: number | null;
  readonly isFrozen: boolean;
  readonly isRevoked: boolean;
}

/** A brand of a database, as a walk over all brands finds it. */
export interface Sighting {
  readonly brandId: string;
  readonly isThere: boolean;
  /** Whether it has moved, or one of its keys is not as the keys of a brand that never moves. */
  readonly hasMoved: boolean;
}

/** Reads all brands of a database, and those that it knows only from moves, in the order of their ids. */
export function sightings(execute: Execute): AsyncGenerator<Chunk<Sighting>> {
  return readChunks(
    {},
    ({ brandId }) => brandId,
    async (after = '', count) => {
      const ids = sql`select ${brands.id} as id from ${brands} where ${brands.id} > ${after}
        union select ${moves.brandId} from ${moves} where ${moves.brandId} > ${after} order by 1 limit ${count}`;
      const [rows = []] = await execute(
        sql`select found.id, exists (select 1 from ${brands} where ${brands.id} = found.id) as is_there,
          exists (select 1 from ${moves} where ${moves.brandId} = found.id)
          or exists (select 1 from ${apiKeys} where ${apiKeys.brandId} = found.id and (${apiKeys.movedTo} is not null or ${apiKeys.frozenAt} is not null)) as has_moved
          from (${ids}) as found order by found.id`,
      );
      return rows.map((row) => ({
        brandId: String(row['id']),
        isThere: row['is_there'] === 1,
        hasMoved: row['has_moved'] === 1,
      }));
    },
  );
}

const moveRow = z.object({
  id: z.string(),
  generation: z.number(),
  role: z.enum(['out', 'in']),
  state: z.string(),
  peer: z.number(),
  attempt: z.number(),
  changed_at: z.string(),
  is_kept: z.number(),
  is_overdue: z.number(),
  is_return: z.number(),
});

/** SQL condition: a move is in its state for less than some days, by the database's clock. */
function changedWithin(days: number): SQL {
  return sql`${moves.changedAt} > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`-${days} days`})`;
}

/** Reads what a database has of some brands, by their ids. */
export async function placesIn(
  execute: Execute,
  brandIds: readonly string[],
): Promise<ReadonlyMap<string, Place>> {
  const chosen = sql`(select value from json_each(${JSON.stringify(brandIds)}))`;
  const [found = [], moved = [], keys = []] = await execute(
    sql`select ${brands.id}, ${brands.brandName} from ${brands} where ${brands.id} in ${chosen}`,
    sql`select *, ${changedWithin(7)} as is_kept, not ${changedWithin(8)} as is_overdue from ${moves} where ${moves.brandId} in ${chosen}`,
    sql`select ${apiKeys.id}, ${apiKeys.brandId}, ${apiKeys.prefix}, ${apiKeys.movedTo}, ${apiKeys.frozenAt}, ${apiKeys.revokedAt}, ${keyIsImported} as is_imported
      from ${apiKeys} where ${apiKeys.brandId} in ${chosen} order by ${apiKeys.id}`,
  );
  const names = new Map(found.map((row) => [String(row['id']), String(row['brand_name'])]));
  const moveOf = new Map(moved.map((row) => [String(row['brand_id']), toMoved(row)]));
  const keysOf = Map.groupBy(keys, (row) => String(row['brand_id']));
  return new Map(
    [...new Set([...names.keys(), ...moveOf.keys()])].map((brandId) => [
      brandId,
      {
        number: execute.database,
        brandName: names.get(brandId),
        move: moveOf.get(brandId),
        keys: (keysOf.get(brandId) ?? []).map(toKey),
      },
    ]),
  );
}

function toMoved(row: Row): Moved {
  const move = moveRow.parse(row);
  return {
    ...{ id: move.id, generation: move.generation, role: move.role, state: move.state },
    ...{ peer: move.peer, attempt: move.attempt, changedAt: move.changed_at },
    ...{ isKept: move.is_kept === 1, isOverdue: move.is_overdue === 1 },
    isReturn: move.is_return === 1,
  };
}

function toKey(row: Row): KeyPlace {
  const movedTo = row['moved_to'];
  return {
    keyId: String(row['id']),
    names: row['is_imported'] === 1 ? undefined : databaseOfKey(String(row['prefix'])),
    movedTo: typeof movedTo === 'number' ? movedTo : null,
    isFrozen: row['frozen_at'] !== null,
    isRevoked: row['revoked_at'] !== null,
  };
}
