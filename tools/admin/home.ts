import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, moves } from '../../src/db/tables.ts';
import { isAway } from '../service-sql.ts';
import { AdminError } from './admin-error.ts';
import type { Execute } from './execute.ts';

// A brand that moves leaves its row and its keys behind, so it may be in several databases. It is at home in one, or, for
// a moment at the end of a move, in none. A command changes a brand only where it is at home, and decides that in its own
// transaction: a look before only says where to try.

/** SQL condition: the brand is at home in this database, if it is here at all. */
export function isAtHome(brandId: SQL): SQL {
  return sql`not exists (select 1 from ${moves} where ${moves.brandId} = ${brandId} and ${isAway})`;
}

/** The same as a further condition of a list. With one database there is none, and the list reads no more rows. */
export function andAtHome({ hasPeers }: Pick<Execute, 'hasPeers'>, brandId: SQL): SQL {
  return hasPeers ? sql` and ${isAtHome(brandId)}` : sql``;
}

/**
 * Returns the statements that give up the moves of brands that are leaving this database, unless they are committed. The
 * mover deletes the copies.
 * @param chosen the ids of the brands, as a subselect
 * @param reason why, for the row of the move
 */
export function abortMoves(chosen: SQL, reason: string): SQL[] {
  const aborted = sql`select ${moves.brandId} from ${moves} where ${moves.role} = 'out' and ${moves.state} = 'aborted' and ${moves.brandId} in ${chosen}`;
  return [
    sql`update ${moves} set state = 'aborted', reason = ${reason}
      where ${moves.role} = 'out' and ${moves.state} = 'copying' and ${moves.brandId} in ${chosen}`,
    sql`update ${apiKeys} set frozen_at = null where ${apiKeys.brandId} in (${aborted})`,
  ];
}

/** Returns the error for a brand that a command did not find at home. */
export async function notAtHome(execute: Execute, brandId: string): Promise<AdminError> {
  const [[away] = []] = await execute(
    sql`select ${moves.role}, ${moves.peer} from ${moves} where ${moves.brandId} = ${brandId} and ${isAway}`,
  );
  if (away === undefined) return new AdminError(`There is no brand ${brandId}.`);
  return new AdminError(
    away['role'] === 'out'
      ? `The brand ${brandId} has moved to database ${String(away['peer'])}. Try again.`
      : `The brand ${brandId} is moving here from database ${String(away['peer'])}. Try again.`,
  );
}
