import { ProblemList } from '../http/validation.ts';
import type { Collection, CompleteWithDefaults } from './collection.ts';

/**
 * Validates a list of resources in its envelope.
 * @throws InvalidRequest with the problems of the envelope and of every item
 */
export function validateList(
  { keys, envelope, list, full }: Collection,
  body: object,
): CompleteWithDefaults[] {
  const problems = new ProblemList();
  problems.check(envelope, body);
  const sent = problems.check(list, Reflect.get(body, keys.many), [keys.many]) ?? [];
  const items: CompleteWithDefaults[] = [];
  // One by one: z.array passes the issues of all items as arguments of one call, and 100,000 overflow the stack.
  for (const [index, value] of sent.entries()) {
    const item = problems.check(full, value, [keys.many, index]);
    if (item !== undefined) items.push(item);
  }
  problems.refuse();
  return items;
}
