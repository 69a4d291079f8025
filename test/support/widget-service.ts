import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app.ts';
import type { Service } from './brand.ts';
import { standard, TestBrand } from './brand.ts';
import { collections, collectionsAndWidgets } from './collections.ts';
import type { TestCollection } from './collections/collection.ts';
import { operationsWithFixtures } from '../fixtures/operations.ts';
import { collectionsWithWidgets, widgetMigration } from '../fixtures/widgets.ts';

let started: Promise<Service> | undefined;

/** Returns the service with widgets as a third collection, on a separate database. */
export function serviceWithWidgets(): Promise<Service> {
  started ??= start();
  return started;
}

async function start(): Promise<Service> {
  const db = env.DB_WIDGETS;
  await applyD1Migrations(db, env.MIGRATIONS);
  await applyD1Migrations(db, [widgetMigration], 'widget_migrations');
  return {
    app: createApp(operationsWithFixtures(collectionsWithWidgets)),
    collections: collectionsAndWidgets,
    db,
    assertContract: standard.assertContract,
  };
}

export async function brandWith(of: TestCollection, name?: string): Promise<TestBrand> {
  return TestBrand.create(name, collections.includes(of) ? undefined : await serviceWithWidgets());
}
