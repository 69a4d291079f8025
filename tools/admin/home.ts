import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys } from '../../src/db/tables.ts';
import { AdminError } from './admin-error.ts';
import type { Execute } from './execute.ts';

// A brand that moves leaves its row and its keys behind, so it may be in several databases. It is at home in one, or, for
// a moment at the end of a move, in none. A command acts where it is at home, and decides that in its own transaction: a
// look before only says where to try.

/** What a failure says if a brand was not where it had been seen. */
export const MOVED_MEANWHILE = 'Its brand was moved or deleted at this moment. Try again.';

/**
 * SQL condition: the brand is at home in this database. It is for rows of an existing brand.
 * @param brandId its id, as SQL
 */
export function isAtHome(brandId: SQL): SQL {
  return sql`not exists (select 1 from ${apiKeys} as stub where stub.brand_id = ${brandId} and stub.moved_to is not null)`;
}

/** The same as a further condition of a statement. With one database there is none. */
export function andAtHome({ hasPeers }: Pick<Execute, 'hasPeers'>, brandId: SQL): SQL {
  return hasPeers ? sql` and ${isAtHome(brandId)}` : sql``;
}

/** Returns the error of a command that did not find its brand at home in a database. */
export function noBrand({ hasPeers, database }: Execute, brandId: string): AdminError {
  return new AdminError(
    hasPeers
      ? `The brand ${brandId} is not in database ${database} any more: it was moved or deleted at this moment. Try again.`
      : `There is no brand ${brandId}.`,
  );
}
