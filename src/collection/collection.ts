import type { Column } from 'drizzle-orm';
import { getTableColumns, getTableName } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Columns, Values } from '../db/columns.ts';
import type { RevisedTable } from '../db/guarded-update.ts';
import { expected } from '../fields/expected.ts';
import type { Resource, Shape } from '../fields/schema.ts';
import { object, partial, resource, withoutNull } from '../fields/schema.ts';
import { lazy } from '../lazy.ts';

/** The most resources in one request. */
export const MAX_ITEMS = 500;

/** What every collection's table has besides its fields. No body sets these. */
export type CollectionTable = RevisedTable & {
  readonly id: Column;
  readonly brandId: Column;
  readonly createdAt: Column;
  readonly changeNumber: Column;
};

type ServiceColumn = 'brandId' | 'id' | 'revision' | 'createdAt' | 'updatedAt' | 'changeNumber';

/** A rule for each column of a table that a body may set, by the column's name in `tables.ts`. */
type FieldsOf<T extends CollectionTable> = Readonly<
  Record<Exclude<keyof T['_']['columns'], ServiceColumn>, z.ZodMiniType>
>;

/** The envelope's keys: of one resource, of the list, of the id in the answer to a DELETE, of the ids of deleted ones. */
interface EnvelopeKeys {
  readonly one: string;
  readonly many: string;
  readonly deleted: string;
  readonly deletedMany: string;
}

/** The names of the fields by which a list can be filtered: those of strings and booleans. */
type Filterable<S extends Shape> = string &
  keyof {
    [K in keyof S as NonNullable<z.output<S[K]>> extends string | boolean ? K : never]: unknown;
  };

/** What a collection of a brand is; its operations follow from this. */
interface Definition<T extends CollectionTable, S extends FieldsOf<T>> {
  /** What a client reads in errors, such as `Product`. */
  readonly noun: string;
  /** What the reference calls the id in the path of an item, such as `productId`. */
  readonly idParameter: string;
  readonly keys: EnvelopeKeys;
  readonly table: T;
  /**
   * The writable fields with their rules and constant defaults: one for each column of the table that a body may set, in
   * the order in which they are shown. A field without a column is an error of its own type.
   */
  readonly fields: S & Readonly<Record<Exclude<keyof S, keyof FieldsOf<T>>, never>>;
  /** Defaults that depend on other fields: a value for every field that is optional and has no constant default. */
  readonly derive: (given: z.output<Resource<S>>, id: string) => Values;
  /** A field whose value is unique in the brand. */
  readonly unique?: keyof S & string;
  /** The fields by which a list can be filtered. */
  readonly filters: readonly Filterable<S>[];
  /** The fields by which a push can find resources, besides `id`. */
  readonly matches: readonly (keyof S & string)[];
  /** Indexes that serve a field. The planner has to be told: it would rather read the brand's rows in order. */
  readonly indexes?: Partial<Record<keyof S & string, string>>;
  /** Fields whose default is the time of the write. */
  readonly stamped: readonly (keyof S & string)[];
  /** Fields whose default can be the id of the resource. */
  readonly idFallbacks?: readonly (keyof S & string)[];
  /** Whether the times of creation and change are shown. */
  readonly showsTimes: boolean;
}

/** A definition with what follows from it, the types of the one resource taken away. */
export interface Collection {
  /** Its path below the base path, which is also its name in the database. */
  readonly path: string;
  readonly noun: string;
  readonly idParameter: string;
  readonly keys: EnvelopeKeys;
  readonly table: CollectionTable;
  /** The writable fields with their rules and constant defaults. */
  readonly fields: Shape;
  /** The columns of the fields that a body may set. */
  readonly writable: Columns;
  /** The columns of the fields that a representation shows, in its order. */
  readonly shown: Columns;
  /** The fields whose default is the time of the write. */
  readonly stamped: ReadonlySet<string>;
  /** The fields whose default can be the id of the resource. */
  readonly idFallbacks: readonly string[];
  /** The index on the brand and the number of the last change. */
  readonly changeIndex: string;
  readonly unique: { readonly field: string; readonly column: Column } | undefined;
  /** The fields by which a list can be filtered. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** The fields by which a push can find resources, `id` among them. */
  readonly matches: Readonly<Record<string, Match>>;
  /** What a POST or PUT must hold. */
  readonly full: z.ZodMiniType<CompleteWithDefaults>;
  /** What a POST of many must hold: the list under its key and nothing else. */
  readonly envelope: z.ZodMiniType;
  /** How many there may be in the list. Each item is validated by itself. */
  readonly list: z.ZodMiniType<readonly unknown[]>;
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

/** A field by which a push finds resources. */
export interface Match {
  /** The rule of its values; undefined for `id`. */
  readonly field: z.core.$ZodType | undefined;
  readonly column: Column;
  /** As for a filter. */
  readonly index: string | undefined;
  /** Whether resources are found by it without reading the brand's others. */
  readonly isIndexed: boolean;
  /** Whether it is the field whose value is unique in the brand. */
  readonly isUnique: boolean;
}

/** Gives all writable fields of the resource with this id: what was sent, and the defaults of the rest. */
export type CompleteWithDefaults = (id: string) => Values;

/** A collection, and where it lies below the base path. */
export interface CollectionSource {
  readonly path: string;
  /** Builds the collection on first use, whole, to keep the Worker's start-up fast. */
  readonly load: () => Collection;
}

/** Declares a collection. Nothing of it is built before it is first used. */
export function defineCollection<T extends CollectionTable, S extends FieldsOf<T>>(
  path: string,
  define: () => Definition<T, S>,
): CollectionSource {
  return { path, load: lazy(() => build(path, define())) };
}

function build<T extends CollectionTable, S extends FieldsOf<T>>(
  path: string,
  definition: Definition<T, S>,
): Collection {
  const { noun, idParameter, keys, table, fields, derive, unique, indexes, stamped } = definition;
  const columns: Columns = getTableColumns(table);
  const { id, createdAt, updatedAt } = table;
  const indexOf: Readonly<Record<string, string | undefined>> = indexes ?? {};
  const columnOf = (field: string): Column => requireEntry(columns, field);
  const writable = Object.fromEntries(Object.keys(fields).map((name) => [name, columnOf(name)]));
  const full = z.pipe(
    resource<S>(fields),
    z.transform((given) => (id: string) => ({ ...derive(given, id), ...given })),
  );
  const filter = (name: string): Filter => {
    const index = indexOf[name];
    const isSelective = index !== undefined || name === unique;
    return {
      field: requireEntry<z.ZodMiniType>(fields, name),
      column: columnOf(name),
      index,
      isSelective,
    };
  };
  return {
    path,
    noun,
    idParameter,
    keys,
    table,
    fields,
    writable,
    shown: { id, ...writable, ...(definition.showsTimes && { createdAt, updatedAt }) },
    stamped: new Set(stamped),
    idFallbacks: definition.idFallbacks ?? [],
    changeIndex: `${getTableName(table)}_by_change`,
    unique: unique && { field: unique, column: columnOf(unique) },
    matches: {
      id: { field: undefined, column: id, index: undefined, isIndexed: true, isUnique: false },
      ...Object.fromEntries(
        definition.matches.map((name) => {
          const { field, column, index, isSelective } = filter(name);
          return [
            name,
            {
              field: withoutNull(field),
              column,
              index,
              isIndexed: isSelective,
              isUnique: name === unique,
            },
          ];
        }),
      ),
    },
    filters: Object.fromEntries(definition.filters.map((name) => [name, filter(name)])),
    full,
    envelope: object({ [keys.many]: z.unknown() }),
    list: listOf(z.unknown()),
    patch: partial(fields),
  };
}

/** The envelope of a list, with 1 to 500 items. */
export function listEnvelopeOf<T extends z.ZodMiniType>(
  key: string,
  item: T,
): z.ZodMiniType<Readonly<Record<string, readonly z.output<T>[]>>> {
  return object({ [key]: listOf(item) });
}

/** A list of 1 to 500 items. A longer one is refused before its items are read. */
function listOf<T extends z.ZodMiniType>(item: T): z.ZodMiniArray<T> {
  const error = expected(`a list of 1 to ${MAX_ITEMS} items`);
  return z
    .array(item, { error })
    .check(z.minLength(1, { error }), z.maxLength(MAX_ITEMS, { error }));
}

/**
 * The member of this name.
 * @throws Error if there is none
 */
export function requireEntry<T>(members: Readonly<Record<string, T>>, name: string): T {
  const found = members[name];
  if (found === undefined) throw new Error(`There is nothing of the name ${name}.`);
  return found;
}
