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
  return { ...before, ...followed(of, before, set), ...set };
}

/** The fields that follow the link, if it begins or ends. */
function followed(of: TestCollection, before: Fields, set: Fields): Fields {
  const { field = '', follow } = of.link ?? {};
  if (!follow || !(field in set)) return {};
  const isLinked = set[field] !== null;
  return (before[field] !== null) === isLinked ? {} : follow(set[field]);
}
