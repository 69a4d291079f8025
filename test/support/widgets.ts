import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Collection } from '../../src/collection/collection.ts';
import { defineCollection } from '../../src/collection/collection.ts';
import { collectionColumns } from '../../src/db/tables.ts';
import { count } from '../../src/fields/scalars.ts';
import { singleLineText } from '../../src/fields/text.ts';
import { collections } from '../../src/resources/registry.ts';

// Everything that a third collection needs: a table, a migration, a resource, and a line in the registry.

const table = sqliteTable('widgets', {
  ...collectionColumns,
  name: text().notNull(),
  size: integer().notNull(),
  label: text().notNull(),
  colour: text(),
});

/** Things that only a test has. */
export const widgets = defineCollection('widgets', {
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
    size: count(0),
    /** What is printed on it. @default The name. @example "GEAR" */
    label: singleLineText(1, 20),
    /** What it looks like. @example "red" */
    colour: z.nullable(singleLineText(3, 20)),
  },
  defaults: { size: 5, colour: null },
  derive: { label: ({ name }) => name },
  resetByPut: ['size'],
  unique: 'name',
  filters: ['name', 'colour'],
  matches: ['name'],
  showsTimes: true,
});

/** The registry with the third collection. */
export const collectionsWithWidgets: readonly Collection[] = [...collections, widgets];

/**
 * The migration of the third collection. Unlike a real one, it has no `on delete cascade`, so that a test can check who
 * deletes a brand's rows.
 */
export const widgetMigration = {
  name: '0001_widgets.sql',
  queries: [
    `create table widgets (
      brand_id       text not null references brands (id),
      id             text not null check (length(id) = 36),
      revision       text not null check (length(revision) = 36),
      created_at     text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
      updated_at     text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
      change_number  integer not null check (change_number > 0),

      name           text not null collate nocase,
      size           integer not null,
      label          text not null,
      colour         text,

      primary key (brand_id, id),
      unique (brand_id, name)
    ) strict, without rowid`,
    'create index widgets_by_change on widgets (brand_id, change_number)',
  ],
};
