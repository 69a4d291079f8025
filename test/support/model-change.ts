import type { TestCollection } from './collections/collection.ts';
import { leftOutOfPut } from './collections/collection.ts';
import type { Fields } from './model-fields.ts';
import { read, requiredOf } from './model-fields.ts';

// What a PUT, a PATCH and an item of a push change, written a second time in the plainest way.

/** The fields that a PUT sets; undefined if one of them breaks a rule. */
export function readPut(of: TestCollection, body: unknown): Fields | undefined {
  const named = read(of.model, body, true);
  if (named === undefined || requiredOf(of.model).some((name) => !(name in named)))
    return undefined;
  return { ...leftOutOfPut(of), ...of.alsoPut?.(named), ...named };
}

/** A resource after a change that sets these fields. */
export function changed(of: TestCollection, before: Fields, set: Fields): Fields {
  return { ...before, ...dependents(of, before, set), ...set };
}

/** The fields that depend on the link, if it begins or ends. */
function dependents(of: TestCollection, before: Fields, set: Fields): Fields {
  const { link } = of;
  if (!link || !(link.field in set)) return {};
  const value = set[link.field];
  return (before[link.field] !== null) === (value !== null) ? {} : link.dependents(value);
}
