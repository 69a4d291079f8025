import type { FieldRows } from '../fields/row.ts';
import type { ModelFields } from '../model-fields.ts';
import { TimeOfWrite } from '../model-fields.ts';

/** Fields of a resource, as they are sent or shown. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A collection as the tests know it: everything that differs from one collection to another. It is written down and not
 * read from `src`, so that a test sees if the service says something else.
 */
export interface TestCollection {
  /** Below the base path, such as `/products`. */
  readonly path: string;
  readonly table: string;
  /** What errors call one, such as `Product`. */
  readonly noun: string;
  /** The name of the id in the paths of the document. */
  readonly idParameter: string;
  /** The member of an answer that holds one resource. */
  readonly one: string;
  /** The member of a body or an answer that holds a list. */
  readonly many: string;
  /** The member with the id, in the answer to a DELETE. */
  readonly deleted: string;
  /** The member with the ids of what was deleted, in a list of changes. */
  readonly deletedMany: string;
  /** Whether `createdAt` and `updatedAt` are shown. */
  readonly showsTimes: boolean;

  /** What a POST needs and nothing else. Two numbers give two resources that can stand side by side. */
  readonly bare: (n: number) => Fields;
  /** The writable fields. Their defaults are what they become if a POST is `bare(1)`. */
  readonly fields: FieldRows;
  /** A value for every writable field, each another than its default. */
  readonly full: Fields;
  /** What the fields become that `bare(1)` leaves out. */
  readonly defaults: Fields;
  /** The fields that a PUT resets to their defaults if it leaves them out. It keeps the other ones that may be left out. */
  readonly resetByPut: readonly string[];
  /** What else a PUT sets that names these fields. */
  readonly alsoPut?: (named: Fields) => Fields;
  /** The field that links a resource to the store, and what other fields are by its value, at creation and when that begins or ends. */
  readonly link?: { readonly field: string; readonly dependents: (storeId: unknown) => Fields };
  /** The fields by which a push finds resources, besides `id`, and a value of each for a number. */
  readonly values: Readonly<Record<string, (n: number) => string>>;
  /** The one of them by which tests find a resource again: any short text of capitals. It is a filter of lists too. */
  readonly key: string;
  /** Whether no two resources of a brand have the same key, whatever its case. */
  readonly isUnique: boolean;
  /** A field that takes any short text. Nothing else depends on it, and no push finds resources by it. */
  readonly note: string;
  /** The field with the time of the last change at the source; undefined if it has none. */
  readonly sourceTime: string | undefined;
  /** The fields that the fuzzer sends, with their rules. */
  readonly model: ModelFields;
}

/** What a POST needs, with this key. */
export function keyed({ bare, key }: TestCollection, value: string): Fields {
  return { ...bare(1), [key]: value };
}

/** What a POST needs, unlike all others with another text. */
export function distinct(of: TestCollection, text: string): Fields {
  return of.isUnique ? keyed(of, text) : of.bare(1);
}

/** The sync fields of a resource that is linked to the store, or not. */
export function syncFields(storeId: unknown): Fields {
  return storeId === null
    ? { syncStatus: 'NOT_LINKED', lastSyncedAt: null }
    : { syncStatus: 'SYNCED', lastSyncedAt: new TimeOfWrite() };
}

/** What a PUT makes of the fields that it leaves out. */
export function leftOutOfPut({ defaults, resetByPut }: TestCollection): Fields {
  return Object.fromEntries(resetByPut.map((name) => [name, defaults[name]]));
}
