import * as z from 'zod/mini';
import { encode } from '../db/columns.ts';
import type { SqlValue } from '../db/statement.ts';
import type { Problem } from '../errors.ts';
import { MAX_PROBLEMS } from '../errors.ts';
import { withoutNull } from '../fields/schema.ts';
import { ProblemList } from '../http/validation.ts';
import type { Collection } from './collection.ts';
import { requireEntry } from './collection.ts';
import { isId, newId } from './identifier.ts';

/** Why a push item is refused. */
export interface Refusal {
  readonly problems: readonly Problem[];
  /** The number of further problems. */
  readonly unlisted?: number;
  /** The value of the unique field, if the only reason is that another resource has it. */
  readonly taken?: string;
}

/** A push item that passed validation and goes to the database. */
export interface PushItem {
  /** The value of the match field, as it is stored. */
  readonly value: string;
  /** A new UUID: the id of a created resource, or the new revision of an updated one. */
  readonly mark: string;
  /** The values that the item sets, by column name. */
  readonly named: Readonly<Record<string, SqlValue>>;
  /** The values of the other columns in a new resource; undefined if the item cannot create one. */
  readonly defaults: Readonly<Record<string, SqlValue>> | undefined;
  /** Why the item cannot create a resource. */
  readonly missing: readonly Problem[];
  /** The value that it sets the unique field to. */
  readonly unique: string | undefined;
}

/** The items of a push in order, each validated or already refused. */
export type ReadItems = readonly (PushItem | Refusal)[];

/** Whether an item was refused by validation, before the database call. */
export function isRefusal(item: PushItem | Refusal): item is Refusal {
  return 'problems' in item;
}

/**
 * Reads the items of a push: validates each as a PATCH, computes the defaults that a POST would add, and refuses items
 * whose match value occurs in an earlier item.
 * @param match the field that items match by. If there is no such field, no item is accepted, and only its other problems
 * are found.
 */
export function readItems(
  collection: Collection,
  match: string,
  sent: readonly unknown[],
): ReadItems {
  const { keys, noun, unique } = collection;
  const seenValues = new Map<string, number>();
  const seenUniques = new Set<string>();
  // The error names 100 problems across all items, and one for each further item, which bounds the response.
  let toName = MAX_PROBLEMS;
  return sent.map((item, index) => {
    const { value, problem } = readValue(collection, match, item);
    const key = match === unique?.field ? value?.toLowerCase() : value;
    const before = key === undefined ? undefined : seenValues.get(key);
    // An item that is refused for another reason still reserves its value.
    if (key !== undefined && before === undefined) seenValues.set(key, index);

    const checked = new ProblemList({ root: '', most: Math.max(1, toName) });
    const patch = checked.check(collection.patch, item);
    toName -= checked.listed.length;
    const found = [...checked.listed];
    if (problem && !found.some(({ path }) => path === match)) found.push(problem);
    if (value !== undefined && before !== undefined) {
      found.push({ path: match, message: `${keys.many}.${before} has the value "${value}" too` });
    }
    const newUnique = uniqueValue(collection, item);
    const isTaken = newUnique !== undefined && seenUniques.has(newUnique.toLowerCase());
    if (newUnique !== undefined) seenUniques.add(newUnique.toLowerCase());
    if (patch === undefined || value === undefined || found.length > 0) {
      return { problems: found, unlisted: checked.unlisted };
    }

    if (unique && isTaken) return takenRefusal(noun, unique.field, newUnique);
    const mark = newId();
    const named = encode(collection.writable, patch);
    return {
      value,
      mark,
      named,
      ...creation(collection, match, item, mark, named),
      unique: newUnique,
    };
  });
}

/** Returns the refusal of an item whose unique value belongs to another resource. */
export function takenRefusal(noun: string, field: string, value: string): Refusal {
  return {
    problems: [{ path: field, message: `${noun} "${value}" already exists` }],
    taken: value,
  };
}

/** Returns an item's match value, or the problem with it. */
function readValue(
  { matches, noun }: Collection,
  match: string,
  item: unknown,
): { readonly value?: string; readonly problem?: Problem } {
  if (!isObject(item) || !Object.hasOwn(matches, match)) return {};
  const sent = valueIn(item, match);
  const problem = (message: string): { readonly problem: Problem } => ({
    problem: { path: match, message },
  });
  if (sent === undefined) return problem('required');
  if (sent === null) return problem('expected a value other than null: it finds the resource');
  const rule = matches[match];
  if (rule?.field === undefined) {
    const isGood = typeof sent === 'string' && isId(sent);
    return isGood ? { value: sent } : problem(`expected the id of a ${noun.toLowerCase()}`);
  }
  const parsed = z.safeParse(rule.field, sent);
  return parsed.success ? { value: String(parsed.data) } : problem('expected another value');
}

/** What an item sets the unique field to; undefined if it does not name it, or names no good value. */
function uniqueValue({ unique, fields }: Collection, item: unknown): string | undefined {
  if (!unique || !isObject(item)) return undefined;
  const rule = withoutNull(requireEntry(fields, unique.field));
  const parsed = z.safeParse(rule, valueIn(item, unique.field));
  return parsed.success ? String(parsed.data) : undefined;
}

function isObject(item: unknown): item is object {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

function valueIn(item: object, name: string): unknown {
  return Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined;
}

/** Returns the defaults of a new resource besides the item's own values, or why the item cannot create one. */
function creation(
  { full, writable }: Collection,
  match: string,
  item: unknown,
  mark: string,
  named: PushItem['named'],
): Pick<PushItem, 'defaults' | 'missing'> {
  if (match === 'id') {
    return { defaults: undefined, missing: [] };
  }
  const problems = new ProblemList({ root: '' });
  const complete = problems.check(full, item);
  if (complete === undefined) return { defaults: undefined, missing: problems.listed };
  const all = Object.entries(encode(writable, complete(mark)));
  return {
    defaults: Object.fromEntries(all.filter(([name]) => !Object.hasOwn(named, name))),
    missing: [],
  };
}
