import * as z from 'zod/mini';
import type { Values } from '../../db/columns.ts';
import { encodeValue, requireEntry } from '../../db/columns.ts';
import type { SqlValue } from '../../db/statement.ts';
import type { Problem } from '../../errors.ts';
import { MAX_PROBLEMS } from '../../errors.ts';
import { expected } from '../../fields/expected.ts';
import { isRequired, resource, withoutDefault, withoutNull } from '../../fields/schema.ts';
import { isObject, memberOf } from '../../http/body.ts';
import { ProblemList } from '../../http/validation.ts';
import type { Collection } from '../collection.ts';
import { isId, newId } from '../identifier.ts';

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
  /** The id of the resource that the item creates, if it creates one. */
  readonly candidateId: string;
  /** The values that the item sets, by field name, as their columns store them. */
  readonly named: Readonly<Record<string, SqlValue>>;
  /** The values of the other fields in a new resource; undefined if the item cannot create one. */
  readonly defaults: Readonly<Record<string, SqlValue>> | undefined;
  /** Why the item cannot create a resource; undefined if no item of the push can. */
  readonly missing: readonly Problem[] | undefined;
  /** The value that it sets the unique field to. */
  readonly unique: string | undefined;
  /** Whether it deletes the resource that it matches. */
  readonly deletes: boolean;
}

/** The items of a push in order, each validated or already refused. */
export type ReadItems = readonly (PushItem | Refusal)[];

/** Whether an item was refused by validation, before the database call. */
export function isRefusal(item: PushItem | Refusal): item is Refusal {
  return 'problems' in item;
}

/**
 * Reads the items of a push: validates each once, as a deletion, as a POST if it could create a resource, and otherwise as
 * a PATCH, and refuses items whose match value occurs in an earlier item.
 * @param match the field that items match by. If there is no such field, no item is accepted, and only its other problems
 * are found.
 */
export function readItems(
  collection: Collection,
  match: string,
  sent: readonly unknown[],
): ReadItems {
  const { keys, unique, fields } = collection;
  const seenValues = new Map<string, number>();
  const seenUniques = new Set<string>();
  // The error names 100 problems across all items, and one for each further item, which bounds the response.
  let toName = MAX_PROBLEMS;
  const required =
    match === 'id'
      ? undefined
      : Object.keys(fields).filter((name) => isRequired(requireEntry(fields, name)));
  const deletion = deletionOf(collection, match);
  return sent.map((item, index) => {
    const { value, problem } = readValue(collection, match, item);
    const key = match === unique?.name ? value?.toLowerCase() : value;
    const before = key === undefined ? undefined : seenValues.get(key);
    // An item that is refused for another reason still reserves its value.
    if (key !== undefined && before === undefined) seenValues.set(key, index);

    const deletes = memberOf(item, DELETED) !== undefined;
    const noun = deletes ? 'field of a deletion' : 'field';
    const checked = new ProblemList({ noun, root: '' }, Math.max(1, toName));
    const candidateId = newId();
    const values = deletes
      ? checkDeletion(collection, checked, deletion, item)
      : checkItem(collection, checked, required, item, candidateId);
    toName -= checked.listed.length;
    const found = [...checked.listed];
    if (problem && !found.some(({ path }) => path === match)) found.push(problem);
    if (value !== undefined && before !== undefined) {
      found.push({
        path: match,
        message: `${keys.many}.${before} has the value ${JSON.stringify(value)} too`,
      });
    }
    const newUnique = deletes ? undefined : uniqueValue(collection, item);
    const isTaken = newUnique !== undefined && seenUniques.has(newUnique.toLowerCase());
    if (newUnique !== undefined) seenUniques.add(newUnique.toLowerCase());
    if (values === undefined || value === undefined || found.length > 0) {
      return { problems: found, unlisted: checked.unlisted };
    }

    if (isTaken) return takenRefusal(collection, newUnique);
    return { value, candidateId, ...values, unique: newUnique, deletes };
  });
}

/** Returns the refusal of an item whose unique value belongs to another resource. */
export function takenRefusal({ noun, unique }: Collection, value: string): Refusal {
  const message = `${noun} ${JSON.stringify(value)} already exists`;
  return {
    problems: [{ path: unique?.name ?? '', message }],
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
  const sent = memberOf(item, match);
  const problem = (message: string): { readonly problem: Problem } => ({
    problem: { path: match, message },
  });
  if (sent === undefined) return problem('required');
  if (sent === null) return problem('expected a value other than null: it finds the resource');
  const rule = matches[match]?.rule;
  if (rule === undefined) {
    const isGood = typeof sent === 'string' && isId(sent);
    return isGood ? { value: sent } : problem(`expected the id of a ${noun.toLowerCase()}`);
  }
  const parsed = z.safeParse(withoutNull(rule), sent);
  return parsed.success ? { value: String(parsed.data) } : problem('expected another value');
}

/** What an item sets the unique field to; undefined if it does not name it, or names no good value. */
function uniqueValue({ unique }: Collection, item: unknown): string | undefined {
  if (!unique) return undefined;
  const parsed = z.safeParse(withoutNull(unique.rule), memberOf(item, unique.name));
  return parsed.success ? String(parsed.data) : undefined;
}

/**
 * Validates an item, and encodes its values. An item that could create a resource is validated as a POST, the others as
 * a PATCH. A PATCH would have the same problems, because such an item lacks no required field.
 * @param required the fields that a new resource needs; undefined if items cannot create one
 */
function checkItem(
  { postBody, patchBody, writable }: Collection,
  problems: ProblemList,
  required: readonly string[] | undefined,
  item: unknown,
  candidateId: string,
): Pick<PushItem, 'named' | 'defaults' | 'missing'> | undefined {
  const missing = required?.filter((name) => memberOf(item, name) === undefined);
  const isNew = missing?.length === 0;
  const values = problems.check(isNew ? postBody : patchBody, item)?.(candidateId);
  if (values === undefined) return undefined;
  const named: Record<string, SqlValue> = {};
  const defaults: Record<string, SqlValue> = {};
  for (const [field, column] of Object.entries(writable)) {
    if (!Object.hasOwn(values, field)) continue;
    const row = memberOf(item, field) === undefined ? defaults : named;
    row[field] = encodeValue(column, values[field]);
  }
  return {
    named,
    defaults: isNew ? defaults : undefined,
    missing: missing?.map((path) => ({ path, message: 'required' })),
  };
}

/** The member that makes an item a deletion. */
const DELETED = 'deleted';

/** The schema of a deletion: the match field and the time of the change at the source, as in a PATCH. */
function deletionOf({ fields, sourceTime }: Collection, match: string): z.ZodMiniType<Values> {
  const kept = Object.entries(fields).filter(([name]) => name === match || name === sourceTime);
  return resource({
    ...Object.fromEntries(
      kept.map(([name, field]) => [name, z.optional(withoutDefault(field))] as const),
    ),
    [DELETED]: z
      .boolean({ error: expected('true') })
      .check(z.refine(Boolean, { error: expected('true') })),
  });
}

function checkDeletion(
  { writable, sourceTime }: Collection,
  problems: ProblemList,
  deletion: z.ZodMiniType<Values>,
  item: unknown,
): Pick<PushItem, 'named' | 'defaults' | 'missing'> | undefined {
  const values = problems.check(deletion, item);
  if (values === undefined) return undefined;
  const named: Record<string, SqlValue> = {};
  if (sourceTime !== undefined && values[sourceTime] !== undefined) {
    named[sourceTime] = encodeValue(requireEntry(writable, sourceTime), values[sourceTime]);
  }
  return { named, defaults: undefined, missing: undefined };
}
