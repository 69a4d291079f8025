import { WRITE_TIME } from '../db/write-time.ts';

/** The sync fields at the creation of a resource that is linked to a record of the store. */
export const LINKED = { syncStatus: 'SYNCED', lastSyncedAt: WRITE_TIME };

/** The same of a resource that is not linked. */
export const NOT_LINKED = { syncStatus: 'NOT_LINKED', lastSyncedAt: null };
