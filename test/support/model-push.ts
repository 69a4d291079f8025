import * as fc from 'fast-check';
import type { TestCollection } from './collections/collection.ts';
import type { Fields, ModelFields } from './model-fields.ts';
import { changed } from './model-change.ts';
import { clean } from './fields/fuzzed.ts';
import { folded, isShownAs, read, withDerived } from './model-fields.ts';

// What a push must do to each of its items, written a second time in the plainest way.

/** What must become of an item. */
export type Verdict =
  | { readonly status: 'refused'; readonly isTaken: boolean }
  | { readonly status: 'created'; readonly fields: (id: string) => Fields }
  | {
      readonly status: 'updated' | 'unchanged' | 'stale';
      readonly id: string;
      readonly fields: Fields;
    }
  | { readonly status: 'deleted'; readonly id: string }
  /** A deletion that matches nothing. */
  | { readonly status: 'unchanged'; readonly id: null };

const REFUSED: Verdict = { status: 'refused', isTaken: false };
const TAKEN: Verdict = { status: 'refused', isTaken: true };
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A push: the field that items match by, and whether what is out of date does nothing. */
interface Rules {
  readonly match: string;
  readonly ifNewer: boolean;
}

/** Says what must become of each item of a push, in order. */
export function judge(
  of: TestCollection,
  rules: Rules,
  items: readonly unknown[],
  resources: ReadonlyMap<string, Fields>,
): Verdict[] {
  const values = new Set<string>();
  const uniques = new Set<string>();
  const { match } = rules;
  const { isUnique, key, model } = of;
  // What the items before have deleted leaves its unique value to those that follow.
  const left = new Map(resources);
  return items.map((item) => {
    const isDeletion = typeof item === 'object' && item !== null && Object.hasOwn(item, 'deleted');
    // A value is held by the first item that has it, even if that one is refused for another reason.
    const set = isUnique && !isDeletion ? valueOf(of, key, item) : undefined;
    const isTwice = set !== undefined && uniques.has(set);
    if (set !== undefined) uniques.add(set);
    const value = valueOf(of, match, item);
    if (value === undefined) return REFUSED;
    const isRepeated = values.has(value);
    values.add(value);
    const named = read(isDeletion ? deletionModel(of, match) : model, item, true);
    if (named === undefined || isRepeated || isTwice) return REFUSED;
    const verdict = compare(of, rules, { item, value, named, set, isDeletion }, left);
    if (verdict.status === 'deleted') left.delete(verdict.id);
    return verdict;
  });
}

function deletionModel({ model, sourceTime }: TestCollection, match: string): ModelFields {
  const kept = Object.entries(model).filter(([name]) => name === match || name === sourceTime);
  const deleted = {
    drawn: fc.constant(true),
    isGood: (value: unknown) => value === true,
    mayBeNull: false,
  };
  return { ...Object.fromEntries(kept), deleted };
}

interface Item {
  readonly item: unknown;
  readonly value: string;
  readonly named: Fields;
  /** What it sets the unique field to, as it is compared. */
  readonly set: string | undefined;
  readonly isDeletion: boolean;
}

/** Compares a good item with what is there. */
function compare(
  of: TestCollection,
  { match, ifNewer }: Rules,
  { item, value, named, set, isDeletion }: Item,
  resources: ReadonlyMap<string, Fields>,
): Verdict {
  const found = [...resources].filter(
    ([id, fields]) => (match === 'id' ? id : comparable(of, match, fields[match])) === value,
  );
  const [known] = found;
  if (found.length > 1) return REFUSED;
  const isTaken = [...resources].some(
    ([id, fields]) =>
      id !== known?.[0] && set !== undefined && folded(String(fields[of.key])) === set,
  );
  if (known === undefined) {
    if (isDeletion) return { status: 'unchanged', id: null };
    const full = match === 'id' ? undefined : read(of.model, item, false);
    if (full === undefined) return REFUSED;
    return isTaken ? TAKEN : { status: 'created', fields: (id) => withDerived(of.model, full, id) };
  }
  const [id, before] = known;
  if (ifNewer && isOlder(of, named, before)) return { status: 'stale', id, fields: before };
  if (isDeletion) return { status: 'deleted', id };
  if (isTaken) return TAKEN;
  const isChanged = Object.entries(named).some(([name, value]) => !isShownAs(before[name], value));
  return { status: isChanged ? 'updated' : 'unchanged', id, fields: changed(of, before, named) };
}

/** Whether an item is older at its source than a resource. Without two times, nothing is. */
function isOlder({ sourceTime = '' }: TestCollection, named: Fields, before: Fields): boolean {
  const [sent, kept] = [named[sourceTime], before[sourceTime]];
  return (
    typeof sent === 'string' && typeof kept === 'string' && Date.parse(sent) < Date.parse(kept)
  );
}

/** An item's value of a field, as values are compared; undefined if it has none that is good. */
function valueOf(of: TestCollection, field: string, item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const value: unknown = Object.hasOwn(item, field) ? Reflect.get(item, field) : undefined;
  if (typeof value !== 'string') return undefined;
  if (field === 'id') return ID.test(value) ? value : undefined;
  return of.model[field]?.isGood(value) ? comparable(of, field, clean(value)) : undefined;
}

/** A value of a field as a match compares it. */
function comparable({ isUnique, key }: TestCollection, field: string, value: unknown): string {
  return isUnique && field === key ? folded(String(value)) : String(value);
}
