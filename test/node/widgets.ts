import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { defineCollection } from '../../src/collection/collection.ts';
import { count } from '../../src/fields/number.ts';
import { derived, nullable, optional } from '../../src/fields/schema.ts';
import { singleLineText } from '../../src/fields/text.ts';

const table = sqliteTable('widgets', {
  brandId: text('brand_id').notNull(),
  id: text().notNull(),
  revision: text().notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
  changeNumber: integer('change_number').notNull(),
  name: text().notNull(),
  size: integer().notNull(),
  label: text().notNull(),
  colour: text(),
});

/** Things that only a test has. */
export const widgets = defineCollection('widgets', () => ({
  noun: 'Widget',
  idParameter: 'widgetId',
  keys: {
    one: 'widget',
    many: 'widgets',
    deleted: 'deletedWidgetId',
    deletedMany: 'deletedWidgetIds',
  },
  table,
  fields: {
    /** What it is called. @example "Gear" */
    name: singleLineText(1, 20),
    /** How long it is, in millimetres. @example 12 */
    size: optional(count(0), 5),
    /** What is printed on it. @default The name. @example "GEAR" */
    label: derived(singleLineText(1, 20)),
    /** What it looks like. @example null */
    colour: nullable(singleLineText(1, 20)),
  },
  derive: ({ name }) => ({ label: name }),
  unique: 'name',
  filters: ['size'],
  matches: ['name'],
  stamped: [],
  showsTimes: true,
}));
