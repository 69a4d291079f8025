import type { Sql } from '../src/db/sql.ts';
import { join, placeholder, raw, sql } from '../src/db/sql.ts';
import type { Row } from '../src/db/statement.ts';
import { now } from '../src/db/statement.ts';
import { apiKeys, brands, moves } from '../src/db/tables.ts';
import {
  attempt,
  brand,
  into,
  isAway,
  isOurRun,
  moveId,
  moveIs,
  out,
  selectMove,
} from './conditions.ts';
import { columnsOf, names } from './lists.ts';
import type { Move } from './move.ts';
import { START } from './move.ts';
import type { Run } from './run.ts';
import { ownRow, valuesOf } from './run.ts';
import type { Database, Values } from './transaction.ts';
import { transact } from './transaction.ts';

/** The move in its source, as a new run finds it. */
export interface Claimed {
  readonly row: Row;
  /** The brand's row. */
  readonly profile: Row | undefined;
  /** Whether there are more keys than can be compared: all are in one text, and D1 holds 2 MB per value. */
  readonly hasTooManyKeys: boolean;
}

/** The length of a key in the text in which all are compared, without its label. */
const KEY_BYTES = 320;
const MOST_KEY_BYTES = 1_500_000;

/**
 * Raises the attempt in the source, which ends all earlier runs.
 * @returns undefined if the source has no such move, or if it is over
 */
export async function claimSource(
  source: Database,
  { brandId, id }: Move,
): Promise<Claimed | undefined> {
  const { rows } = await transact(source, { brand: brandId, move: id }, [
    sql`update ${moves} set attempt = attempt + 1
      where (${out('copying')}) or (${out('gone')}) or (${out('aborted')})`,
    selectMove,
    sql`select * from ${brands} where ${brands.id} = ${brand}`,
    sql`select sum(${raw(KEY_BYTES)} + octet_length(quote(${apiKeys.label}))) as bytes from ${apiKeys} where ${apiKeys.brandId} = ${brand}`,
  ]);
  const [, [row] = [], [profile] = [], [keys] = []] = rows;
  if (row?.['id'] !== id || row['role'] !== 'out') return undefined;
  return { row, profile, hasTooManyKeys: Number(keys?.['bytes']) > MOST_KEY_BYTES };
}

/** The target cannot take the brand, however often it is tried. */
export class Refused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refused';
  }
}

/**
 * Raises the attempt in the target, where the first run notes the move, and the brand.
 * @returns the move in the target
 * @throws Superseded if another run has begun
 * @throws Refused if the target has the brand, or a later move of it, as after a restore
 */
export async function claimTarget(run: Run, profile: Row): Promise<Row> {
  const columns = columnsOf(brands);
  const values: Values = { ...valuesOf(run), start: JSON.stringify(START), none: '{}' };
  const ours = moveIs(sql`(${into('clearing')} or ${into('copying')}) and ${isOurRun}`);
  const { rows } = await transact(run.target, values, [
    sql`update ${moves} set attempt = ${attempt}
      where ((${into('clearing')}) or (${into('copying')})) and ${moves.attempt} < ${attempt}`,
    noteArrival('clearing'),
    {
      query: sql`insert into ${brands} (${names(columns)})
        select ${join(columns.map((name) => placeholder(name)))} where ${ours} on conflict (id) do nothing`,
      values: profile,
    },
    selectMove,
  ]);
  const [row] = rows.at(-1) ?? [];
  if (row?.['id'] !== run.move.id || row['role'] !== 'in' || isEnded(row)) {
    throw new Refused(
      `Database ${run.move.target} cannot take the brand: it has it, or knows of another move.`,
    );
  }
  return ownRow(run, [row]);
}

function isEnded({ state }: Row): boolean {
  return state === 'home' || state === 'aborted';
}

/** Returns the statement that notes a move in its target, in place of an older one, unless the brand is at home there. */
export function noteArrival(state: 'clearing' | 'aborted'): Sql<string> {
  const columns = columnsOf(moves);
  const older = sql`select 1 from ${moves} where ${moves.brandId} = ${brand}`;
  const exists = sql`exists (select 1 from ${brands} where ${brands.id} = ${brand})`;
  // It was deleted here, and imported elsewhere since then. If it was on the move, that must first be over.
  const isDeleted = sql`not ${exists} and ${moves.state} <> 'copying' and ${moves.state} <> 'aborted'`;
  return sql`insert into ${moves} (${names(columns)})
    select ${brand}, ${moveId}, ${placeholder('generation')}, 'in', ${placeholder('source')}, ${attempt}, null, ${raw(`'${state}'`)}, ${now}, ${now},
      ${placeholder('actor')}, null, 0, 0, ${exists}, ${placeholder('start')}, ${placeholder('none')}, 0, 0
    where exists (${older} and ${moves.generation} < ${placeholder('generation')} and (${isAway} or ${isDeleted}))
      or (not exists (${older}) and not ${exists})
    on conflict (brand_id) do update set ${raw(columns.map((name) => `${name} = excluded.${name}`).join())}`;
}
