import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { collections } from '../../src/resources/registry.ts';

// What only files show of a registered collection. The tests that need a table of collections compare theirs themselves.

test.each(collections)('the fields of $path have a file of tests', async ({ path }) => {
  const files = (await readdir('test')).filter((name) => name.endsWith('-fields.test.ts'));
  const texts = await Promise.all(files.map((name) => readFile(`test/${name}`, 'utf8')));
  expect(
    texts.filter((text) => text.includes(`collectionTarget('/${path}')`)),
    `create a file in test like coupon-code-fields.test.ts, with collectionTarget('/${path}')`,
  ).toHaveLength(1);
});

// The SQL of creations and pushes names these itself, beside the columns: a column of the same name would be mixed up
// with it, without an error.
const OWN_NAMES = [
  ...['place', 'n', 'v', 'mark', 'sets', 'creates', 'matches', 'old_id', 'old_revision', 'taken'],
  ...['differs', 'is_refused', 'long_length', 'found'],
];

test.each(collections)('the columns of $path have no name that SQL uses itself', ({ writable }) => {
  const names = Object.values(writable).map(({ name }) => name);
  expect(
    names.filter((name) => OWN_NAMES.includes(name)),
    'in src/db/tables.ts, give the column another name',
  ).toEqual([]);
});
