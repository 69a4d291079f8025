import type { Column } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { getTableColumns, getTableName } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Columns, Values } from '../db/columns.ts';
import { columnsOf, requireEntry, selectionOf } from '../db/columns.ts';
import type { Selection } from '../db/key.ts';
import type { RevisedTable } from '../db/guarded-update.ts';
import { shapes } from '../fields/expected.ts';
import type { Resource, Shape } from '../fields/schema.ts';
import { object, partial, resource, withoutNull } from '../fields/schema.ts';

/** The most resources in one request. */
export const MAX_ITEMS = 500;

/** The columns that every collection's table has besides its fields. A body cannot set them. */
export type CollectionTable = RevisedTable & {
  readonly id: SQLiteColumn;
  readonly brandId: SQLiteColumn;
  readonly createdAt: SQLiteColumn;
  readonly changeNumber: SQLiteColumn;
};

type ServiceColumn = 'brandId' | 'id' | 'revision' | 'createdAt' | 'updatedAt' | 'changeNumber';

/** A validation rule for each column that a body may set, by the column's name in `tables.ts`. */
type FieldsOf<T extends CollectionTable> = Readonly<
  Record<Exclude<keyof T['_']['columns'], ServiceColumn>, z.ZodMiniType>
>;

/** The type of a field without a column. No rule has it, so the compiler prints its text. */
type NoColumn = 'The table in src/db/tables.ts has no column for this field';

/** The keys of response envelopes: one resource, a list, the id in a DELETE response, the ids of deleted resources. */
interface EnvelopeKeys {
  readonly one: string;
  readonly many: string;
  readonly deleted: string;
  readonly deletedMany: string;
}

/** The names that a filter cannot have: the other parameters of a list. */
type ReservedName = 'limit' | 'cursor' | 'since' | 'updatedSince';

/** Stands for a field with such a name among those that can filter, so that the compiler prints its text. */
type NoFilter = 'A list uses this name itself. Give the field another name to filter by it';

/** The fields that can filter a list, by name: strings and booleans. */
type Filterable<S extends Shape> = {
  [
    K in keyof S as NonNullable<z.output<S[K]>> extends string | boolean
      ? K extends ReservedName
        ? NoFilter
        : K
      : never
  ]: unknown;
};

/** How a collection is named. */
interface Names {
  /** The resource's name in error texts, such as `Product`. */
  readonly noun: string;
  /** The name of the path parameter in the OpenAPI document, such as `productId`. */
  readonly idParameter: string;
  readonly keys: EnvelopeKeys;
}

/** Defines a collection. All of its operations are derived from this. */
interface Definition<T extends CollectionTable, S extends FieldsOf<T>> extends Names {
  readonly table: T;
  /**
   * The writable fields with their rules and constant defaults: one for each column that a body may set, in display
   * order. A field without a column is a type error.
   */
  readonly fields: S & Readonly<Record<Exclude<keyof S, keyof FieldsOf<T>>, NoColumn>>;
  /** Computes the defaults that depend on other fields, for every optional field without a constant default. */
  readonly derive: (given: z.output<Resource<S>>, id: string) => Values;
  /** The field whose value is unique within the brand. */
  readonly unique?: keyof S & string;
  /** The fields that can filter a list. */
  readonly filters: readonly (keyof Filterable<S> & string)[];
  /** The fields that a push can match by, besides `id`. */
  readonly matches: readonly (keyof S & string)[];
  /** The index to use for a field, by field name. Without it, the query planner reads the brand's rows in order. */
  readonly indexes?: Partial<Record<keyof S & string, string>>;
  /** The fields whose default is the time of the write. */
  readonly stamped: readonly (keyof S & string)[];
  /** The field with the time of the last change at the source, by which a push tells late events. */
  readonly sourceTime?: keyof S & string;
  /** Whether responses include `createdAt` and `updatedAt`. */
  readonly showsTimes: boolean;
}

/** A definition with everything derived from it, without the types of the specific resource. */
export interface Collection extends Names {
  /** Its path below the base path, which is also its name in the database. */
  readonly path: string;
  readonly table: CollectionTable;
  /** The writable fields with their rules and constant defaults. */
  readonly fields: Shape;
  /** The columns of the fields that a body may set. */
  readonly writable: Columns;
  /** The columns of a representation, in order. */
  readonly shown: Columns;
  /** Selects the columns of a representation. */
  readonly selection: Selection;
  /** The fields whose texts may be long. The others of a resource take 5 KB together. */
  readonly long: readonly string[];
  /** The fields whose default is the time of the write. */
  readonly stamped: ReadonlySet<string>;
  /** The field with the time of the last change at the source, if there is one. */
  readonly sourceTime: string | undefined;
  /** The name of the index on brand and change number. */
  readonly changeIndex: string;
  /** The field whose value is unique within the brand, and its name. */
  readonly unique: (Filter & { readonly name: string }) | undefined;
  /** The fields that can filter a list. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** The fields that a push can match by, including `id`. */
  readonly matches: Readonly<Record<string, Match>>;
  /** The schema of a POST or PUT body. */
  readonly postBody: z.ZodMiniType<FieldsToSet>;
  /** The schema of the envelope of a list: the list under its key and nothing else. */
  readonly envelope: z.ZodMiniType;
  /** The schema of a PATCH body. */
  readonly patchBody: z.ZodMiniType<FieldsToSet>;
}

/** A field that can filter a list. */
export interface Filter {
  readonly rule: z.core.$ZodType;
  readonly column: Column;
  /** The index to use. If undefined, the planner uses the unique index or reads the brand's rows. */
  readonly index: string | undefined;
}

/** A field that a push can match by. */
export interface Match extends Omit<Filter, 'rule'> {
  /** Undefined for `id`. */
  readonly rule: z.core.$ZodType | undefined;
  /** Whether its value is unique within the brand. */
  readonly isUnique: boolean;
  /** Whether an index has it: the primary key, the unique one, or `index`. */
  readonly hasIndex: boolean;
}

/** Takes the resource's id and returns the fields to set: those sent and, for a POST or PUT, defaults for the others. */
export type FieldsToSet = (id: string) => Values;

/** Declares a collection. */
export function defineCollection<T extends CollectionTable, S extends FieldsOf<T>>(
  path: string,
  definition: Definition<T, S>,
): Collection {
  const { noun, idParameter, keys, table, fields, derive, unique } = definition;
  const { id, createdAt, updatedAt } = table;
  const rules: Shape = fields;
  const indexes: Readonly<Record<string, string | undefined>> = definition.indexes ?? {};
  const writable = columnsOf(fields, getTableColumns(table));
  const shown = { id, ...writable, ...(definition.showsTimes && { createdAt, updatedAt }) };
  const filter = (name: string): Filter => ({
    rule: requireEntry(rules, name),
    column: requireEntry(writable, name),
    index: indexes[name],
  });
  return {
    path,
    noun,
    idParameter,
    keys,
    table,
    fields,
    writable,
    shown,
    selection: selectionOf(shown),
    long: Object.keys(rules).filter((name) => isLong(requireEntry(rules, name))),
    stamped: new Set(definition.stamped),
    sourceTime: definition.sourceTime,
    changeIndex: `${getTableName(table)}_by_change`,
    unique: unique && { name: unique, ...filter(unique) },
    matches: {
      id: { rule: undefined, column: id, index: undefined, isUnique: false, hasIndex: true },
      ...Object.fromEntries(
        definition.matches.map((name) => [
          name,
          {
            ...filter(name),
            isUnique: name === unique,
            hasIndex: name === unique || name in indexes,
          },
        ]),
      ),
    },
    filters: Object.fromEntries(definition.filters.map((name) => [name, filter(name)])),
    postBody: z.pipe(
      resource<S>(fields),
      z.transform((given) => (id: string) => ({ ...derive(given, id), ...given })),
    ),
    patchBody: z.pipe(
      partial(fields),
      z.transform((given) => () => given),
    ),
    envelope: object({ [keys.many]: z.optional(z.unknown()) }),
  };
}

/** The most characters of a short text. */
const SHORT = 255;

/** Whether a value may be a long text, or a list. */
function isLong(field: z.ZodMiniType): boolean {
  const rule = withoutNull(field);
  return rule instanceof z.ZodMiniArray || Number(shapes.get(rule)?.maxLength) > SHORT;
}
