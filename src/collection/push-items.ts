import * as z from 'zod/mini';
import { encode } from '../db/columns.ts';
import type { SqlValue } from '../db/statement.ts';
import type { Problem } from '../errors.ts';
import { MAX_PROBLEMS } from '../errors.ts';
import { withoutNull } from '../fields/schema.ts';
import { ProblemList } from '../http/validation.ts';
import type { Collection } from './collection.ts';
import { member } from './collection.ts';
import { isId, newId } from './identifier.ts';

/** Why an item of a push is refused. */
export interface Refusal {
  readonly problems: readonly Problem[];
  /** How many more problems there are. */
  readonly unlisted?: number;
  /** The value of the unique field that another resource has already, if that is the only reason. */
  readonly taken?: string;
}

/** An item of a push that the database is asked about. */
export interface PushItem {
  /** The value by which it finds its resource, as it was sent and as it is stored. */
  readonly value: string;
  /** A new UUID: the id of the resource if one is created, the new revision if one is changed. */
  readonly mark: string;
  /** The columns that the item names. */
  readonly named: Readonly<Record<string, SqlValue>>;
  /** The columns that it does not name, as a new resource has them; undefined if it cannot be created. */
  readonly defaults: Readonly<Record<string, SqlValue>> | undefined;
  /** Why it cannot be created. */
  readonly missing: readonly Problem[];
  /** What it sets the unique field to. */
  readonly unique: string | undefined;
}

/** The items of a push, in order: each to be asked about, or refused already. */
export type ReadItems = readonly (PushItem | Refusal)[];

/** Whether an item was refused before the database was asked. */
export function isRefusal(item: PushItem | Refusal): item is Refusal {
  return 'problems' in item;
}

/**
 * Reads the items of a push: validates each as a PATCH, works out what a POST of it would add, and refuses one whose
 * value another item has already.
 * @param match the field by which items find their resources
 */
export function readItems(
  collection: Collection,
  match: string,
  sent: readonly unknown[],
): ReadItems {
  const { keys, noun, unique } = collection;
  const seenValues = new Map<string, number>();
  const seenUniques = new Set<string>();
  // 100 problems are named of all items together, and one of each further item: 500 errors are one answer.
  let toName = MAX_PROBLEMS;
  return sent.map((item, index) => {
    const { value, problem } = readValue(collection, match, item);
    const key = match === unique?.field ? value?.toLowerCase() : value;
    const before = key === undefined ? undefined : seenValues.get(key);
    // An item that is refused for another reason still holds its value.
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

/** The refusal of an item whose unique value another resource has. */
export function takenRefusal(noun: string, field: string, value: string): Refusal {
  return {
    problems: [{ path: field, message: `${noun} "${value}" already exists` }],
    taken: value,
  };
}

/** The value by which an item finds its resource, or why it has none. */
function readValue(
  { matches, noun }: Collection,
  match: string,
  item: unknown,
): { readonly value?: string; readonly problem?: Problem } {
  if (!isObject(item)) return {};
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
  const rule = withoutNull(member(fields, unique.field));
  const parsed = z.safeParse(rule, valueIn(item, unique.field));
  return parsed.success ? String(parsed.data) : undefined;
}

function isObject(item: unknown): item is object {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

function valueIn(item: object, name: string): unknown {
  return Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined;
}

/** What a new resource would have besides the columns that the item names, or why there can be none. */
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
