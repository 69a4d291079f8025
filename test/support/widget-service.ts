import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Service } from './brand.ts';
import { contractOf } from './contract.ts';
import { collectionsWithWidgets, widgetMigration } from './widgets.ts';

/** Starts the service with widgets as a third collection, on a separate database. */
export async function serviceWithWidgets(): Promise<Service> {
  const db = env.DB_WIDGETS;
  await applyD1Migrations(db, env.MIGRATIONS);
  await applyD1Migrations(db, [widgetMigration], 'widget_migrations');
  return {
    app: createApp(collectionsWithWidgets),
    db,
    assertContract: contractOf(inject('widgetDocument')),
  };
}
