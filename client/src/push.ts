import type { CallOptions } from './abort.ts';
import type { CollectionNames } from './collection.ts';
import { BrandApiError } from './error.ts';
import { member } from './resource.ts';
import type { Transport } from './transport.ts';

/** The most items that a request may hold. */
const MAX_ITEMS = 500;

/** The most bytes that a request may hold. */
const MAX_BYTES = 2 * 1024 * 1024;

const TOO_LARGE = 413;

/** What a push gives of a resource. Of a preview, what is not settled yet is null, as the id of a new resource is. */
export interface Pushed {
  readonly id: string | null;
}

/** What happened to an item of a push, or would happen. */
export type PushResult<T extends Pushed> =
  | {
      readonly status: 'created' | 'updated' | 'unchanged';
      /** Null only in a dry run, for a resource that would be created. */
      readonly id: T['id'];
      /** The resource as it is now, or as a dry run shows it; undefined with `minimal`. */
      readonly resource?: T | undefined;
    }
  | { readonly status: 'refused'; readonly id: null; readonly error: string };

/** How far a push is. */
export interface PushProgress<T extends Pushed> {
  /** How many items are done, of how many. */
  readonly done: number;
  readonly total: number;
  /** The results of the request that was just answered, in order. */
  readonly results: readonly PushResult<T>[];
}

/** What a push may ask for. */
export interface PushOptions<
  T extends Pushed,
  Match extends string,
  DryRun extends boolean = boolean,
> extends CallOptions {
  /** The field by which items find their resources. */
  readonly match: Match;
  /** Whether to do what is not refused, even if some items are refused. */
  readonly lenient?: boolean | undefined;
  /** Whether to report what the push would do, and write nothing. */
  readonly dryRun?: DryRun | undefined;
  /** Whether to leave the resources out of the results. */
  readonly minimal?: boolean | undefined;
  /** Called after each request. An error that it throws ends the push. */
  readonly onProgress?: ((progress: PushProgress<T>) => void) | undefined;
  /**
   * Your own `Idempotency-Key`, if another process may repeat the push. The second request gets `-2` at its end, and so
   * on. By default every request has a random one.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Sends the items in as many requests as it takes. */
export async function push<T extends Pushed, Match extends string>(
  transport: Transport,
  { path, many }: CollectionNames,
  items: readonly unknown[],
  options: PushOptions<T, Match>,
): Promise<PushResult<T>[]> {
  const { match, lenient = false, dryRun, minimal = false, onProgress, idempotencyKey } = options;
  const all: PushResult<T>[] = [];
  const preferences = [
    ...(lenient ? ['handling=lenient'] : []),
    ...(minimal ? ['return=minimal'] : []),
  ];
  const base = idempotencyKey ?? crypto.randomUUID();
  let sent = 0;

  const send = async (texts: readonly string[]): Promise<PushResult<T>[]> => {
    const key = ++sent === 1 ? base : `${base}-${sent}`;
    const headers = {
      'Idempotency-Key': key,
      ...(preferences.length > 0 && { Prefer: preferences.join(', ') }),
    };
    const body = `{"${many}":[${texts.join()}]}`;
    const query = { match, dryRun };
    try {
      const response = await transport.send(
        { method: 'POST', path, query, body, headers },
        options,
      );
      return resultsIn<T>(response.body, many);
    } catch (error) {
      if (!lenient || !(error instanceof BrandApiError) || error.status !== TOO_LARGE) throw error;
      // One item that is too large must not keep the others out.
      if (texts.length === 1) return [{ id: null, status: 'refused', error: error.message }];
      const half = Math.ceil(texts.length / 2);
      return [...(await send(texts.slice(0, half))), ...(await send(texts.slice(half)))];
    }
  };

  for (const texts of requestsOf(items, `{"${many}":[]}`.length)) {
    const results = await send(texts);
    all.push(...results);
    onProgress?.({ done: all.length, total: items.length, results });
  }
  return all;
}

/**
 * The items as JSON texts, as many to a request as it may hold. An item is never split: one that is too large goes alone.
 * @param envelope the bytes around the items
 */
function* requestsOf(items: readonly unknown[], envelope: number): Generator<string[], void> {
  const encoder = new TextEncoder();
  let texts: string[] = [];
  let size = envelope;
  for (const item of items) {
    const text = JSON.stringify(item);
    const bytes = encoder.encode(text).byteLength + 1;
    if (texts.length > 0 && (texts.length === MAX_ITEMS || size + bytes > MAX_BYTES)) {
      yield texts;
      texts = [];
      size = envelope;
    }
    texts.push(text);
    size += bytes;
  }
  if (texts.length > 0) yield texts;
}

/** The results of a response, each with its resource. */
function resultsIn<T extends Pushed>(body: unknown, many: string): PushResult<T>[] {
  const resources = member<T[] | undefined>(body, many) ?? [];
  let at = 0;
  return member<PushResult<T>[]>(body, 'results').map((result) => {
    const resource = resources[at];
    // Some have none: what is refused, and what was deleted before a retry was answered.
    if (result.status === 'refused' || resource?.id !== result.id) return result;
    at++;
    return { ...result, resource };
  });
}
