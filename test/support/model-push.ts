import type { Fields, Kind } from './model-fields.ts';
import { clean, COLLECTIONS, read, uniqueOf, withDerived } from './model-fields.ts';

// What a push must do to each of its items, as section 10 of the contract tells it.

/** What must become of an item. */
export type Verdict =
  | { readonly status: 'refused'; readonly isTaken: boolean }
  | { readonly status: 'created'; readonly fields: (id: string) => Fields }
  | { readonly status: 'updated' | 'unchanged'; readonly id: string; readonly fields: Fields };

const REFUSED: Verdict = { status: 'refused', isTaken: false };
const TAKEN: Verdict = { status: 'refused', isTaken: true };
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Says what must become of each item of a push, in order. */
export function judge(
  kind: Kind,
  match: string,
  items: readonly unknown[],
  resources: ReadonlyMap<string, Fields>,
): Verdict[] {
  const values = new Set<string>();
  const uniques = new Set<string>();
  const unique = uniqueOf(kind) ?? '';
  return items.map((item) => {
    // A value is held by the first item that has it, even if that one is refused for another reason.
    const set = valueOf(kind, unique, item);
    const isTaken = set !== undefined && uniques.has(set);
    if (set !== undefined) uniques.add(set);
    const value = valueOf(kind, match, item);
    if (value === undefined) return REFUSED;
    const isRepeated = values.has(value);
    values.add(value);
    const named = read(kind, item, true);
    if (named === undefined || isRepeated) return REFUSED;
    if (isTaken) return TAKEN;
    return compare(kind, match, { item, value, named, set }, resources);
  });
}

interface Item {
  readonly item: unknown;
  readonly value: string;
  readonly named: Fields;
  /** What it sets the unique field to, as it is compared. */
  readonly set: string | undefined;
}

/** Compares a good item with what is there. */
function compare(
  kind: Kind,
  match: string,
  { item, value, named, set }: Item,
  resources: ReadonlyMap<string, Fields>,
): Verdict {
  const found = [...resources].filter(
    ([id, fields]) => (match === 'id' ? id : comparable(kind, match, fields[match])) === value,
  );
  const [known] = found;
  if (found.length > 1) return REFUSED;
  const isTaken = [...resources].some(
    ([id, fields]) =>
      id !== known?.[0] &&
      set !== undefined &&
      String(fields[uniqueOf(kind) ?? '']).toLowerCase() === set,
  );
  if (known === undefined) {
    const full = match === 'id' ? undefined : read(kind, item, false);
    if (full === undefined) return REFUSED;
    return isTaken ? TAKEN : { status: 'created', fields: (id) => withDerived(kind, full, id) };
  }
  if (isTaken) return TAKEN;
  const [id, before] = known;
  const isChanged = Object.entries(named).some(([name, value]) => before[name] !== value);
  return { status: isChanged ? 'updated' : 'unchanged', id, fields: { ...before, ...named } };
}

/** An item's value of a field, as values are compared; undefined if it has none that is good. */
function valueOf(kind: Kind, field: string, item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const value: unknown = Object.hasOwn(item, field) ? Reflect.get(item, field) : undefined;
  if (typeof value !== 'string') return undefined;
  if (field === 'id') return ID.test(value) ? value : undefined;
  const rules: Readonly<Record<string, (value: unknown) => boolean>> = COLLECTIONS[kind].good;
  return rules[field]?.(value) ? comparable(kind, field, clean(value)) : undefined;
}

/** Unique values are the same whatever their case. */
function comparable(kind: Kind, field: string, value: unknown): string {
  return field === uniqueOf(kind) ? String(value).toLowerCase() : String(value);
}
