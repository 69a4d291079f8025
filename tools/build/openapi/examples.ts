import { encodeToken } from '../../../src/collection/list/change-token.ts';
import { checksum } from '../../../src/hash.ts';
import type { Described, DescribedCollection, DescribedField } from './described.ts';

// One consistent set of examples, built from the examples of the fields.

const at = '2026-01-31T09:30:00.000Z';
const times = { createdAt: at, updatedAt: at };

export const TAG = '"01941f29-7c00-7000-8000-000000000009"';
export const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';
export const ID = '01941f29-7c00-7000-8000-000000000001';
export const DELETED_ID = '01941f29-7c00-7000-8000-000000000002';

type Example = Readonly<Record<string, unknown>>;

/** A token of `since`. */
export function token({ collection }: DescribedCollection): string {
  return encodeToken(collection, { brand: checksum(ID), after: 71, deletionsAfter: 71 });
}

/** All writable fields, or those that are wanted. */
export function writable(
  { fields }: Described,
  isWanted: (field: DescribedField) => boolean = () => true,
): Example {
  return Object.fromEntries(fields.filter(isWanted).map(({ name, example }) => [name, example]));
}

/** A resource as it is shown. */
export function resource(described: DescribedCollection): Example {
  const { visible } = described.collection;
  return { id: ID, ...writable(described), ...('createdAt' in visible && times) };
}

/** The profile as it is shown. */
export function profile(brand: Described, connection: Described): Example {
  return { brand: { ...writable(brand), ...times }, connection: writable(connection) };
}

/** The fields that a POST requires, and those that a push can match by. */
export function input(described: DescribedCollection): Example {
  const { matches } = described.collection;
  return writable(described, ({ name, isRequired }) => isRequired || name in matches);
}

/** An item of a push that deletes what it matches. */
export function deletion(described: DescribedCollection): Example {
  const match = Object.keys(described.collection.matches).find((name) => name !== 'id');
  return { ...writable(described, ({ name }) => name === match), deleted: true };
}

/** One field to change: one that a POST requires and that is not unique. */
export function patch(described: DescribedCollection): Example {
  const { fields, collection } = described;
  const changed = fields.findLast(
    ({ name, isRequired }) => isRequired && name !== collection.unique?.name,
  );
  return writable(described, (field) => field === (changed ?? fields[0]));
}
