import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { newId } from '../../../src/collection/identifier.ts';
import { apiKeys, brands, moves } from '../../../src/db/tables.ts';
import { newAct, noteAct } from '../audit.ts';
import { dataOf, deleteRest, someLeft } from '../brands.ts';
import type { Execute, Row } from '../execute.ts';
import { abortMoves } from '../home.ts';
import type { NewMove } from '../move-row.ts';
import { putMoveRow } from '../move-row.ts';
import { resetStatements, resetTokens } from '../tokens.ts';
import type { Step } from './faults.ts';
import type { Place } from './places.ts';

// The steps of repairs. Each is one transaction, or several that can be repeated, and does nothing unless the database is as
// it was found. What the other databases have cannot be a part of it: the order of the steps makes up for that.

type Open = (number: number) => Execute | undefined;

/** How many keys are added, or deleted, in one transaction: D1 refuses a statement above 100,000 bytes. */
const KEYS_AT_ONCE = 50;
const DROPPED_AT_ONCE = 500;

/** Does a step of a repair, unless the database is no longer as it was found. */
export async function perform(brandId: string, step: Step, open: Open): Promise<void> {
  const execute = open(step.at.number);
  if (execute === undefined) return;
  const repair: Repair = { brandId, execute, at: step.at, isAsFound: asFound(brandId, step.at) };
  switch (step.act) {
    case 'close': {
      const { resets } = step;
      const home = resets && open(resets.number);
      // Tokens of either home are good until then: none may be taken for one of the other.
      if (home) await resetTokens(home, brandId);
      return close(repair, step.home);
    }
    case 'clear':
      return clear(repair, step.home);
    case 'open':
      return reopen(repair, step.generation);
    case 'raise':
      return raise(repair, step.generation);
    case 'accept':
      return accept(repair);
    case 'give up':
      return giveUp(repair);
    case 'unfreeze':
      return unfreeze(repair);
    case 'delete':
      return deleteRest(execute, brandId, (action, from) =>
        action === 'brand.delete.begin' ? [noteOn(repair, 'delete', from)] : [],
      );
    case 'drop keys':
      return dropKeys(repair, step.keyIds.slice(0, DROPPED_AT_ONCE));
    case 'add keys': {
      const home = open(step.home.number);
      if (home) await addKeys(repair, home, step.keyIds.slice(0, KEYS_AT_ONCE));
    }
  }
}

interface Repair {
  readonly brandId: string;
  readonly execute: Execute;
  readonly at: Place;
  /** SQL condition: the row of the brand's move is as it was found. */
  readonly isAsFound: SQL;
}

function asFound(brandId: string, { move }: Place): SQL {
  const ofBrand = sql`select 1 from ${moves} where ${moves.brandId} = ${brandId}`;
  return move === undefined
    ? sql`not exists (${ofBrand})`
    : sql`exists (${ofBrand} and ${moves.id} = ${move.id} and ${moves.generation} = ${move.generation}
        and ${moves.role} = ${move.role} and ${moves.state} = ${move.state})`;
}

async function close(repair: Repair, home: number): Promise<void> {
  const { brandId, at, execute, isAsFound } = repair;
  const id = newId();
  const state = at.move?.state === 'tidied' ? 'tidied' : 'gone';
  await execute(
    note(repair, 'close', isAsFound, home),
    putMove(repair, { id, role: 'out', state, peer: home }, isAsFound),
    pointKeys(brandId, home, isMove(brandId, id)),
  );
}

/** From the first transaction on, the move has a new id: a late call of the mover must not take what is left for the copy. */
async function clear(repair: Repair, home: number): Promise<void> {
  const { brandId, execute, isAsFound } = repair;
  const [begun, ended] = [newId(), newId()];
  const parts = dataOf(brandId);
  const isClearing = isMove(brandId, begun);
  const isEmpty = sql`${isClearing} and not ${someLeft(parts)}`;
  await execute(
    note(repair, 'clear', isAsFound, home),
    putMove(repair, { id: begun, role: 'in', state: 'clearing', peer: home }, isAsFound),
    pointKeys(brandId, home, isClearing),
  );
  for (let isLeft = true; isLeft;) {
    const results = await execute(
      ...parts.map(
        ({ table, key, some }) =>
          sql`delete from ${table} where brand_id = ${brandId} and (${key}) in (${some}) and ${isClearing}`,
      ),
      putMove(repair, { id: ended, role: 'out', state: 'tidied', peer: home }, isEmpty),
      sql`select ${isClearing} as is_left`,
    );
    isLeft = results.at(-1)?.[0]?.['is_left'] === 1;
  }
}

async function reopen(repair: Repair, generation: number): Promise<void> {
  const { brandId, at, execute, isAsFound } = repair;
  const id = newId();
  const isOpened = isMove(brandId, id);
  const peer = at.move?.peer ?? at.number;
  await execute(
    note(repair, 'open', isAsFound),
    putMove(repair, { id, role: 'in', state: 'home', peer, generation }, isAsFound),
    sql`update ${apiKeys} set moved_to = null, frozen_at = null where ${apiKeys.brandId} = ${brandId} and ${isOpened}`,
    // Clients have tokens of changes that are lost.
    ...resetStatements(sql`${brands.id} = ${brandId} and ${isOpened}`),
  );
}

async function raise(repair: Repair, generation: number): Promise<void> {
  const { brandId, at, execute, isAsFound } = repair;
  await execute(
    note(repair, 'raise', isAsFound),
    at.move === undefined
      ? putMove(
          repair,
          { id: newId(), role: 'out', state: 'over', peer: at.number, generation },
          isAsFound,
        )
      : sql`update ${moves} set generation = ${generation} where ${moves.brandId} = ${brandId} and ${isAsFound}`,
  );
}

async function accept(repair: Repair): Promise<void> {
  const { brandId, execute, isAsFound } = repair;
  await execute(
    note(repair, 'accept', isAsFound),
    sql`update ${apiKeys} set moved_to = null where ${apiKeys.brandId} = ${brandId} and ${isAsFound}`,
  );
}

async function giveUp(repair: Repair): Promise<void> {
  const { brandId, execute, isAsFound } = repair;
  await execute(
    note(repair, 'give up', isAsFound),
    ...abortMoves(
      sql`(select ${brands.id} from ${brands} where ${brands.id} = ${brandId} and ${isAsFound})`,
      'A database was restored.',
    ),
  );
}

async function unfreeze(repair: Repair): Promise<void> {
  const { brandId, execute, isAsFound } = repair;
  await execute(
    note(repair, 'unfreeze', isAsFound),
    sql`update ${apiKeys} set frozen_at = null where ${apiKeys.brandId} = ${brandId} and ${isAsFound}`,
  );
}

async function dropKeys(repair: Repair, keyIds: readonly string[]): Promise<void> {
  const { brandId, execute, isAsFound } = repair;
  await execute(
    note(repair, 'drop keys', isAsFound),
    sql`delete from ${apiKeys} where ${apiKeys.brandId} = ${brandId} and ${isAsFound}
      and ${apiKeys.id} in (select value from json_each(${JSON.stringify(keyIds)}))`,
  );
}

/** Adds keys that the brand has at home to the database that they name. If that has nothing of the brand, it gets its row. */
async function addKeys(repair: Repair, home: Execute, keyIds: readonly string[]): Promise<void> {
  const { brandId, at, execute, isAsFound } = repair;
  const [profiles = [], keys = []] = await home(
    sql`select * from ${brands} where ${brands.id} = ${brandId}`,
    sql`select * from ${apiKeys} where ${apiKeys.brandId} = ${brandId}
      and ${apiKeys.id} in (select value from json_each(${JSON.stringify(keyIds)}))`,
  );
  const id = newId();
  const isNew = at.brandName === undefined;
  const mayAdd = isNew ? isMove(brandId, id) : isAsFound;
  await execute(
    note(repair, 'add keys', isAsFound, home.database),
    ...(isNew
      ? [
          putMove(
            repair,
            { id, role: 'out', state: 'tidied', peer: home.database },
            isAsFound,
            sql`true`,
          ),
          ...profiles.map((row) => insertRow(sql`${brands}`, row, mayAdd)),
        ]
      : []),
    ...keys.map((row) =>
      insertRow(sql`${apiKeys}`, { ...row, moved_to: home.database, frozen_at: null }, mayAdd),
    ),
  );
}

function insertRow(table: SQL, row: Row, condition: SQL): SQL {
  const columns = Object.keys(row).map((name) => sql.identifier(name));
  const values = Object.values(row).map((value) => sql`${value}`);
  return sql`insert into ${table} (${sql.join(columns, sql`, `)}) select ${sql.join(values, sql`, `)}
    where ${condition} on conflict do nothing`;
}

function isMove(brandId: string, id: string): SQL {
  return sql`exists (select 1 from ${moves} where ${moves.brandId} = ${brandId} and ${moves.id} = ${id})`;
}

function pointKeys(brandId: string, home: number, condition: SQL): SQL {
  return sql`update ${apiKeys} set moved_to = ${home}, frozen_at = null where ${apiKeys.brandId} = ${brandId} and ${condition}`;
}

/** Returns the statement that puts a row into the place of a brand's move. */
function putMove(
  { brandId, execute, at }: Repair,
  {
    generation = at.move?.generation ?? 1,
    ...move
  }: Omit<NewMove, 'generation'> & { readonly generation?: number },
  condition: SQL,
  isThere = sql`exists (select 1 from ${brands} where ${brands.id} = ${brandId})`,
): SQL {
  return putMoveRow(
    { brandId, actor: execute.actor },
    { generation, ...move },
    sql`${condition} and ${isThere}`,
  );
}

/** Returns the statement that records a step, if a condition holds. */
function note(repair: Repair, act: Step['act'], condition: SQL, home?: number): SQL {
  return noteOn(repair, act, sql`(select 1) where ${condition}`, home);
}

/** Returns the statement that records a step for each row of a table with a condition. */
function noteOn(
  { brandId, execute, at }: Repair,
  act: Step['act'],
  from: SQL,
  home: number | null = null,
): SQL {
  return noteAct(newAct(execute, 'brand.repair'), {
    brandId: sql`${brandId}`,
    details: sql`json_object('act', ${act}, 'database', ${at.number}, 'home', ${home})`,
    from,
  });
}
