import type { Column } from 'drizzle-orm';
import { getTableColumns } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Columns, Values } from '../db/columns.ts';
import type { RevisedTable } from '../db/guarded-update.ts';
import { WRITE_TIME } from '../db/guarded-update.ts';
import type { Resource, Shape } from '../fields/schema.ts';
import { expected } from '../fields/expected.ts';
import { object, partial, resource } from '../fields/schema.ts';

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
  /** The writable fields with their rules and constant defaults, in the order in which they are shown. */
  readonly fields: S;
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
  readonly fields: Shape;
  /** The columns of the fields that a body may set. */
  readonly writable: Columns;
  /** The columns of the fields that a representation shows, in its order. */
  readonly shown: Columns;
  readonly unique: { readonly field: string; readonly column: Column } | undefined;
  /** The fields by which a list can be filtered, with their rules. */
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
  readonly field: z.core.$ZodType;
  readonly column: Column;
  /** The index to use for it. Without one, the planner finds the unique one or reads the brand's own rows. */
  readonly index: string | undefined;
  /** Whether only a few resources have the same value as a rule, and these are found without reading the others. */
  readonly isSelective: boolean;
}

/** Gives all writable fields of the resource with this id: what was sent, and the defaults of the rest. */
export type Completion = (id: string) => Values;

/** Works out what follows from a definition, once, when the Worker starts. */
export function defineCollection<S extends Shape>(definition: Definition<S>): Collection {
  const { noun, keys, table, fields, unique, showsTimes } = definition;
  const columns: Columns = getTableColumns(table);
  const pick = (names: readonly string[]): Columns =>
    Object.fromEntries(names.map((name) => [name, columnOf(columns, name)]));
  const writable = Object.keys(fields);
  const shown = pick(['id', ...writable, ...(showsTimes ? ['createdAt', 'updatedAt'] : [])]);
  const full = z.pipe(
    resource(fields),
    z.transform((given) => (id: string) => ({ ...definition.derive(given, id), ...given })),
  );
  const filter = (name: string, field: z.core.$ZodType): Filter => {
    const index = definition.indexes?.[name];
    const isSelective = index !== undefined || name === unique;
    return { field, column: columnOf(columns, name), index, isSelective };
  };
  return {
    noun,
    keys,
    table,
    fields,
    writable: pick(writable),
    shown,
    filters: Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => definition.filters.includes(name))
        .map(([name, field]) => [name, filter(name, field)]),
    ),
    unique: unique && { field: unique, column: columnOf(columns, unique) },
    full,
    list: object({
      [keys.many]: z
        .array(full, { error: MANY })
        .check(z.minLength(1, { error: MANY }), z.maxLength(MOST_AT_ONCE, { error: MANY })),
    }),
    patch: partial(fields),
  };
}

/** The sync metadata that follows from whether a record of the store is linked. */
export function syncDefaults(storeId: string | null): Values {
  return storeId === null
    ? { syncStatus: 'NOT_LINKED', lastSyncedAt: null }
    : { syncStatus: 'SYNCED', lastSyncedAt: WRITE_TIME };
}

function columnOf(columns: Columns, field: string): Column {
  const column = columns[field];
  if (column === undefined) throw new Error(`There is no column for the field ${field}.`);
  return column;
}
