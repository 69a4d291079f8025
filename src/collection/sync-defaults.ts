import type { Values } from '../db/columns.ts';
import { WRITE_TIME } from '../db/guarded-update.ts';

/** The sync metadata that follows from whether a record of the store is linked. */
export function syncDefaults(storeId: string | null): Values {
  return storeId === null
    ? { syncStatus: 'NOT_LINKED', lastSyncedAt: null }
    : { syncStatus: 'SYNCED', lastSyncedAt: WRITE_TIME };
}
