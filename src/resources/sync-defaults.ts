import type { Values } from '../db/columns.ts';
import { WRITE_TIME } from '../db/write-time.ts';

/** Returns the defaults of the sync fields. They depend on whether a record of the store is linked. */
export function syncDefaults(storeId: string | null): Values {
  return storeId === null
    ? { syncStatus: 'NOT_LINKED', lastSyncedAt: null }
    : { syncStatus: 'SYNCED', lastSyncedAt: WRITE_TIME };
}
