import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { newId } from '../../src/collection/identifier.ts';
import { auditTrail } from '../../src/db/tables.ts';
import { databaseTime } from '../../src/db/statement.ts';
import type { Execute } from './execute.ts';
import type { Chunk } from './pages.ts';
import { allOf, inGroups, mergeChunks, readChunks } from './pages.ts';
import { checkedId } from './validation.ts';

const detailsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/**
 * The actions that change something. A deletion and an import take several transactions, so their beginning and their end
 * are recorded.
 */
export const ACTIONS = [
  'brand.create',
  'brand.suspend',
  'brand.resume',
  'brand.delete.begin',
  'brand.delete.done',
  'brand.import.begin',
  'brand.import.done',
  'brand.freeze',
  'brand.unfreeze',
  'brand.move',
  'brand.keep',
  'key.issue',
  'key.rotate',
  'key.revoke',
  'tokens.reset',
] as const;

export type Action = (typeof ACTIONS)[number];

/** An action to run and record. Its id is generated once, so that a retry can see whether an earlier try succeeded. */
export interface Act {
  readonly id: string;
  readonly action: Action;
  readonly actor: string;
}

/** The subject of an action, as SQL. */
export interface Subject {
  /** NULL if it is about all brands at once. */
  readonly brandId: SQL;
  readonly keyId?: SQL;
  /** A JSON object with further details, such as the name of a deleted brand. */
  readonly details?: SQL;
  /** The table that these are read from, with the condition under which the action happens. */
  readonly from: SQL;
}

/** An entry of the audit trail, as the operator sees it. */
export interface AuditEntry {
  readonly at: string;
  readonly action: string;
  readonly brandId: string | null;
  readonly keyId: string | null;
  readonly actor: string;
  readonly details: Readonly<z.infer<typeof detailsSchema>>;
}

/** Creates an action of the operator who uses this database. */
export function newAct({ actor }: Execute, action: Action): Act {
  return { id: newId(), action, actor };
}

/** Returns the statement that records an action. It runs in the transaction of the action itself. */
export function noteAct(
  { id, action, actor }: Act,
  { brandId, keyId = sql`null`, details = sql`json_object()`, from }: Subject,
): SQL {
  return sql`insert into ${auditTrail} (id, at, action, brand_id, key_id, actor, details)
    select ${id}, ${databaseTime}, ${action}, ${brandId}, ${keyId}, ${actor}, ${details}
    from ${from} on conflict do nothing`;
}

/**
 * Returns the statement that reads the record of an action, from this try or an earlier one: one row if it happened,
 * otherwise none.
 */
export function notedAct({ id }: Act): SQL {
  return sql`select * from ${auditTrail} where ${auditTrail.id} = ${id}`;
}

/** The entries to list. */
export interface AuditQuery {
  /** Those of this brand, which may have been deleted. */
  readonly brandId?: string | undefined;
  readonly action?: Action | undefined;
  /** Those from this time on: ISO 8601 UTC with milliseconds. */
  readonly since?: string | undefined;
  /** Only so many of the newest; all by default. */
  readonly limit?: number | undefined;
}

/**
 * Lists entries, oldest first, in chunks that are read when they are asked for. With a limit, the newest are the only
 * chunk, and its `next` says whether there are older ones.
 * @throws AdminError if the brand's id is malformed
 */
export async function* listActs(
  execute: Execute,
  query: AuditQuery = {},
): AsyncGenerator<Chunk<AuditEntry>> {
  yield* entriesOf(listRows(execute, query));
}

async function* entriesOf(
  chunks: AsyncIterable<Chunk<EntryRow>>,
): AsyncGenerator<Chunk<AuditEntry>> {
  for await (const { items, next } of chunks) yield { items: items.map(toEntry), next };
}

async function* listRows(execute: Execute, query: AuditQuery): AsyncGenerator<Chunk<EntryRow>> {
  const { brandId, action, since, limit } = query;
  const conditions = [
    sql`true`,
    ...(brandId === undefined ? [] : [sql`${auditTrail.brandId} = ${checkedId('brand', brandId)}`]),
    ...(action === undefined ? [] : [sql`${auditTrail.action} = ${action}`]),
    ...(since === undefined ? [] : [sql`${auditTrail.at} >= ${since}`]),
  ];
  // All three end with the time, so that an entry is found and in its place without reading others.
  const index = sql.raw(brandId !== undefined ? 'brand' : action !== undefined ? 'action' : 'time');
  const entries = sql<EntryRow>`select * from ${auditTrail} indexed by audit_trail_by_${index} where ${sql.join(conditions, sql` and `)}`;
  if (limit !== undefined) {
    // One more shows whether there are older ones.
    const [rows] = await execute(
      sql<EntryRow>`${entries} order by at desc, id desc limit ${limit + 1}`,
    );
    yield newestOf(rows.toReversed(), limit);
    return;
  }
  yield* readChunks(
    {},
    ({ id }: EntryRow) => id,
    async (after, count) => {
      const rest =
        after === undefined
          ? sql``
          : sql`and (at, id) > (select at, id from ${auditTrail} where ${auditTrail.id} = ${after})`;
      const [rows] = await execute(
        sql<EntryRow>`${entries} ${rest} order by at, id limit ${count}`,
      );
      return rows;
    },
  );
}

/**
 * Lists the entries of several databases in one order, each once: an import brings entries with it that the database of
 * the deleted brand has too. Where a brand was moved, each database has those of its time.
 * @throws AdminError if the brand's id is malformed
 */
export async function* listActsOfAll(
  all: readonly Execute[],
  query: AuditQuery,
): AsyncGenerator<Chunk<AuditEntry>> {
  const { limit } = query;
  if (limit === undefined || all.length === 1) {
    const lists = all.map((execute) => listRows(execute, query));
    const merged = mergeChunks(lists, { idOf: ({ id }) => id, isBefore });
    let last: EntryRow | undefined;
    for await (const { items, next } of merged) {
      const entries = items.filter((row, n) => !isSame(row, n === 0 ? last : items[n - 1]));
      last = items.at(-1) ?? last;
      yield { items: entries.map(toEntry), next };
    }
    return;
  }
  // One more shows whether there are older ones.
  const some = { ...query, limit: limit + 1 };
  const newest = await inGroups(all, (execute) => allOf(listRows(execute, some)));
  const rows = newest.flat().sort((one, other) => (isBefore(one, other) ? -1 : 1));
  const once = rows.filter((row, n) => !isSame(row, rows[n - 1]));
  const { items, next } = newestOf(once, limit);
  yield { items: items.map(toEntry), next };
}

/** Returns the last of some entries as a list of its own, whose `next` says whether there are older ones. */
function newestOf(rows: readonly EntryRow[], limit: number): Chunk<EntryRow> {
  const items = rows.slice(-limit);
  return { items, next: items.length < rows.length ? (items[0]?.id ?? null) : null };
}

function isSame(one: EntryRow, other: EntryRow | undefined): boolean {
  return one.id === other?.id;
}

/** The order of the entries: equal ones stand next to each other. */
function isBefore(one: EntryRow, other: EntryRow): boolean {
  return placeOf(one) < placeOf(other);
}

function placeOf({ at, id }: EntryRow): string {
  return `${at} ${id}`;
}

/** An entry as it is stored. */
interface EntryRow {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly brand_id: string | null;
  readonly key_id: string | null;
  readonly actor: string;
  /** JSON. */
  readonly details: string;
}

function toEntry({
  brand_id: brandId,
  key_id: keyId,
  at,
  action,
  actor,
  details,
}: EntryRow): AuditEntry {
  return { at, action, brandId, keyId, actor, details: detailsSchema.parse(JSON.parse(details)) };
}
