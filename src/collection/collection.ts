import type { Column } from 'drizzle-orm';
import { getTableColumns } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Columns, Values } from '../db/columns.ts';
import type { RevisedTable } from '../db/guarded-update.ts';
import { WRITE_TIME } from '../db/guarded-update.ts';
import type { Resource, Shape } from '../fields/schema.ts';
import { expected } from '../fields/expected.ts';
import { object, partial, resource } from '../fields/schema.ts';
import { lazy } from '../lazy.ts';

/** Resources made with one request. */
const MOST_AT_ONCE = 500;
const MANY = expected(`a list of 1 to ${MOST_AT_ONCE} items`);

/** What every collection's table has besides its fields. */
export type CollectionTable = RevisedTable & {
  readonly id: Column;
  readonly brandId: Column;
  readonly createdAt: Column;
  readonly lastSyncedAt: Column;
};

/** What a collection of a brand is; the six operations on it follow from this. */
interface Definition<S extends Shape> {
  /** What a client reads in errors, `Product` say. */
  readonly noun: string;
  /** The envelope's keys: of one resource, of the list, of the id in the answer to a DELETE. */
  readonly keys: { readonly one: string; readonly many: string; readonly deleted: string };
  readonly table: CollectionTable;
  /** The writable fields with their rules and constant defaults: one for each column of the table, in that order. */
  readonly fields: () => S;
  /** Defaults that depend on other fields: a value for every field that is optional and has no default of its own. */
  readonly derive: (given: z.output<Resource<S>>, id: string) => Values;
  /** A field whose value is unique in the brand. */
  readonly unique?: keyof S & string;
  /** The fields by which a list can be filtered. */
  readonly filters: readonly (keyof S & string)[];
  /** Indexes that serve a filter. The planner has to be told: it would rather read the brand's rows in order. */
  readonly indexes?: Partial<Record<keyof S & string, string>>;
  /** Whether the times of creation and change are shown. */
  readonly showsTimes: boolean;
}

/** A definition with what follows from it, the types of the one resource taken away. */
export interface Collection {
  readonly noun: string;
  readonly keys: { readonly one: string; readonly many: string; readonly deleted: string };
  readonly table: CollectionTable;
  /** The writable fields with their rules and constant defaults. */
  readonly fields: () => Shape;
  /** The columns of the fields that a body may set. */
  readonly writable: Columns;
  /** The columns of the fields that a representation shows, in its order. */
  readonly shown: Columns;
  readonly unique: { readonly field: string; readonly column: Column } | undefined;
  /** The fields by which a list can be filtered. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** What a POST or PUT must hold; it comes out ready to be completed. */
  readonly full: z.ZodMiniType<Completion>;
  /** Many of them, in the envelope of a list. */
  readonly list: z.ZodMiniType<Readonly<Record<string, readonly Completion[]>>>;
  /** What a PATCH may hold. */
  readonly patch: z.ZodMiniType<Values>;
}

/** A field by which a list can be filtered. */
export interface Filter {
  readonly field: () => z.core.$ZodType;
  readonly column: Column;
  /** The index to use for it. Without one, the planner finds the unique one or reads the brand's own rows. */
  readonly index: string | undefined;
  /** Whether only a few resources have the same value as a rule, and these are found without reading the others. */
  readonly isSelective: boolean;
}

/** Gives all writable fields of the resource with this id: what was sent, and the defaults of the rest. */
export type Completion = (id: string) => Values;

/** Works out what follows from a definition. The schemas are made where they are first asked for: they cost most. */
export function defineCollection<S extends Shape>(definition: Definition<S>): Collection {
  const { noun, keys, table, unique, indexes, showsTimes } = definition;
  const columns: Columns = getTableColumns(table);
  const { brandId, id, revision, createdAt, updatedAt } = table;
  const unwritable = new Set([brandId, id, revision, createdAt, updatedAt]);
  const writable = Object.fromEntries(
    Object.entries(columns).filter(([, column]) => !unwritable.has(column)),
  );
  const fields = lazy(() => {
    const fields = definition.fields();
    if (Object.keys(fields).join() !== Object.keys(writable).join()) {
      throw new Error(`The fields of a ${noun} are not the columns of its table.`);
    }
    return fields;
  });
  const full = z.lazy(() =>
    z.pipe(
      resource(fields()),
      z.transform((given) => (id: string) => ({ ...definition.derive(given, id), ...given })),
    ),
  );
  const filter = (name: string): Filter => {
    const index = indexes?.[name];
    const isSelective = index !== undefined || name === unique;
    return {
      field: () => named(fields(), name),
      column: named(columns, name),
      index,
      isSelective,
    };
  };
  return {
    noun,
    keys,
    table,
    fields,
    writable,
    shown: { id, ...writable, ...(showsTimes && { createdAt, updatedAt }) },
    filters: Object.fromEntries(definition.filters.map((name) => [name, filter(name)])),
    unique: unique && { field: unique, column: named(columns, unique) },
    full,
    list: z.lazy(() =>
      object({
        [keys.many]: z
          .array(full, { error: MANY })
          .check(z.minLength(1, { error: MANY }), z.maxLength(MOST_AT_ONCE, { error: MANY })),
      }),
    ),
    patch: z.lazy(() => partial(fields())),
  };
}

/** The sync metadata that follows from whether a record of the store is linked. */
export function syncDefaults(storeId: string | null): Values {
  return storeId === null
    ? { syncStatus: 'NOT_LINKED', lastSyncedAt: null }
    : { syncStatus: 'SYNCED', lastSyncedAt: WRITE_TIME };
}

function named<T>(members: Readonly<Record<string, T>>, name: string): T {
  const member = members[name];
  if (member === undefined) throw new Error(`There is nothing of the name ${name}.`);
  return member;
}
