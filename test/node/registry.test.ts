import { getTableColumns } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Collection } from '../../src/collection/collection.ts';
import { pushStatements } from '../../src/collection/push/statements.ts';
import { collections } from '../../src/resources/registry.ts';
import { collectionsWithWidgets } from '../fixtures/widgets.ts';

// What only files show of a registered collection. The tests that need a table of collections compare theirs themselves.

/** Names that the SQL of a push certainly uses, to see that they are found. */
const CERTAIN = [
  'place',
  'match_value',
  'new_id',
  'sets',
  'kind',
  'outcome',
  'matches',
  'found',
  'hit',
];

/** The texts of all statements of a push that matches by a field. Values are bound later, so none is needed here. */
function textsOf(collection: Collection, match: string): string[] {
  const field = collection.matches[match];
  if (field === undefined) throw new Error(`${collection.path} has no match ${match}.`);
  const { record, upsert, plan, ...others } = pushStatements(collection, field);
  const values = {
    fingerprint: null,
    idempotencyKey: null,
    matchValues: null,
    deletes: null,
    ifNewer: null,
    lenient: null,
    returnsResources: null,
    maxBytes: null,
    ids: null,
    'items.0': null,
  };
  const named = Object.keys(collection.writable);
  return [
    record(1)(values),
    upsert({ count: 1, named })(values),
    plan(1)(values),
    others.leaveTombstones(values),
    others.deleteRows(values),
    others.resourcesById(values),
  ].map(({ text }) => text);
}

/** The words in the SQL of a collection's pushes, with quotes or without, that are no columns of its table. */
function ownNames(collection: Collection): string[] {
  const texts = Object.keys(collection.matches).flatMap((match) => textsOf(collection, match));
  const words = texts.flatMap((text) => text.replaceAll(/'[^']*'/g, '').match(/[a-z_]\w*/gi) ?? []);
  const columns = new Set(Object.values(getTableColumns(collection.table)).map(({ name }) => name));
  return words.map((word) => word.toLowerCase()).filter((word) => !columns.has(word));
}

// Of all collections together: a column that takes such a name hides it in the SQL of its own collection alone.
const names = new Set(collectionsWithWidgets.flatMap(ownNames));

describe('The SQL of a push', () => {
  test('has names of its own', () => {
    expect(CERTAIN.filter((name) => !names.has(name))).toEqual([]);
  });

  // A column of the same name would be mixed up with it, without an error.
  test.each(collections)('uses no name of a field of $path for something else', ({ writable }) => {
    const columns = Object.values(writable).map(({ name }) => name);
    expect(
      columns.filter((name) => names.has(name.toLowerCase())),
      'the SQL of src/collection/push uses these names itself: give the columns other names, in the migration and in src/db/tables.ts',
    ).toEqual([]);
  });
});
