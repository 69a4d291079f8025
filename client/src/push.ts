import type { CallOptions } from './abort.ts';
import { BrandApiError, strange } from './error.ts';
import { checkOptions, expectOption } from './option-rules.ts';
import type { Problem } from './problems.ts';
import { INVALID, problemsIn, problemsText } from './problems.ts';
import { listMember } from './resource.ts';
import { storedKey } from './stored-text.ts';
import type { ClientResponse, Transport } from './transport.ts';
import { declared, jsonText, memberOf } from './json.ts';

const MAX_ITEMS = 500;
const MAX_BYTES = 2 * 1024 * 1024;

/** The maximum length of your own key: the service takes 255 characters, with what is appended. */
const MAX_KEY = 245;

const TOO_LARGE = 413;

/** What a push says of a resource. In a dry run, the id of a new one is null. */
export interface Pushed {
  readonly id: string | null;
}

/** An item of a push: the fields to set, or `deleted: true`, and the field to match by. */
export type PushItem<Patch, Deletion, Match extends string> = {
  // If the field is one of several, an item has any of them.
  [M in Match]: Readonly<Record<M, string>> &
    ((Patch & { readonly deleted?: undefined }) | Deletion);
}[Match];

/** The result of one push item, or, in a dry run, the expected result. */
export type PushResult<T extends Pushed> =
  | {
      /** `stale`: with `ifNewer`, the product is newer at its source, and nothing is done. */
      readonly status: 'created' | 'updated' | 'stale';
      /** Null only in a dry run, for a resource that would be created. */
      readonly id: T['id'];
      /** The resource as it is now; undefined with `minimal`, and in a dry run. */
      readonly resource?: T | undefined;
    }
  | {
      readonly status: 'unchanged';
      /** Null for a deletion that matches none. */
      readonly id: T['id'] | null;
      /** As above; undefined for a deletion. */
      readonly resource?: T | undefined;
    }
  | { readonly status: 'deleted'; readonly id: string }
  | RefusedPush;

/** The result of an item of which nothing is written. */
export interface RefusedPush {
  readonly status: 'refused';
  readonly id: null;
  /** What is wrong, as one text. */
  readonly error: string;
  /** The same, one by one. */
  readonly problems: readonly Problem[];
  /** The place of the earlier item that has the same value, from 0. */
  readonly sameAs?: number;
  /** The item alone is larger than a request may be. */
  readonly isTooLarge?: true;
}

export interface PushProgress<T extends Pushed> {
  /** The number of items that are done, and the total. */
  readonly done: number;
  readonly total: number;
  /** The results of the last request, in order. */
  readonly results: readonly PushResult<T>[];
}

export interface PushOptions<
  T extends Pushed,
  Match extends string,
  DryRun extends boolean = boolean,
  IfNewer extends boolean = boolean,
> extends CallOptions {
  /** The field that items match by. */
  readonly match: Match;
  /** Whether to write the accepted items even if others are refused. */
  readonly lenient?: boolean | undefined;
  /** Whether to report what the push would do, and write nothing. */
  readonly dryRun?: DryRun | undefined;
  /**
   * Whether to ignore items whose `sourceUpdatedAt` is earlier than that of the product that they match: stores deliver
   * events in any order. For products only.
   */
  readonly ifNewer?: IfNewer | undefined;
  /** Whether to omit the resources from the results. */
  readonly minimal?: boolean | undefined;
  /** Called after each request. A promise that it returns is waited for. An error of it ends the push. */
  readonly onProgress?: ((progress: PushProgress<T>) => unknown) | undefined;
  /**
   * Your own `Idempotency-Key`, if another process may repeat the push, of at most 245 characters. The second request
   * appends `-2`, and so on; the halves of the first, if it was too large, `-1.2` and `-1.3`. By default every request
   * has a random key. With null it has none: then a push that changes nothing writes nothing at all, but a retry after a
   * lost response reports what the first try wrote as `unchanged`.
   */
  readonly idempotencyKey?: string | null | undefined;
}

/**
 * Sends the items in as few requests as possible, and returns their results in order.
 * @throws TypeError or RangeError if an option cannot be used; BrandApiError
 */
export async function push<T extends Pushed, Match extends string>(
  transport: Transport,
  { path, many }: { readonly path: string; readonly many: string },
  items: readonly unknown[],
  options: PushOptions<T, Match>,
): Promise<PushResult<T>[]> {
  const { idempotencyKey: base = crypto.randomUUID(), ...others } = options;
  const { match, lenient = false, dryRun, ifNewer, minimal = false, onProgress } = others;
  // Without a field to match by, the request would create every item.
  checkOptions(others, 'match');
  const isKey = base === null || (base.length > 0 && base.length <= MAX_KEY);
  expectOption(isKey, 'idempotencyKey', `1 to ${MAX_KEY} characters`);
  const all: PushResult<T>[] = [];
  const preferences = [lenient && 'handling=lenient', minimal && 'return=minimal'].filter(Boolean);
  let number = 0;

  /** @param part 1 for a whole request; for its halves, their halves and so on, the number in that tree */
  const send = async (texts: readonly string[], part = 1): Promise<PushResult<T>[]> => {
    // By the place of its items, so that a push that is repeated has the same keys, whatever a proxy has refused.
    const suffix = part > 1 ? `-${number}.${part}` : number > 1 ? `-${number}` : '';
    const headers = {
      ...(base !== null && { 'Idempotency-Key': `${base}${suffix}` }),
      ...(preferences.length > 0 && { Prefer: preferences.join(', ') }),
    };
    const body = `{"${many}":[${texts.join()}]}`;
    const query = { match, dryRun, ifNewer };
    try {
      const response = await transport.send({ method: 'POST', path, query, body, headers }, others);
      return resultsIn<T>(response, many, texts.length);
    } catch (error) {
      if (!lenient || !(error instanceof BrandApiError) || !isTooLarge(error)) throw error;
      // One item that is too large must not prevent the others from being written. A proxy may have a lower limit.
      if (texts.length === 1) return [{ ...refused('', error.message), isTooLarge: true }];
      const half = Math.ceil(texts.length / 2);
      return [
        ...(await send(texts.slice(0, half), 2 * part)),
        ...(await send(texts.slice(half), 2 * part + 1)),
      ];
    }
  };

  expectOption(Array.isArray(items), 'items', 'a list');
  const texts = items.map((item, index) => jsonText(item, `item ${index}`));
  const envelope = `{"${many}":[]}`.length;
  // Of one request, the service names every problem. If lenient, a proxy may make several of it.
  const [, second] = requestsOf(texts, envelope);
  const isOne = second === undefined && !lenient;
  const repeats = repeatsIn(isOne ? [] : texts, many, match);
  if (!lenient && repeats.size > 0) {
    const problems = Array.from(repeats, ([index, { message }]) => ({
      path: `${many}.${index}.${match}`,
      message,
    }));
    throw new BrandApiError(`${INVALID}${problemsText(problems)}`, { status: 400, problems });
  }
  const distinct = texts.filter((_, index) => !repeats.has(index));
  for (const request of requestsOf(distinct, envelope)) {
    number++;
    const results = await send(request);
    all.push(...results);
    await onProgress?.({ done: repeats.size + all.length, total: items.length, results });
  }
  for (const [index, { message, sameAs }] of repeats)
    all.splice(index, 0, { ...refused(match, message), sameAs });
  return all;
}

/** Whether fewer items may be accepted: a request is limited in its bytes, and in the objects and lists of its body. */
function isTooLarge({ status, problems }: BrandApiError): boolean {
  // Nothing else can be wrong with the body as a whole.
  const hasTooMany = problems.some(({ path }) => path === 'body');
  return status === TOO_LARGE || (status === 400 && hasTooMany);
}

function refused(path: string, message: string): RefusedPush {
  const problems = [{ path, message }];
  return { id: null, status: 'refused', error: problemsText(problems), problems };
}

/**
 * Returns what is wrong with items that have the value of an earlier one, by their places, in order. The service refuses them too,
 * but sees only one request.
 * @param items as JSON
 */
function repeatsIn(
  items: readonly string[],
  many: string,
  match: string,
): ReadonlyMap<number, { readonly message: string; readonly sameAs: number }> {
  const repeats = new Map<number, { message: string; sameAs: number }>();
  const places = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const value = memberOf(JSON.parse(item), match);
    if (typeof value !== 'string') continue;
    const key = storedKey(value, match);
    const sameAs = places.get(key);
    if (sameAs === undefined) {
      places.set(key, index);
      continue;
    }
    const message = `${many}.${sameAs} has the value ${JSON.stringify(key)} too`;
    repeats.set(index, { message, sameAs });
  }
  return repeats;
}

/**
 * Yields the items of each request, as many as fit. An item that is too large is sent alone.
 * @param items as JSON
 * @param envelope the number of bytes around the items
 */
function* requestsOf(items: readonly string[], envelope: number): Generator<string[], void> {
  const encoder = new TextEncoder();
  let texts: string[] = [];
  let size = envelope;
  for (const text of items) {
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

/** Returns the results of a response, each with its resource. */
function resultsIn<T extends Pushed>(
  response: ClientResponse,
  many: string,
  count: number,
): PushResult<T>[] {
  const results = listMember<PushResult<T>>(response, 'results');
  if (results.length !== count) throw strange(response, `${results.length} of ${count} results`);
  const resources = declared<T[]>(memberOf(response.body, many) ?? []);
  let at = 0;
  return results.map((result) => {
    if (result.status === 'refused') return { ...result, problems: problemsIn(result.error) };
    const resource = resources[at];
    const { id } = result;
    // Deleted resources have none: those that a push deleted, and those deleted before a retry was answered.
    if (resource?.id !== id) return result;
    at++;
    return { ...result, resource };
  });
}
