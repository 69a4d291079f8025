/** The sync fields of a resource that is linked to a record of the store at this time. */
export function linkedAt<T>(time: T): { readonly syncStatus: 'SYNCED'; readonly lastSyncedAt: T } {
  return { syncStatus: 'SYNCED', lastSyncedAt: time };
}

/** The same of a resource that is not linked. */
export const NOT_LINKED = { syncStatus: 'NOT_LINKED', lastSyncedAt: null };
