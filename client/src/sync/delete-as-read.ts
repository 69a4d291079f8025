import type { CallOptions } from '../abort.ts';
import { wait } from '../abort.ts';
import { BrandApiError } from '../error.ts';
import type { SyncCollection } from './collection.ts';
import type { Missing } from './compare.ts';
import type { SyncResult } from './results.ts';
import { kept } from './results.ts';

/** How often one resource is tried. */
const TRIES = 5;

/** The pause before the second try, in milliseconds. It doubles with each further try. */
const FIRST_PAUSE = 250;

const PRECONDITION_FAILED = 412;

/** After these errors of the service the resource is read again: it was changed, or the service was unavailable. */
const REPEATED: ReadonlySet<number | undefined> = new Set([PRECONDITION_FAILED, 503]);

/**
 * Deletes a resource, unless somebody has changed it since it was read. The client does not repeat a deletion with
 * `If-Match` by itself, so it is read again after each failure.
 * @throws BrandApiError, or the reason of a signal
 */
export async function deleteAsRead(
  collection: SyncCollection,
  missing: Missing,
  options: CallOptions,
  signals: readonly AbortSignal[],
): Promise<SyncResult> {
  const { id, text } = missing;
  let mayBeDone = false;
  for (let tried = 1; ; tried++) {
    let isSent = false;
    try {
      const { data, etag } = await collection.get(id, options);
      if (JSON.stringify(data) !== text) return kept(missing, 'it was changed during the sync');
      isSent = true;
      await collection.delete(id, { ...options, ifMatch: etag });
      return { action: 'delete', missing };
    } catch (error) {
      if (!(error instanceof BrandApiError)) throw error;
      const { status, isFromService } = error;
      // After a deletion whose response was lost, nobody can tell who deleted it. As a rule, that deletion did.
      if (status === 404 && isFromService)
        return { action: mayBeDone ? 'delete' : 'gone', missing };
      // If something else answered, or nothing, it may be deleted or not.
      if (tried === TRIES || (isFromService && !REPEATED.has(status))) throw error;
      mayBeDone ||= isSent && !(isFromService && status === PRECONDITION_FAILED);
      await wait(FIRST_PAUSE * 2 ** (tried - 1), signals);
    }
  }
}
