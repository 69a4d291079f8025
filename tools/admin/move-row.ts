import type { SQL } from 'drizzle-orm';
import { getTableColumns, sql } from 'drizzle-orm';
import { moves } from '../../src/db/tables.ts';
import { now } from '../service-sql.ts';

/** A row of `moves` that the mover has not written. */
export interface NewMove {
  readonly id: string;
  readonly role: 'out' | 'in';
  readonly state: 'gone' | 'tidied' | 'clearing' | 'home' | 'over';
  readonly peer: number;
  readonly generation: number;
}

/**
 * Returns the statement that puts a row into the place of a brand's move, if a condition holds. It has a new id: late calls
 * of the old move do nothing.
 */
export function putMoveRow(
  { brandId, actor }: { readonly brandId: string; readonly actor: string },
  move: NewMove,
  condition: SQL,
): SQL {
  const row: Record<keyof typeof moves.$inferInsert, SQL> = {
    brandId: sql`${brandId}`,
    id: sql`${move.id}`,
    generation: sql`${move.generation}`,
    role: sql`${move.role}`,
    peer: sql`${move.peer}`,
    attempt: sql`0`,
    driver: sql`null`,
    state: sql`${move.state}`,
    changedAt: sql`${now}`,
    begunAt: sql`${now}`,
    actor: sql`${actor}`,
    reason: sql`null`,
    failedCommits: sql`0`,
    frozenMs: sql`0`,
    isReturn: sql`1`,
    copied: sql`json_object()`,
    verified: sql`json_object()`,
    copiedRows: sql`0`,
    copiedBytes: sql`0`,
  };
  const names = Object.values(getTableColumns(moves)).map(({ name }) => sql.identifier(name));
  const values = namesOf(getTableColumns(moves)).map((name) => row[name]);
  const set = names.map((name) => sql`${name} = excluded.${name}`);
  return sql`insert into ${moves} (${sql.join(names, sql`, `)})
    select ${sql.join(values, sql`, `)} where ${condition}
    on conflict (brand_id) do update set ${sql.join(set, sql`, `)}`;
}

/** The names of an object's own members, which its type has all. */
function namesOf<T extends object>(object: T): (keyof T)[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the object is a literal of drizzle
  return Object.keys(object) as (keyof T)[];
}
