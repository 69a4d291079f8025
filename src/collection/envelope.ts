import * as z from 'zod/mini';
import { expected } from '../fields/expected.ts';
import { object } from '../fields/schema.ts';

/** The most resources in one request. */
export const MAX_ITEMS = 500;

const what = `a list of 1 to ${MAX_ITEMS} items`;
const error = expected(what);

/** What is wrong with a list that is too long. */
export const WRONG_LENGTH = `expected ${what}`;

/** The schema of a list's envelope: the list under its key and nothing else. Each item is validated separately. */
export function envelopeOf(key: string): z.ZodMiniType {
  const isGood = ({ length }: readonly unknown[]): boolean => length > 0 && length <= MAX_ITEMS;
  return object({ [key]: z.array(z.unknown(), { error }).check(z.refine(isGood, { error })) });
}
