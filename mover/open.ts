import { placeholder, sql } from '../src/db/sql.ts';
import type { Row } from '../src/db/statement.ts';
import { moves } from '../src/db/tables.ts';
import { brand, moveId, selectMove } from './conditions.ts';
import type { Move } from './move.ts';
import type { Database } from './transaction.ts';
import { transact } from './transaction.ts';

/**
 * Returns the move of a brand that a database has to go on with: until the data that it leaves behind is deleted, or its
 * copy, if it is given up.
 * @param driver only if this one drives it
 */
export async function openMove(
  source: Database,
  number: number,
  brandId: string,
  driver?: string,
): Promise<Move | undefined> {
  const { rows } = await transact(source, { brand: brandId }, [selectMove]);
  const [row] = rows[0] ?? [];
  if (row === undefined || (driver !== undefined && row['driver'] !== driver)) return undefined;
  return moveOf(row, number);
}

/** Returns a row of the source as a move, unless it is over. */
export function moveOf(row: Row, source: number): Move | undefined {
  const isOver = row['state'] === 'over' || row['state'] === 'tidied';
  return row['role'] !== 'out' || isOver ? undefined : asMove(row, source);
}

/** Returns the newest move of a brand out of a database, even if it is over. */
export async function newestMove(
  source: Database,
  number: number,
  brandId: string,
): Promise<Move | undefined> {
  const { rows } = await transact(source, { brand: brandId }, [selectMove]);
  const [row] = rows[0] ?? [];
  return row?.['role'] === 'out' ? asMove(row, number) : undefined;
}

function asMove(row: Row, source: number): Move {
  return {
    brandId: String(row['brand_id']),
    id: String(row['id']),
    generation: Number(row['generation']),
    source,
    target: Number(row['peer']),
    actor: String(row['actor']),
  };
}

/**
 * Notes what drives a move from now on. What drove it before finds that, and ends: two would only disturb each other,
 * because each run ends those before it.
 */
export async function takeOver(
  source: Database,
  { brandId, id }: Pick<Move, 'brandId' | 'id'>,
  driver: string,
): Promise<void> {
  await transact(source, { brand: brandId, move: id, driver }, [
    sql`update ${moves} set driver = ${placeholder('driver')}
      where ${moves.brandId} = ${brand} and ${moves.id} = ${moveId} and ${moves.role} = 'out'`,
  ]);
}
