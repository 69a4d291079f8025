import type { Column, SQL } from 'drizzle-orm';
import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Collection } from '../../../src/operator.ts';
import {
  apiKeys,
  brands,
  idempotencyRecords,
  tombstones,
  auditTrail,
} from '../../../src/operator.ts';
import type { Action } from '../audit.ts';

/** The name and version of the format. It changes if an older tool cannot import the file. */
export const FORMAT = 'brand-export-1';

/** A table of an exported brand: a member of the document. */
export interface Part {
  /** The name of the member: that of a list, except `profile`. */
  readonly name: string;
  readonly table: SQLiteTable;
  /** The exported columns, by their names in the document. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly owner: Column;
  /** The columns that order the rows of a brand, and identify each. */
  readonly order: readonly Column[];
  /** The rows of the brand that are exported; all by default. */
  readonly condition?: SQL;
  /** The member that is text with JSON in it. */
  readonly json?: string;
}

/** The one part that is no list. */
export const PROFILE = 'profile';

export const KEYS = 'keys';

const AUDIT_ENTRIES = 'auditEntries';

/** The acts that say what happened to a copy of a brand in one database. The copy that is imported later has others. */
const ACTS_ON_COPIES: readonly Action[] = [
  'brand.delete.begin',
  'brand.delete.done',
  'brand.import.begin',
  'brand.import.done',
];

/** A row of an exported brand, as the document has it. */
export interface ExportedRow {
  readonly part: Part;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The columns of a key, without where the brand is, which is no part of it. */
const keyColumns = columnsWithout(apiKeys, 'hash', 'brandId', 'movedTo', 'frozenAt');

/** SQL condition on an entry of the audit trail: it is exported. */
export const isExportedAct = sql`action not in ${ACTS_ON_COPIES}`;

/**
 * The parts of an exported brand, in the order of the document.
 * @param withKeyHashes whether its keys work again where it is imported
 */
export function exportParts(collections: readonly Collection[], withKeyHashes = false): Part[] {
  // The profile is flat here, where `status` would not say of what.
  // Only a whole brand is exported or moved.
  const profileColumns = columnsWithout(brands, 'status', 'unfinished');
  return [
    {
      ...part(PROFILE, brands, brands.id, [brands.id]),
      columns: { ...profileColumns, connectionStatus: brands.status },
    },
    {
      ...part(KEYS, apiKeys, apiKeys.brandId, [apiKeys.id]),
      columns: { ...(withKeyHashes && { hash: apiKeys.hash }), ...keyColumns },
    },
    ...collections.map(({ keys, table }) => part(keys.many, table, table.brandId, [table.id])),
    part('deletions', tombstones, tombstones.brandId, [
      tombstones.collection,
      tombstones.changeNumber,
    ]),
    part('idempotencyRecords', idempotencyRecords, idempotencyRecords.brandId, [
      idempotencyRecords.key,
    ]),
    {
      ...part(AUDIT_ENTRIES, auditTrail, auditTrail.brandId, [auditTrail.at, auditTrail.id]),
      condition: isExportedAct,
      json: 'details',
    },
  ];
}

/**
 * The parts of a brand that moves: those of an export with the hashes of the keys, because these go on working, and without
 * the audit trail, whose entries stay in the database in which they were written.
 */
export function movedParts(collections: readonly Collection[]): Part[] {
  return exportParts(collections, true).filter(({ name }) => name !== AUDIT_ENTRIES);
}

function part(name: string, table: SQLiteTable, owner: Column, order: readonly Column[]): Part {
  return { name, table, columns: columnsWithout(table, 'brandId'), owner, order };
}

/** Returns the columns of a table, by their names in the document, without these. */
function columnsWithout<T extends SQLiteTable>(
  table: T,
  ...names: readonly (keyof T['_']['columns'])[]
): Part['columns'] {
  const columns = Object.entries<Column>(getTableColumns<SQLiteTable>(table));
  return Object.fromEntries(columns.filter(([name]) => !names.includes(name)));
}
