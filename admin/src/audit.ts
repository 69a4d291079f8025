import type { SQL } from 'drizzle-orm';
import { and, eq, gte, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { newId, databaseTime, auditTrail, brands } from '../../src/operator.ts';
import type { OpenDatabase } from './database/open-database.ts';
import type { ListOrder, Page, PageOptions } from './database/pages.ts';
import { pagesOf, readPage } from './database/pages.ts';
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
interface Act {
  readonly id: string;
  readonly action: Action;
  readonly actor: string;
}

/** The subject of an action, as SQL. */
export interface Subject {
  /** NULL if it is about all brands at once. */
  readonly brandId: SQL;
  readonly keyId?: SQL;
  /** A JSON object with further details, such as the label of a key. */
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
export function newAct({ actor }: OpenDatabase, action: Action): Act {
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

/**
 * Returns the statement that takes the name of a brand and the labels of its keys, which may name people, out of its
 * entries. Ids, actions and times stay.
 * @param condition on the brand's row
 */
export function forgetNames(brandId: string, condition: SQL): SQL {
  return sql`update ${auditTrail} set details = json_remove(details, '$.brandName', '$.label')
    where ${auditTrail.brandId} = ${brandId} and exists (select 1 from ${brands} where ${condition})`;
}

interface AuditQuery {
  /** Those of this brand, which may have been deleted. */
  readonly brandId?: string | undefined;
  readonly action?: Action | undefined;
  /** Those from this time on: ISO 8601 UTC with milliseconds. */
  readonly since?: string | undefined;
  /** Only so many of the newest; all by default. */
  readonly limit?: number | undefined;
}

/**
 * Lists the entries of databases in one order, oldest first: with a limit, the newest. Each is there once: an import brings
 * entries with it that the database of the deleted brand has too. Where a brand was moved, each database has those of its
 * time.
 * @throws Failure if the brand's id is malformed
 */
export async function listActs(
  all: readonly OpenDatabase[],
  query: AuditQuery = {},
): Promise<Page<AuditEntry>> {
  const rows: EntryRow[] = [];
  let next: string | null = null;
  const readPart = (part: PageOptions): Promise<Page<EntryRow>> =>
    readPage(all, part, NEWEST_FIRST, async (database, after, count) => {
      const [found] = await database.run(selectEntries(query, after, count));
      return found;
    });
  for await (const page of pagesOf({ limit: query.limit }, readPart)) {
    rows.push(...page.items);
    ({ next } = page);
  }
  return { items: rows.map(toEntry).reverse(), next };
}

const NEWEST_FIRST: ListOrder<EntryRow> = {
  by: ({ at, id }) => `${at} ${id}`,
  isDescending: true,
  isShared: true,
};

function selectEntries(
  { brandId, action, since }: AuditQuery,
  after: string | undefined,
  count: number,
): SQL<EntryRow> {
  const condition = and(
    sql`true`,
    brandId === undefined ? undefined : eq(auditTrail.brandId, checkedId('brand', brandId)),
    action === undefined ? undefined : eq(auditTrail.action, action),
    since === undefined ? undefined : gte(auditTrail.at, since),
    after === undefined ? undefined : sql`(at, id) < ${after.split(' ')}`,
  );
  // All three end with the time, so that an entry is found and in its place without reading others.
  const index = sql.raw(brandId !== undefined ? 'brand' : action !== undefined ? 'action' : 'time');
  return sql<EntryRow>`select id, at, action, brand_id as "brandId", key_id as "keyId", actor, details
    from ${auditTrail} indexed by audit_trail_by_${index}
    where ${condition} order by at desc, id desc limit ${count}`;
}

interface EntryRow extends Omit<AuditEntry, 'details'> {
  readonly id: string;
  /** JSON. */
  readonly details: string;
}

function toEntry({ id: _, details, ...entry }: EntryRow): AuditEntry {
  return { ...entry, details: detailsSchema.parse(JSON.parse(details)) };
}
