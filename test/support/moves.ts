import type { Limits, Move, Progress } from '../../mover/index.ts';
import { advance, beginMove } from '../../mover/index.ts';
import type { Row } from '../../src/db/statement.ts';
import { collections } from './collections.ts';
import type { DatabaseNumber } from './databases.ts';
import { databases } from './databases.ts';

/** Pages of a few rows, so that small brands have many. */
export const SMALL: Partial<Limits> = { rows: 5, bytes: 20_000, deletions: 8 };

/** More steps than any move of the tests takes. */
const MOST_STEPS = 2000;

/** Notes a move in its source. */
export async function begin(
  brandId: string,
  source: DatabaseNumber,
  target: DatabaseNumber,
): Promise<Move> {
  const move = await beginMove(databases[source], { brandId, source, target, actor: 'tests' });
  if (move === undefined) throw new Error('The move has not begun.');
  return move;
}

/** Goes on with a move until there is nothing to do at once. */
export async function drive(
  move: Move,
  limits: Partial<Limits> = SMALL,
  { source = sourceOf(move), target = targetOf(move) } = {},
): Promise<Progress> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const progress = await advance(source, target, move, { limits });
    if (progress.next !== 'again') return progress;
  }
  throw new Error('The move does not end.');
}

/** Moves a brand, and returns what the last step says. */
export async function moveBrand(
  brandId: string,
  source: DatabaseNumber,
  target: DatabaseNumber,
  limits?: Partial<Limits>,
): Promise<Progress> {
  return drive(await begin(brandId, source, target), limits);
}

/** The database that a move leaves. */
export function sourceOf({ source }: Move): D1Database {
  return numbered(source);
}

/** The database that a move goes to. */
export function targetOf({ target }: Move): D1Database {
  return numbered(target);
}

function numbered(number: number): D1Database {
  const found = Object.entries(databases).find(([name]) => Number(name) === number);
  if (found === undefined) throw new Error(`There is no database ${number}.`);
  return found[1];
}

const TABLES = [
  ['brands', 'id'],
  ['api_keys', 'brand_id'],
  ...[...collections.map(({ table }) => table), 'tombstones', 'idempotency_records'].map(
    (table) => [table, 'brand_id'] as const,
  ),
] as const;

/** Returns all rows of a brand in a database, by table, without the columns that belong to the database. */
export async function rowsIn(
  number: DatabaseNumber,
  brandId: string,
): Promise<Record<string, readonly Row[]>> {
  const results = await databases[number].batch<Row>(
    TABLES.map(([table, owner]) =>
      databases[number].prepare(`select * from ${table} where ${owner} = ?`).bind(brandId),
    ),
  );
  return Object.fromEntries(
    TABLES.map(([table], index) => [
      table,
      (results[index]?.results ?? []).map(({ moved_to: _, frozen_at: __, ...row }) => row),
    ]),
  );
}

/** Returns the brand's row of `moves`. */
export async function moveIn(number: DatabaseNumber, brandId: string): Promise<Row | null> {
  return databases[number].prepare('select * from moves where brand_id = ?').bind(brandId).first();
}
