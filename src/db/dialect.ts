import type { SQL } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';

/**
 * How SQLite writes names, parameters and texts, for drizzle's `toQuery`. drizzle's own `SQLiteAsyncDialect` says the same,
 * and brings the builders of queries along that nothing here uses: an eighth of the Worker.
 */
export const sqlite: Parameters<SQL['toQuery']>[0] = {
  casing: new CasingCache(),
  escapeName: (name) => `"${name.replaceAll('"', '""')}"`,
  escapeParam: () => '?',
  escapeString: (text) => `'${text.replaceAll("'", "''")}'`,
};
