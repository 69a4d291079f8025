// What other programs of this project use of the operator's tool.

export { ACTIONS } from './audit.ts';
export { createBrand } from './brands.ts';
export type { ConfiguredDatabase } from './configuration.ts';
export { NO_ID, readConfiguration } from './configuration.ts';
export type { OpenDatabase } from './open-database.ts';
export { databaseOn } from './open-database.ts';
export { FINGERPRINT } from './export/fingerprint.ts';
export { exportParts, FORMAT, PROFILE } from './export/parts.ts';
export { issueKey } from './keys.ts';
export { readMigrations, THROW_AWAY } from './migrations.ts';
