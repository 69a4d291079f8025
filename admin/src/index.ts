// What other programs of this project use of the operator's tool.

export { ACTIONS } from './audit.ts';
export { createBrand } from './brand/brands.ts';
export type { ConfiguredDatabase } from './database/configuration.ts';
export { NO_ID, readConfiguration } from './database/configuration.ts';
export type { OpenDatabase } from './database/open-database.ts';
export { databaseOn } from './database/open-database.ts';
export { FINGERPRINT } from './export/fingerprint.ts';
export { exportParts, FORMAT, PROFILE } from './export/parts.ts';
export { readMigrations, THROW_AWAY } from './database/migrations.ts';
