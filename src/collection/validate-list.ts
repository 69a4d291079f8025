import * as z from 'zod/mini';
import { expected } from '../fields/expected.ts';
import { isObject, memberOf } from '../http/body.ts';
import { ProblemList } from '../http/validation.ts';
import type { Collection, FieldsToSet } from './collection.ts';
import { MAX_ITEMS } from './collection.ts';

/** A list that is not too long. Each item is validated separately. */
const error = expected(`a list of 1 to ${MAX_ITEMS} items`);
const list = z.array(z.unknown(), { error }).check(
  z.maxLength(MAX_ITEMS, { error }),
  z.refine(({ length }) => length > 0, { error }),
);

/**
 * Returns the items of a list in its envelope, and adds the problems of the envelope and of the list's length. The list is
 * empty if it is invalid.
 */
export function itemsOf(
  { keys, envelope }: Collection,
  body: unknown,
  problems: ProblemList,
): readonly unknown[] {
  const sent = isObject(body) ? problems.check(list, memberOf(body, keys.many), [keys.many]) : [];
  problems.check(envelope, body);
  return sent ?? [];
}

/**
 * Validates a list of resources in its envelope.
 * @throws InvalidRequest with the problems of the envelope and of every item
 */
export function validateList(collection: Collection, body: unknown): FieldsToSet[] {
  const { keys, postBody } = collection;
  const problems = new ProblemList();
  const sent = itemsOf(collection, body, problems);
  const items: FieldsToSet[] = [];
  // One by one: z.array passes the issues of all items as arguments of one call, and 100,000 overflow the stack.
  for (const [index, value] of sent.entries()) {
    const item = problems.check(postBody, value, [keys.many, index]);
    if (item !== undefined) items.push(item);
  }
  problems.refuse();
  return items;
}
