import { getTableColumns } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { collectionsWithWidgets } from './fixtures/widgets.ts';
import { TestBrand } from './support/brand.ts';
import { collectionsAndWidgets } from './support/collections.ts';
import { interceptD1 } from './support/intercept-d1.ts';
import { serviceWithWidgets } from './support/widget-service.ts';

// A column that has the name of something else in the SQL of a push would be mixed up with it, without an error.

/** Names that the SQL of a push certainly uses, to see that they are found. */
const CERTAIN = ['item', 'place', 'outcome', 'matches', 'found', 'hit', 'sent', 'planned'];

/** The columns of a collection's table, by the path of the collection. */
const columns = new Map(
  collectionsWithWidgets.map(({ path, table }) => [
    `/${path}`,
    Object.values(getTableColumns(table)).map(({ name }) => name),
  ]),
);

/** The words in the SQL of pushes, with quotes or without, that are no columns of the table that is pushed to. */
const names = new Set<string>();

beforeAll(async () => {
  const service = await serviceWithWidgets();
  const brand = await TestBrand.create('Names', service);
  for (const { path, many, bare, values } of collectionsAndWidgets) {
    const own = new Set(columns.get(path));
    const db = interceptD1(
      service.db,
      (call) => call(),
      (method, [text]) => {
        if (method !== 'prepare') return;
        const words =
          String(text)
            .replaceAll(/'[^']*'/g, '')
            .match(/[a-z_]\w*/gi) ?? [];
        for (const word of words) if (!own.has(word.toLowerCase())) names.add(word.toLowerCase());
      },
    );
    for (const [match, value] of Object.entries(values)) {
      const sent = { ...bare(7), [match]: value(7) };
      for (const items of [[sent], [{ [match]: value(7), deleted: true }]]) {
        const answer = await brand.send(
          'POST',
          `${path}?match=${match}`,
          { [many]: items },
          { db },
        );
        expect(answer.status, answer.text).toBe(200);
      }
    }
  }
});

it('The SQL of a push has names of its own', () => {
  expect(CERTAIN.filter((name) => !names.has(name))).toEqual([]);
});

// Of all collections together: a column that takes such a name hides it in the SQL of its own collection alone.
it.each([...columns])(
  'The SQL of a push uses no name of a column for something else: %s',
  (_, own) => {
    const shared = ['id', 'brand_id', 'revision', 'created_at', 'updated_at', 'change_number'];
    expect(
      own.filter((name) => names.has(name) && !shared.includes(name)),
      'the SQL of src/collection/push uses these names itself: give the columns other names, in the migration and in src/db/tables.ts',
    ).toEqual([]);
  },
);
