import { eq, gte, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { change } from '../src/collection/change.ts';
import { defineCollection } from '../src/collection/collection.ts';
import type { Filter } from '../src/collection/list/filters.ts';
import { filtersOf } from '../src/collection/list/filters.ts';
import { SELECTED_BESIDES, shown } from '../src/collection/single-resource.ts';
import { collectionColumns, couponCodes } from '../src/db/tables.ts';
import { boolean, count } from '../src/fields/scalars.ts';
import { singleLineText } from '../src/fields/text.ts';
import { parameterList } from '../src/http/parameters.ts';

const table = sqliteTable('seats', {
  ...collectionColumns,
  code: text().notNull(),
  booked: integer({ mode: 'boolean' }).notNull(),
  row: integer().notNull(),
});

const rest = {
  noun: 'Seat',
  idParameter: 'seatId',
  keys: { one: 'seat', many: 'seats', deleted: 'deletedId', deletedMany: 'deletedIds' },
  table,
  defaults: {},
  resetByPut: [],
  filters: [],
  matches: [],
  showsTimes: false,
} as const;

const fields = { code: singleLineText(1, 64), booked: boolean(), row: count(1) };

// `npm run types` checks the errors that the comments expect.

it('The fields of a collection are those of its table, whatever their order', () => {
  const { code, ...others } = fields;
  const { visible } = defineCollection('seats', { ...rest, fields: { ...others, code } });
  expect(Object.keys(visible).at(-1)).toBe('code');
});

it('The fields of a collection cannot omit a column', () => {
  const { code: _, ...others } = fields;
  // @ts-expect-error -- the column code has no field
  const { visible } = defineCollection('seats', { ...rest, fields: others });
  expect(visible).not.toHaveProperty('code');
});

it('A field of a collection can filter a list only if it is a string or a boolean', () => {
  const seats = defineCollection('seats', {
    ...rest,
    fields,
    filters: [
      'booked',
      'code',
      // @ts-expect-error -- a number
      'row',
    ],
  });
  expect(() => filtersOf(seats)).toThrow('row cannot filter a list: only texts and booleans can.');
});

it('A field of a collection can filter a list only if the list does not use its name itself', () => {
  const names = {
    limit: text(),
    cursor: text(),
    since: text(),
    updatedSince: text(),
    after: text(),
  };
  const { filters } = defineCollection('reserved', {
    ...rest,
    table: sqliteTable('reserved', { ...collectionColumns, ...names }),
    fields: {
      limit: singleLineText(1, 64),
      cursor: singleLineText(1, 64),
      since: singleLineText(1, 64),
      updatedSince: singleLineText(1, 64),
      after: singleLineText(1, 64),
    },
    filters: [
      // @ts-expect-error -- a parameter of every list
      'limit',
      // @ts-expect-error -- a parameter of every list
      'cursor',
      // @ts-expect-error -- a parameter of every list
      'since',
      // @ts-expect-error -- a parameter of every list
      'updatedSince',
      'after',
    ],
  });
  expect(Object.keys(filters)).toHaveLength(6);
});

it('The fields of a collection cannot include one without a column', () => {
  const define = (): unknown =>
    defineCollection('seats', {
      ...rest,
      // @ts-expect-error -- the field colour has no column
      fields: { ...fields, colour: singleLineText(1, 64) },
    });
  expect(define).toThrow('There is no entry colour.');
});

it.each([
  [80, undefined],
  [81, 'A collection can have 80 fields, and wide has 81.'],
])('The definition of a collection fails for more than 80 fields: %d', (count, error) => {
  const names = Array.from({ length: count }, (_, index) => `field${index}`);
  const define = (): unknown =>
    defineCollection('wide', {
      ...rest,
      table: sqliteTable('wide', {
        ...collectionColumns,
        ...Object.fromEntries(names.map((name) => [name, text()])),
      }),
      // @ts-expect-error -- no type knows these names
      fields: Object.fromEntries(names.map((name) => [name, singleLineText(1, 64)])),
    });
  if (error === undefined) expect(define).not.toThrow();
  else expect(define).toThrow(error);
});

it('A change names fields, with values that their rules can give', () => {
  const changeSeat = change(defineCollection('seats', { ...rest, fields }));
  const changes: Parameters<typeof changeSeat>[2][] = [
    { row: 2, booked: true },
    // @ts-expect-error -- a typing error
    { rwo: 2 },
    // @ts-expect-error -- its field is a number
    { row: '2' },
  ];
  expect([changeSeat, ...changes]).toHaveLength(4);
});

it('A PUT can reset a field only to a constant default', () => {
  const of = { ...rest, fields, defaults: { code: 'A1' } };
  const one = defineCollection('seats', { ...of, resetByPut: ['code'] });
  // @ts-expect-error -- booked has no default
  const other = defineCollection('seats', { ...of, resetByPut: ['booked'] });
  expect([one, other].map(({ resetByPut }) => resetByPut)).toEqual([['code'], ['booked']]);
});

it('The defaults of the fields have types that their rules accept', () => {
  const { required } = defineCollection('seats', {
    ...rest,
    fields,
    defaults: {
      // @ts-expect-error -- its field is a text
      code: 1,
    },
    derive: { row: ({ code }) => code.length },
  });
  expect(required).toEqual(['booked']);
});

it.each(SELECTED_BESIDES)(
  'A field cannot have the name of what statements select besides: %s',
  (name) => {
    const define = (): unknown =>
      defineCollection('reserved', {
        ...rest,
        table: sqliteTable('reserved', { ...collectionColumns, [name]: text() }),
        // @ts-expect-error -- no type knows this name
        fields: { [name]: singleLineText(1, 64) },
      });
    expect(define).toThrow(`A field cannot be named ${name}.`);
  },
);

it('A field is not overwritten by what a statement selects besides', () => {
  // @ts-expect-error -- a field may have the name
  const selected = shown({ code: table.code }, { code: sql`1` });
  expect(Object.keys(selected)).toEqual(['code']);
});

it('A filter with a condition of its own takes one value', () => {
  // @ts-expect-error -- its parameter has several values
  const filter: Filter = {
    column: table.row,
    parameter: parameterList(singleLineText(1, 64)),
    condition: (row) => gte(table.row, row),
  };
  expect(filter.index).toBeUndefined();
});

it('A column of a status is compared only with its values', () => {
  // @ts-expect-error -- a typing error
  const conditions = [eq(couponCodes.syncStatus, 'SYNCED'), eq(couponCodes.syncStatus, 'SINCED')];
  expect(conditions).toHaveLength(2);
});
