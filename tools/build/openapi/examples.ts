import { brandMark, encodeToken } from '../../../src/collection/list/change-token.ts';
import type { Described, DescribedCollection } from './described.ts';

// One consistent set of examples, built from the examples of the fields.

const at = '2026-01-31T09:30:00.000Z';
const times = { createdAt: at, updatedAt: at };

/** An entity tag. */
export const TAG = '"01941f29-7c00-7000-8000-000000000009"';

/** A bookmark of D1. */
export const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';

/** The id of the resource that examples show. */
export const ID = '01941f29-7c00-7000-8000-000000000001';

/** The id of a resource that was deleted. */
export const DELETED_ID = '01941f29-7c00-7000-8000-000000000002';

/** An example of any value. */
export type Example = Readonly<Record<string, unknown>>;

/** A token of `since`. */
export function token({ collection }: DescribedCollection): string {
  return encodeToken(collection, { brand: brandMark(ID), after: 71, deletionsAfter: 71 });
}

/** All writable fields. */
export function writable({ fields }: Described): Example {
  return Object.fromEntries(fields.map(({ name, example }) => [name, example]));
}

/** A resource as it is shown. */
export function resource(described: DescribedCollection): Example {
  return {
    id: ID,
    ...writable(described),
    ...('createdAt' in described.collection.shown && times),
  };
}

/** The profile as it is shown. */
export function profile(brand: Described, connection: Described): Example {
  return { brand: { ...writable(brand), ...times }, connection: writable(connection) };
}

/** The fields that a POST requires, and those that a push can match by. */
export function input(described: DescribedCollection): Example {
  const { matches } = described.collection;
  return pick(described, ({ name, isRequired }) => isRequired || name in matches);
}

/** An item of a push that deletes what it matches. */
export function deletion(described: DescribedCollection): Example {
  const [match] = Object.keys(described.collection.matches).filter((name) => name !== 'id');
  return { ...pick(described, ({ name }) => name === match), deleted: true };
}

/** One field to change: one that a POST requires and that is not unique. */
export function patch(described: DescribedCollection): Example {
  const { unique } = described.collection;
  const changed = described.fields.findLast(
    ({ name, isRequired }) => isRequired && name !== unique?.name,
  );
  return pick(described, ({ name }) => name === (changed ?? described.fields[0])?.name);
}

function pick(
  { fields }: Described,
  isWanted: (field: Described['fields'][number]) => boolean,
): Example {
  return Object.fromEntries(fields.filter(isWanted).map(({ name, example }) => [name, example]));
}
