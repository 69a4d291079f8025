import type { Column, SQL } from 'drizzle-orm';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { RequiredColumn, Values } from '../db/columns.ts';
import { columnsOf, decode, requireEntry } from '../db/columns.ts';
import { newestChange } from '../db/change-numbers.ts';
import type { Dependents } from '../db/dependents.ts';
import type { SqlValue } from '../db/statement.ts';
import { mine } from '../db/key.ts';
import type { collectionColumns } from '../db/tables.ts';
import { expected } from '../fields/expected.ts';
import type { Outputs, Shape } from '../fields/schema.ts';
import { patchBody, wholeBody, withoutNull } from '../fields/schema.ts';
import { envelopeOf } from './envelope.ts';
import { isId } from './identifier.ts';
import type { RevisionedTable, SingleResource } from './single-resource.ts';
import { SELECTED_BESIDES } from './single-resource.ts';

/** The columns that every collection's table has besides its fields. A body cannot set them. */
type CollectionTable = RevisionedTable & {
  readonly id: RequiredColumn<string>;
  readonly brandId: RequiredColumn<string>;
  readonly createdAt: RequiredColumn<string>;
  readonly changeNumber: RequiredColumn<number>;
};

/** A validation rule for each column that a body may set, by the column's name in `tables.ts`. */
type FieldsOf<T extends CollectionTable> = Readonly<
  Record<Exclude<keyof T['_']['columns'], keyof typeof collectionColumns>, z.ZodMiniType>
>;

/** The names of the fields that can filter a list: strings and booleans that have no name of another parameter. */
type TextOrBooleanName<S extends Shape> = keyof {
  [
    K in keyof S as NonNullable<z.output<S[K]>> extends string | boolean
      ? Exclude<K, 'limit' | 'cursor' | 'since' | 'updatedSince'>
      : never
  ]: unknown;
} &
  string;

/** The parts of a definition that operations use as they are. */
interface Description {
  /** The resource's name in error texts, such as `Product`. */
  readonly noun: string;
  /** The name of the path parameter in the OpenAPI document, such as `productId`. */
  readonly idParameter: string;
  /** The keys of response envelopes: one resource, a list, the id in a DELETE response, the ids of deleted resources. */
  readonly keys: Readonly<Record<'one' | 'many' | 'deleted' | 'deletedMany', string>>;
  readonly table: CollectionTable;
  /** The writable fields with their rules, in display order. */
  readonly fields: Shape;
  /** The constant defaults. A POST sets these fields to them if it leaves them out. */
  readonly defaults: Values;
  /** The fields that a PUT resets to their defaults if it leaves them out. It keeps the other optional ones. */
  readonly resetByPut: readonly string[];
  readonly dependents?: Dependents;
  /** The field with the time of the last change at the source, by which a push tells late events. */
  readonly sourceTime?: string;
  /** The field that is the resource's id if its default is an empty text. */
  readonly idIfEmpty?: string;
}

/** A definition without the types of the specific resource. */
interface UntypedDefinition extends Description {
  /** The defaults that depend on other fields. A field that has no default, and depends on no other, is required. */
  readonly derive?: Readonly<Record<string, (given: Values) => unknown>>;
  /** Computes, from what a PUT names, fields that it leaves out and that neither stay nor have their defaults. */
  readonly deriveInPut?: (named: Values) => Values;
  /** The field whose value is unique within the brand. */
  readonly unique?: string;
  /** The fields that can filter a list, besides `id`. */
  readonly filters: readonly string[];
  /** The fields that a push can match by, besides `id`. */
  readonly matches: readonly string[];
  /** The index to use for a field, by field name. Without it, the query planner reads the brand's rows in order. */
  readonly indexes?: Readonly<Record<string, string | undefined>>;
  /** Whether responses include `createdAt` and `updatedAt`. */
  readonly showsTimes: boolean;
}

/** What a body gives, and the constant defaults: every field but those that are derived or dependent. */
type Given<S extends Shape, R extends keyof S> = Outputs<Omit<S, R>> & Partial<Outputs<Pick<S, R>>>;

/**
 * Defines a collection. All of its operations are derived from this.
 * @template S the fields: one for each column that a body may set. A field without a column is a type error
 * @template D the names of the fields with constant defaults
 * @template R the names of the derived fields
 * @template F the names of the dependent fields
 */
interface Definition<
  T extends CollectionTable,
  S extends FieldsOf<T>,
  D extends keyof S & string,
  R extends keyof S & string,
  F extends keyof S & string,
> extends Omit<UntypedDefinition, 'derive' | 'deriveInPut'> {
  readonly table: T;
  readonly fields: S & Readonly<Record<Exclude<keyof S, keyof FieldsOf<T>>, never>>;
  readonly defaults: { readonly [K in D]: z.output<S[K]> };
  readonly derive?: { readonly [K in R]: (given: Given<S, R | F>) => z.output<S[K]> };
  readonly resetByPut: readonly NoInfer<D>[];
  readonly deriveInPut?: (named: Partial<Outputs<S>>) => Partial<Outputs<S>>;
  readonly unique?: keyof S & string;
  readonly filters: readonly TextOrBooleanName<S>[];
  readonly matches: readonly (keyof S & string)[];
  readonly indexes?: Partial<Record<keyof S & string, string>>;
  readonly dependents?: Dependents & {
    readonly on: keyof S & string;
    readonly ifNull: Readonly<Record<F, SqlValue>>;
  };
  readonly sourceTime?: keyof S & string;
  readonly idIfEmpty?: keyof S & string;
}

/** A definition with everything derived from it. */
export interface Collection<V extends Values = Values>
  extends Description, Omit<SingleResource<V>, keyof Description> {
  readonly table: CollectionTable;
  /** Its path below the base path, which is also its name in the database. */
  readonly path: string;
  readonly nextChange: SQL<number>;
  readonly unique: Field | undefined;
  /** The names of the fields that a POST needs: those without a default. */
  readonly required: readonly string[];
  /** Including `id`. */
  readonly filters: Readonly<Record<string, Field>>;
  /** Including `id`. */
  readonly matches: Readonly<Record<string, Field>>;
  /** What was sent, and the defaults of the other fields, except the dependent ones. */
  readonly postBody: z.ZodMiniType<Values>;
  /** What was sent, and what a PUT makes of some of the other fields. */
  readonly putBody: z.ZodMiniType<Values>;
  readonly patchBody: z.ZodMiniType<Values>;
  /** The schema of a list in its envelope, without its items. */
  readonly envelope: z.ZodMiniType;
}

/** A field by which resources are found. */
export interface Field {
  readonly name: string;
  /** The rule of a value other than null. */
  readonly rule: z.core.$ZodType;
  readonly column: Column;
  /** The index to use. If undefined, the planner uses a key, or reads the brand's rows. */
  readonly index: string | undefined;
}

/** The maximum number of writable fields: a statement of D1 has at most 100 parameters, and each field of a PUT is one. */
export const MAX_FIELDS = 80;

/**
 * Declares a collection.
 * @throws Error if it has a field without a column, too many fields, or one with a name that statements use
 */
export function defineCollection<
  T extends CollectionTable,
  S extends FieldsOf<T>,
  D extends keyof S & string,
  R extends keyof S & string = never,
  F extends keyof S & string = never,
>(path: string, definition: Definition<T, S, D, R, F>): Collection<Outputs<S>>;
export function defineCollection(path: string, definition: UntypedDefinition): Collection {
  const {
    noun,
    keys,
    table,
    fields,
    unique,
    filters,
    matches,
    indexes = {},
    showsTimes,
  } = definition;
  const { id, createdAt, updatedAt } = table;
  const writable = columnsOf(fields, getTableColumns(table));
  const count = Object.keys(writable).length;
  if (count > MAX_FIELDS) {
    throw new Error(`A collection can have ${MAX_FIELDS} fields, and ${path} has ${count}.`);
  }
  for (const name of SELECTED_BESIDES) {
    if (Object.hasOwn(writable, name)) throw new Error(`A field cannot be named ${name}.`);
  }
  const visible = { id, ...writable, ...(showsTimes && { createdAt, updatedAt }) };
  const field = (name: string): Field => ({
    name,
    rule: withoutNull(requireEntry(fields, name)),
    column: requireEntry(writable, name),
    index: indexes[name],
  });
  const byName = (found: readonly Field[]): Readonly<Record<string, Field>> =>
    Object.fromEntries(found.map((one) => [one.name, one]));
  const error = expected(`the id of a ${noun.toLowerCase()}`);
  const idField: Field = {
    name: 'id',
    rule: z.string({ error }).check(z.refine(isId, { error })),
    column: id,
    index: undefined,
  };
  return {
    ...definition,
    path,
    writable,
    visible,
    isMine: (one) => mine(table, eq(id, one)),
    toBody: (row) => ({ [keys.one]: decode(visible, row) }),
    nextChange: sql`1 + ${newestChange({ table, path }, table.brandId)}`,
    unique: unique === undefined ? undefined : field(unique),
    filters: byName([idField, ...filters.map(field)]),
    matches: byName([idField, ...matches.map(field)]),
    ...bodiesOf(definition),
    envelope: envelopeOf(keys.many),
  };
}

/** Returns the schemas of the bodies of a resource, and the names of the fields that a POST needs. */
function bodiesOf({
  fields,
  defaults,
  derive = {},
  resetByPut,
  deriveInPut,
  dependents,
}: UntypedDefinition): Pick<Collection, 'required' | 'postBody' | 'putBody' | 'patchBody'> {
  const dependent = dependents?.ifNull ?? {};
  const optional = Object.keys({ ...defaults, ...derive, ...dependent });
  const constants = Object.fromEntries(
    Object.entries(defaults).filter(([name]) => !(name in dependent)),
  );
  const body = wholeBody(fields, optional);
  const reset = Object.fromEntries(resetByPut.map((name) => [name, defaults[name]]));
  return {
    required: Object.keys(fields).filter((name) => !optional.includes(name)),
    postBody: z.pipe(
      body,
      z.transform((sent) => {
        const given: Values = { ...constants, ...sent };
        const derived: Record<string, unknown> = {};
        for (const [name, valueFrom] of Object.entries(derive)) derived[name] = valueFrom(given);
        return { ...derived, ...given };
      }),
    ),
    putBody: z.pipe(
      body,
      z.transform((sent) => ({ ...reset, ...deriveInPut?.(sent), ...sent })),
    ),
    patchBody: patchBody(fields),
  };
}
