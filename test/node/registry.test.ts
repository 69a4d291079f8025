import { expect, test } from 'vitest';
import { collections } from '../../src/resources/registry.ts';

// What only files show of a registered collection. The tests that need a table of collections compare theirs themselves.

// The SQL of creations and pushes names these itself, beside the columns: a column of the same name would be mixed up
// with it, without an error.
const OWN_NAMES = [
  'place',
  'n',
  'v',
  'mark',
  'sets',
  'creates',
  'matches',
  'old_id',
  'old_revision',
  'taken',
  'differs',
  'is_refused',
  'long_length',
  'found',
];

test.each(collections)('the columns of $path have no name that SQL uses itself', ({ writable }) => {
  const names = Object.values(writable).map(({ name }) => name);
  expect(
    names.filter((name) => OWN_NAMES.includes(name)),
    'in src/db/tables.ts, give the column another name',
  ).toEqual([]);
});
