import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Collection } from '../collection.ts';
import { checkedRow } from '../list-body.ts';
import type { PushItem } from './items.ts';

// The items of a push and the entries of its plan are JSON arrays: with names, a push of many small items would be twice as
// long. Only this file knows at which position a member is.

/** The first members of an item. The values of the writable fields follow, in their order. */
const ITEM = ['place', 'match_value', 'new_id', 'sets', 'kind'] as const;

/** The members of an entry of a recorded plan. */
const ENTRY = ['place', 'outcome', 'id', 'matches'] as const;

/** What happens to an item, by its number in SQL. The last three are refusals. */
export const OUTCOMES = [
  'unchanged',
  'stale',
  'created',
  'updated',
  'deleted',
  'several',
  'missing',
  'taken',
] as const;
export type PlanOutcome = (typeof OUTCOMES)[number];

export interface PlanEntry {
  /** The place of the item among those that were sent to the database. */
  readonly place: number;
  readonly outcome: number;
  /** The id of the resource that the item matches or, if the plan is recorded, has created. A row has `id` for what it shows. */
  readonly plannedId: string | null;
  /** How many resources it matches. */
  readonly matchCount: number;
}

/** What an item does besides changing a resource. */
const KINDS = ['changes', 'creates', 'deletes'] as const;

/**
 * Returns an item as a JSON array. Its `sets` has a bit for each field that it sets.
 * @throws PayloadTooLarge
 */
export function itemText(collection: Collection, item: PushItem): string {
  const { index, place, kind, matchValue, newId, setFields, newValues } = item;
  const fields = Object.keys(collection.writable);
  const sets = setFields.reduce((bits, field) => bits + 2 ** fields.indexOf(field), 0);
  const members: Readonly<Record<(typeof ITEM)[number], string | number>> = {
    place,
    match_value: matchValue,
    new_id: newId,
    sets,
    kind: KINDS.indexOf(kind),
  };
  return checkedRow(collection, index, [
    ...ITEM.map((name) => members[name]),
    ...fields.map((field) => newValues[field] ?? null),
  ]);
}

/** SQL: a member of an item in JSON. */
export function itemMember(item: SQL, name: (typeof ITEM)[number]): SQL {
  return sql`${item} ->> ${rawInteger(ITEM.indexOf(name))}`;
}

/** SQL: the members of an item in JSON and the values of its fields as columns, the latter under their columns' names. */
export function itemColumns({ writable }: Collection, item: SQL): SQL {
  const names = [...ITEM, ...Object.values(writable).map(({ name }) => name)];
  return jsonColumns(item, names);
}

/** SQL: an entry of a plan in JSON, made of columns with the names of its members. */
export const entryJson = sql`json_array(${sql.raw(ENTRY.join())})`;

/** SQL: a member of an entry in JSON. */
export function entryMember(entry: SQL, name: (typeof ENTRY)[number]): SQL {
  return sql`${entry} ->> ${rawInteger(ENTRY.indexOf(name))}`;
}

/** SQL: the members of an entry in JSON as columns. */
export function entryColumns(entry: SQL): SQL {
  return jsonColumns(entry, ENTRY);
}

function jsonColumns(json: SQL, names: readonly string[]): SQL {
  return sql.join(
    names.map(
      (name, position) => sql`${json} ->> ${rawInteger(position)} as ${sql.identifier(name)}`,
    ),
    sql`, `,
  );
}

/** SQL condition on an `item`: it sets the field. */
export function isSet({ writable }: Collection, field: string): SQL {
  return sql`item.sets & ${rawInteger(2 ** Object.keys(writable).indexOf(field))}`;
}

/** SQL condition on an `item`: it is of this kind. */
export function isOfKind(kind: PushItem['kind']): SQL {
  return sql`item.kind = ${rawInteger(KINDS.indexOf(kind))}`;
}

export function outcomeNumber(name: PlanOutcome): SQL {
  return rawInteger(OUTCOMES.indexOf(name));
}

/** SQL: a number as text: a parameter would be sent with every statement. */
function rawInteger(value: number): SQL {
  return sql.raw(String(value));
}
