import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { databaseTime, apiKeys, brands, auditTrail } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import type { Action } from '../audit.ts';
import { newAct, noteAct, notedAct } from '../audit.ts';
import { deleteData } from '../brand/data.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { isAtHome, notChanged, whyUnchanged } from '../home/home.ts';
import { onDatabases } from '../database/on-databases.ts';
import { isWhole } from '../home/unfinished.ts';
import type { Place } from '../home/places.ts';

// The steps of a move, each of which is one transaction in one database, and may be repeated.

export interface Move {
  readonly brandId: string;
  readonly source: OpenDatabase;
  readonly target: OpenDatabase;
  /** When the source was frozen for it. */
  readonly frozenAt: string;
}

/** SQL condition: the database has a key of the brand, and they say this. */
function keysSay(brandId: string, condition: SQL): SQL {
  return sql`exists (select 1 from ${apiKeys} as placed where placed.brand_id = ${brandId} and ${condition})`;
}

/** SQL condition: the target's keys are those of the copy of this move. */
export function isCopy({ brandId, frozenAt }: Pick<Move, 'brandId' | 'frozenAt'>): SQL {
  return keysSay(brandId, sql`placed.moved_to is not null and placed.frozen_at = ${frozenAt}`);
}

/** SQL condition: the target may take the copy. It is no home, and no later run has begun one. */
export function mayCopy({ brandId, frozenAt }: Move): SQL {
  return sql`not ${keysSay(
    brandId,
    sql`(placed.moved_to is null and placed.frozen_at is null or placed.frozen_at > ${frozenAt})`,
  )}`;
}

/**
 * Freezes a brand where it is at home, or renews the freeze.
 * @param since the freeze to renew
 * @returns the time of the freeze
 * @throws Failure if it is not at home, frozen by another command, or has no key
 */
export async function freeze(
  source: OpenDatabase,
  brandId: string,
  { to, since }: { readonly to: number; readonly since: string | null },
): Promise<string> {
  const act = newAct(source, 'brand.freeze');
  const asBefore = sql`${apiKeys.brandId} = ${brandId} and ${apiKeys.movedTo} is null and ${apiKeys.frozenAt} is ${since}`;
  const keys = sql`select 1 from ${apiKeys} where ${asBefore}`;
  const [, , [noted], [key]] = await source.run(
    noteAct(act, {
      brandId: sql`${brands.id}`,
      details: sql`json_object('to', ${to})`,
      from: sql`${brands} where ${brands.id} = ${brandId} and exists (${keys}) and ${isAtHome(sql`${brands.id}`)} and ${isWhole(sql`${brands.id}`)}`,
    }),
    sql`update ${apiKeys} set frozen_at = (select at from ${auditTrail} where id = ${act.id})
      where ${asBefore} and exists (select 1 from ${auditTrail} where id = ${act.id})`,
    notedAct(act),
    sql`select 1 from ${apiKeys} where ${apiKeys.brandId} = ${brandId} limit 1`,
  );
  if (noted !== undefined) return String(noted['at']);
  const reason = await whyUnchanged(source, brandId);
  if (reason !== undefined) throw reason;
  if (key === undefined) {
    throw new Failure(
      `The brand ${brandId} has no key, and its keys say where it is. Issue one first.`,
    );
  }
  throw await notChanged(source, brandId);
}

/** SQL condition on a key: it is at home in its database, and frozen for this move. */
function isFrozen({ brandId, frozenAt }: Pick<Move, 'brandId' | 'frozenAt'>): SQL {
  return sql`${apiKeys.brandId} = ${brandId} and ${apiKeys.movedTo} is null and ${apiKeys.frozenAt} = ${frozenAt}`;
}

/** The source goes on as before. */
export async function unfreeze(move: Move): Promise<void> {
  await endFreeze(move, 'brand.unfreeze', null, sql`json_object()`);
}

/** The target's keys are live: they can read. What a client writes waits until the source has let go. */
export async function arrive({ target, brandId, frozenAt }: Move): Promise<void> {
  await target.run(
    sql`update ${apiKeys} set moved_to = null where ${apiKeys.brandId} = ${brandId} and ${apiKeys.frozenAt} = ${frozenAt}`,
  );
}

/**
 * The source's keys point at the target. This decides the move.
 * @returns whether they do: the move may have been given up meanwhile, or another run has taken it over
 */
export async function leave(move: Move): Promise<boolean> {
  const movedTo = move.target.number;
  const details = sql`json_object('brandName', ${brands.brandName}, 'to', ${movedTo})`;
  return endFreeze(move, 'brand.move', movedTo, details);
}

/** Ends the freeze of the source. Returns whether it was frozen for this move. */
async function endFreeze(
  move: Move,
  action: Action,
  movedTo: number | null,
  details: SQL,
): Promise<boolean> {
  const { source, brandId } = move;
  const act = newAct(source, action);
  const keys = sql`${apiKeys} where ${isFrozen(move)}`;
  const [, , [noted]] = await source.run(
    noteAct(act, {
      brandId: sql`${brands.id}`,
      details,
      from: sql`${brands} where ${brands.id} = ${brandId} and exists (select 1 from ${keys})`,
    }),
    sql`update ${apiKeys} set moved_to = ${movedTo}, frozen_at = null where ${isFrozen(move)}`,
    notedAct(act),
  );
  return noted !== undefined;
}

/**
 * The target's keys can write too.
 * @returns the time in the target
 */
export async function release(move: Omit<Move, 'source'>): Promise<string> {
  const [, [row]] = await move.target.run(
    sql`update ${apiKeys} set frozen_at = null where ${isFrozen(move)}`,
    sql`select ${databaseTime} as now`,
  );
  return String(row?.['now']);
}

/** The target's keys point at the source, and are those of a copy of this move. No earlier run can let them arrive. */
export async function withdraw({ source, target, brandId, frozenAt }: Move): Promise<void> {
  await target.run(
    sql`update ${apiKeys} set moved_to = ${source.number}, frozen_at = ${frozenAt}
      where ${apiKeys.brandId} = ${brandId} and ${apiKeys.frozenAt} <= ${frozenAt}`,
  );
}

/**
 * Lets the keys in all other databases point at the home of a brand, and deletes its data there. Its row and keys stay: old
 * keys begin there, and those of a copy that was given up do no harm.
 */
export async function tidy(
  home: OpenDatabase,
  places: readonly Place[],
  brandId: string,
): Promise<void> {
  const others = places.filter(({ database }) => database.number !== home.number);
  await onDatabases(others, async ({ database, frozenAt }) => {
    const isSame = sql`placed.moved_to is not null and placed.frozen_at is ${frozenAt}`;
    const first = sql`update ${apiKeys} set moved_to = ${home.number}
        where ${apiKeys.brandId} = ${brandId} and ${apiKeys.movedTo} <> ${home.number}`;
    await deleteData(database, brandId, { condition: keysSay(brandId, isSame), first: [first] });
    if (frozenAt === null) return;
    // Last, because it says that there is something to delete.
    await database.run(
      sql`update ${apiKeys} set frozen_at = null
        where ${apiKeys.brandId} = ${brandId} and ${apiKeys.movedTo} is not null and ${apiKeys.frozenAt} = ${frozenAt}`,
    );
  });
}
