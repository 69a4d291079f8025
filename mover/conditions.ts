import type { Sql } from '../src/db/sql.ts';
import { literal, placeholder, sql } from '../src/db/sql.ts';
import { moves } from '../src/db/tables.ts';

// Conditions on a row of `moves`. Every call of the mover checks in its own transaction whether it may still do what it
// is about to do.

/** A value that each call provides. */
export const [brand, moveId, attempt] = [
  placeholder('brand'),
  placeholder('move'),
  placeholder('attempt'),
] as const;

const thisMove = sql`${moves.brandId} = ${brand} and ${moves.id} = ${moveId}`;

type Name = 'brand' | 'move';

/** SQL condition: the move leaves this database, and has this state. */
export function out(state: 'copying' | 'gone' | 'aborted'): Sql<Name> {
  return sql`${thisMove} and ${moves.role} = 'out' and ${moves.state} = ${literal(state)}`;
}

/** SQL condition: the move arrives in this database, and has this state. */
export function into(state: 'clearing' | 'copying' | 'home' | 'aborted'): Sql<Name> {
  return sql`${thisMove} and ${moves.role} = 'in' and ${moves.state} = ${literal(state)}`;
}

/** SQL condition: this run has the move. A later one has a higher number. */
export const isOurRun = sql`${moves.attempt} = ${attempt}`;

/** SQL condition: there is a move like this. */
export function moveIs<N extends string>(condition: Sql<N>): Sql<N> {
  return sql`exists (select 1 from ${moves} where ${condition})`;
}

/** SQL: the brand's move in this database. */
export const selectMove = sql`select * from ${moves} where ${moves.brandId} = ${brand}`;

/**
 * SQL condition: the brand is not at home here: it has left, or has not arrived. A brand without a row is at home where
 * it exists. Keys do not tell: the target has the brand's row before it has keys.
 */
export const isAway = sql`(
  ${moves.role} = 'out' and (${moves.state} = 'gone' or ${moves.state} = 'tidied')
  or ${moves.role} = 'in' and ${moves.state} <> 'home')`;
