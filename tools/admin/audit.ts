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

/** What an operator can do that changes something. A deletion is noted when it begins and when it is done: it takes several transactions. */
export type Action =
  | 'brand.create'
  | 'brand.delete.begin'
  | 'brand.delete.done'
  | 'key.issue'
  | 'key.rotate'
  | 'key.revoke'
  | 'tokens.reset';

/** An act before it is done. Its id is made once, so that a repeat can see that an earlier try was done. */
export interface Act {
  readonly id: string;
  readonly action: Action;
  readonly actor: string;
}

/** What an act is about, as SQL. */
export interface Subject {
  /** NULL if it is about all brands at once. */
  readonly brandId: SQL;
  readonly keyId?: SQL;
  /** A JSON object of what else is worth knowing, such as the name of a deleted brand. */
  readonly details?: SQL;
  /** Where these are read, with the condition under which the act takes place. */
  readonly from: SQL;
}

/** An act that was done, as the operator sees it. */
export interface AuditEntry {
  readonly at: string;
  readonly action: string;
  readonly brandId: string | null;
  readonly keyId: string | null;
  readonly actor: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An act of the operator who works on this database. */
export function newAct({ actor }: Execute, action: Action): Act {
  return { id: newId(), action, actor };
}

/** Notes an act. It goes into the transaction of the act itself. */
export function noteAct(
  { id, action, actor }: Act,
  { brandId, keyId = sql`null`, details = sql`json_object()`, from }: Subject,
): SQL {
  return sql`insert into ${auditTrail} (id, at, action, brand_id, key_id, actor, details)
    select ${id}, ${now}, ${action}, ${brandId}, ${keyId}, ${actor}, ${details}
    from ${from} on conflict do nothing`;
}

/** Reads what was noted of an act, by this try or an earlier one: one row if it was done, else none. */
export function notedAct({ id }: Act): SQL {
  return sql`select * from ${auditTrail} where ${auditTrail.id} = ${id}`;
}

/** All acts, or those on one brand, oldest first. A brand need not exist any more. */
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
