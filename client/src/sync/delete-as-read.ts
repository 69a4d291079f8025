import type { CallOptions } from '../abort.ts';
import { wait } from '../abort.ts';
import { BrandApiError } from '../error.ts';
import type { ChangeOptions, Tagged } from '../resource.ts';
import type { Missing } from './service.ts';

/** How often one resource is tried. */
const TRIES = 5;

/** The pause before the second try, in milliseconds. It doubles with each further try. */
const FIRST_PAUSE = 250;

/** After these errors of the service the resource is read again: it was changed, or the service was unavailable. */
const REPEATED: ReadonlySet<number | undefined> = new Set([412, 503]);

/** What a deletion needs of a collection. */
export interface Deleting {
  get(id: string, options?: CallOptions): Promise<Tagged<object>>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/**
 * Deletes a resource, unless somebody has changed it since it was read. The client does not repeat a deletion with
 * `If-Match` by itself, so it is read again after each failure.
 * @returns whether it is gone
 * @throws BrandApiError, or the reason of the signal
 */
export async function deleteAsRead(
  collection: Deleting,
  { id, text }: Missing,
  options: CallOptions,
): Promise<boolean> {
  const signals = options.signal === undefined ? [] : [options.signal];
  for (let tried = 1; ; tried++) {
    try {
      const { data, etag } = await collection.get(id, options);
      if (JSON.stringify(data) !== text) return false;
      await collection.delete(id, { ...options, ifMatch: etag });
      return true;
    } catch (error) {
      if (!(error instanceof BrandApiError)) throw error;
      const { status, isFromService } = error;
      // Somebody else deleted it, or a try whose response was lost.
      if (status === 404 && isFromService) return true;
      // If something else answered, or nothing, it may be deleted or not.
      if (tried === TRIES || (isFromService && !REPEATED.has(status))) throw error;
      await wait(FIRST_PAUSE * 2 ** (tried - 1), signals);
    }
  }
}
