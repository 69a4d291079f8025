import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { newId } from '../../src/collection/identifier.ts';
import type { Row } from '../../src/db/statement.ts';
import { now } from '../../src/db/statement.ts';
import { auditTrail } from '../../src/db/tables.ts';
import type { Execute } from './execute.ts';
import { checkedId } from './validation.ts';

const detailsSchema = z.record(z.string(), z.unknown());

/**
 * The actions that change something. A deletion takes several transactions, so its beginning and its end are recorded.
 */
export type Action =
  | 'brand.create'
  | 'brand.delete.begin'
  | 'brand.delete.done'
  | 'key.issue'
  | 'key.rotate'
  | 'key.revoke'
  | 'tokens.reset';

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
  readonly details: Readonly<Record<string, unknown>>;
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
    select ${id}, ${now}, ${action}, ${brandId}, ${keyId}, ${actor}, ${details}
    from ${from} on conflict do nothing`;
}

/**
 * Returns the statement that reads the record of an action, from this try or an earlier one: one row if it happened,
 * otherwise none.
 */
export function notedAct({ id }: Act): SQL {
  return sql`select * from ${auditTrail} where ${auditTrail.id} = ${id}`;
}

/** Lists all entries, or those of one brand, oldest first. The brand may have been deleted. */
export async function listActs(execute: Execute, brandId?: string): Promise<AuditEntry[]> {
  const ofBrand =
    brandId === undefined
      ? sql``
      : sql`where ${auditTrail.brandId} = ${checkedId('brand', brandId)}`;
  const [rows = []] = await execute(
    sql`select * from ${auditTrail} ${ofBrand} order by ${auditTrail.at}, ${auditTrail.id}`,
  );
  return rows.map(toEntry);
}

function toEntry(row: Row): AuditEntry {
  const [brandId, keyId] = [row['brand_id'], row['key_id']];
  return {
    at: String(row['at']),
    action: String(row['action']),
    brandId: typeof brandId === 'string' ? brandId : null,
    keyId: typeof keyId === 'string' ? keyId : null,
    actor: String(row['actor']),
    details: detailsSchema.parse(JSON.parse(String(row['details']))),
  };
}
