import type { CallOptions } from '../abort.ts';
import type { CollectionNames } from '../collection-names.ts';
import type { Pushed, PushOptions, PushResult } from '../push.ts';
import type { ChangeOptions, Tagged } from '../resource.ts';
import type { Transport } from '../transport.ts';

/** What a sync needs of a collection. */
export interface SyncCollection {
  readonly transport: Transport;
  readonly names: CollectionNames;
  get(id: string, options?: CallOptions): Promise<Tagged<object>>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
  /** Lists those of at most 99 resources that were created or changed since a time. */
  changedSince(time: string, ids: readonly string[], options: CallOptions): AsyncIterable<Pushed>;
  push(
    items: readonly object[],
    options: PushOptions<Pushed, string>,
  ): Promise<PushResult<Pushed>[]>;
}
