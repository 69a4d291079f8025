import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createApp } from '../src/app.ts';
import { defineCollection, MAX_FIELDS } from '../src/collection/collection.ts';
import { collectionRoutes } from '../src/collection/routes.ts';
import { collectionColumns } from '../src/db/tables.ts';
import { singleLineText } from '../src/fields/text.ts';
import { resourceOf, resourcesOf, standard, TestBrand } from './support/brand.ts';

// A collection of as many fields as can be: D1 allows 100 parameters for a statement, and 100 columns for a table.

const names = Array.from({ length: MAX_FIELDS }, (_, index) => `field${index}`);
const dependents = names.slice(-3);

const wide = defineCollection('wide', {
  noun: 'Wide',
  idParameter: 'wideId',
  keys: { one: 'wide', many: 'wides', deleted: 'deletedWideId', deletedMany: 'deletedWideIds' },
  table: sqliteTable('wide', {
    ...collectionColumns,
    ...Object.fromEntries(names.map((name) => [name, text()])),
  }),
  // @ts-expect-error -- no type knows these names
  fields: Object.fromEntries(names.map((name) => [name, z.nullable(singleLineText(1, 64))])),
  defaults: Object.fromEntries(names.map((name) => [name, null])),
  resetByPut: [],
  dependents: {
    on: 'field0',
    ifSet: () => Object.fromEntries(dependents.map((name) => [name, 'set'])),
    ifNull: Object.fromEntries(dependents.map((name) => [name, 'unset'])),
  },
  unique: 'field1',
  filters: [],
  matches: ['field1'],
  showsTimes: false,
});

const service = {
  ...standard,
  app: createApp([collectionRoutes(wide)]),
  db: env.DB_WIDGETS,
  assertContract: () => undefined,
};

beforeAll(async () => {
  await applyD1Migrations(env.DB_WIDGETS, env.MIGRATIONS);
  const columns = ['brand_id', 'id', 'revision', 'created_at', 'updated_at', ...names];
  await env.DB_WIDGETS.prepare(
    `create table wide (${columns.map((name) => `${name} text`).join()}, change_number integer, primary key (brand_id, id)) without rowid`,
  ).run();
  await env.DB_WIDGETS.prepare(
    'create index wide_by_change on wide (brand_id, change_number)',
  ).run();
});

afterAll(async () => {
  await env.DB_WIDGETS.prepare('drop table wide').run();
});

const all = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, value]));

it('All fields of the widest collection are written by each operation', async () => {
  const brand = await TestBrand.create('Wide', service);
  const { id } = await brand.create('/wide', all('a'));
  const item = `/wide/${id}`;
  for (const method of ['PUT', 'PATCH']) {
    expect(resourceOf(await brand.send(method, item, all(method)))).toEqual({ id, ...all(method) });
  }
  // The dependent fields are set by SQL of their own.
  const named = names.slice(0, -dependents.length);
  const values = Object.fromEntries(named.map((name) => [name, name === 'field0' ? null : 'x']));
  const unlinked = resourceOf(await brand.send('PATCH', item, values));
  expect(dependents.map((name) => unlinked[name])).toEqual(dependents.map(() => 'unset'));
  const answer = await brand.send('POST', '/wide?match=field1', {
    wides: [{ ...all('y'), field1: 'x' }],
  });
  expect(resourcesOf(answer)).toEqual([{ id, ...all('y'), field1: 'x' }]);
});
