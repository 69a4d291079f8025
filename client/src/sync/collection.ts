import type { CallOptions } from '../abort.ts';
import type { ChangeOptions, CollectionNames, Tagged } from '../resource.ts';
import type { Transport } from '../transport.ts';

/** What a sync needs of a collection. */
export interface SyncCollection {
  readonly transport: Transport;
  readonly names: CollectionNames;
  list(filters?: object, options?: CallOptions): AsyncIterable<{ readonly id?: unknown }>;
  get(id: string, options?: CallOptions): Promise<Tagged<object>>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
}
