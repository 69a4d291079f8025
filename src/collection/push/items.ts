import * as z from 'zod/mini';
import type { Values } from '../../db/columns.ts';
import type { SqlValue } from '../../db/statement.ts';
import { InvalidRequest, MAX_PROBLEMS } from '../../errors.ts';
import { expected } from '../../fields/expected.ts';
import { resource } from '../../fields/schema.ts';
import { hasMember, memberOf } from '../../http/member.ts';
import { ProblemList } from '../../http/validation.ts';
import type { Collection, Field } from '../collection.ts';
import { newId } from '../identifier.ts';
import { itemsOf, repeatsOf } from '../list-body.ts';
import { storedValues } from '../row.ts';
import type { Refusal } from './refusal.ts';
import { problemsOf } from './refusal.ts';

/** An item as it is sent to the database. Values are as their columns store them, by the names of the fields. */
export interface SentItem {
  /** Its place among the items that are sent, and in the plan. */
  readonly place: number;
  /** What it does, besides changing a resource that it matches. */
  readonly kind: 'changes' | 'creates' | 'deletes';
  readonly matchValue: string;
  /** The id of the resource that it creates, if it creates one. */
  readonly newId: string;
  /** The values that it names. */
  readonly set: Readonly<Record<string, SqlValue>>;
  /** The values of the other fields in a new resource. */
  readonly defaults: Readonly<Record<string, SqlValue>>;
}

/** A push item that passed validation. */
export interface PushItem {
  /** Its place in the request, for errors. */
  readonly index: number;
  readonly sent: SentItem;
  /** The fields that it lacks to create a resource. */
  readonly missing: readonly string[];
  /** The value that it sets the unique field to. */
  readonly newUnique: string | undefined;
}

/** The member that makes an item a deletion. */
const DELETED = 'deleted';

/**
 * Returns a function that reads the items of a push in their envelope. It validates each once: as a deletion, as a POST if
 * it could create a resource, and otherwise as a PATCH, which has the same problems, because only a required field is
 * missing. It refuses items whose match value or unique value occurs in an earlier one.
 * @throws InvalidRequest if the envelope is wrong, with the problems of the items too
 */
export function itemReader(
  collection: Collection,
  match: Field,
): (body: unknown) => readonly (PushItem | Refusal)[] {
  const { unique, required, postBody, patchBody } = collection;
  const deletion = deletionOf(collection, match.name);

  return (body) => {
    const envelopeProblems = new ProblemList();
    const sent = itemsOf(collection, body, envelopeProblems);
    const repeatOfMatch = repeatsOf(collection, match);
    const repeatOfUnique = unique && unique.name !== match.name && repeatsOf(collection, unique);
    // The error names 100 problems across all items, and one for each further item, which bounds the response.
    let unlistedRoom = MAX_PROBLEMS;
    let accepted = 0;

    const items = sent.map((item, index): PushItem | Refusal => {
      const deletes = memberOf(item, DELETED) !== undefined;
      const missing = required.filter((name) => !hasMember(item, name));
      const creates = !deletes && match.name !== 'id' && missing.length === 0;
      const problems = new ProblemList('', Math.max(1, unlistedRoom));
      const id = newId();
      const schema = deletes ? deletion : creates ? postBody : patchBody;
      const newValues = storedValues(collection, problems.check(schema, item) ?? {}, id);
      unlistedRoom -= problems.listed.length;

      const matchValue = readMatchValue(match, item, problems);
      // An item that is refused for another reason still reserves its values.
      const repeatedMatch = matchValue === undefined ? undefined : repeatOfMatch(item, index);
      const repeatedUnique = deletes || !repeatOfUnique ? undefined : repeatOfUnique(item, index);
      const repeated = repeatedMatch ?? repeatedUnique;
      if (repeated) problems.listed.push(repeated);
      const given = unique && !deletes && z.safeParse(unique.rule, memberOf(item, unique.name));
      const newUnique = given && given.success ? String(given.data) : undefined;

      if (matchValue === undefined || problems.listed.length > 0) {
        return { problems: problems.listed, unlisted: problems.unlisted };
      }
      const set: Record<string, SqlValue> = {};
      const defaults: Record<string, SqlValue> = {};
      for (const [name, value] of Object.entries(newValues)) {
        (hasMember(item, name) ? set : defaults)[name] = value;
      }
      return {
        index,
        sent: {
          place: accepted++,
          kind: deletes ? 'deletes' : creates ? 'creates' : 'changes',
          matchValue,
          newId: id,
          set,
          defaults,
        },
        missing: match.name === 'id' ? [] : missing,
        newUnique,
      };
    });
    if (envelopeProblems.listed.length > 0) {
      const { problems, unlisted } = problemsOf(collection, items);
      throw new InvalidRequest(
        [...envelopeProblems.listed, ...problems],
        envelopeProblems.unlisted + unlisted,
      );
    }
    return items;
  };
}

/** The schema of a deletion: the match field and the time of the change at the source, as in a PATCH. */
function deletionOf({ fields, sourceTime }: Collection, match: string): z.ZodMiniType<Values> {
  const error = expected('true');
  const kept = Object.entries(fields).filter(([name]) => name === match || name === sourceTime);
  const shape = {
    ...Object.fromEntries(kept.map(([name, field]) => [name, z.optional(field)] as const)),
    [DELETED]: z.boolean({ error }).check(z.refine(Boolean, { error })),
  };
  return resource(shape, 'unknown field of a deletion');
}

/** Returns an item's match value as it is stored, or adds what is wrong with it, unless that is known. */
function readMatchValue(
  { name, rule }: Field,
  item: unknown,
  problems: ProblemList,
): string | undefined {
  const sent = memberOf(item, name);
  const { success, data, error } = z.safeParse(rule, sent);
  if (success) return String(data);
  // Without a path: the item is no object.
  if (problems.listed.some(({ path }) => path === '' || path === name)) return undefined;
  if (sent !== null) problems.add(error.issues, [name]);
  else {
    const message = 'expected a value other than null: it finds the resource';
    problems.listed.push({ path: name, message });
  }
  return undefined;
}
