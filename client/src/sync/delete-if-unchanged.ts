import type { CallOptions } from '../abort.ts';
import { BrandApiError } from '../error.ts';
import { retry } from '../retry.ts';
import type { SyncCollection } from './collection.ts';
import type { Missing } from './compare.ts';
import type { SyncResult } from './results.ts';
import { asKept } from './results.ts';

const PRECONDITION_FAILED = 412;

/** After these errors of the service the resource is read again: it was changed, or the service was unavailable. */
const REPEATED: ReadonlySet<number | undefined> = new Set([PRECONDITION_FAILED, 503]);

/**
 * Deletes a resource, unless somebody has changed it since it was read. The client does not repeat a deletion with
 * `If-Match` by itself, so it is read again after each failure.
 * @throws BrandApiError, or the reason of a signal
 */
export async function deleteIfUnchanged(
  collection: SyncCollection,
  missing: Missing,
  options: CallOptions,
): Promise<SyncResult> {
  const { id, text } = missing;
  let isSent = false;
  let mayBeDone = false;
  const attempt = async (): Promise<SyncResult> => {
    isSent = false;
    try {
      const { data, etag } = await collection.get(id, options);
      if (JSON.stringify(data) !== text) return asKept(missing, 'it was changed during the sync');
      isSent = true;
      await collection.delete(id, { ...options, ifMatch: etag });
      return { action: 'delete', missing };
    } catch (error) {
      const isGone = error instanceof BrandApiError && error.status === 404 && error.isFromService;
      if (!isGone) throw error;
      // After a deletion whose response was lost, nobody can tell who deleted it. As a rule, that deletion did.
      return { action: mayBeDone ? 'delete' : 'gone', missing };
    }
  };
  // The client has repeated a read already. If something else answered a deletion, or nothing, it may be done or not.
  const mayHelp = (error: unknown): BrandApiError | false => {
    if (!(error instanceof BrandApiError) || !isSent) return false;
    const { status, isFromService } = error;
    if (isFromService && !REPEATED.has(status)) return false;
    mayBeDone ||= !(isFromService && status === PRECONDITION_FAILED);
    return error;
  };
  return retry(attempt, mayHelp, collection.transport.limits(options));
}
