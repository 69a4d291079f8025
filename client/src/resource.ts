import type { CallOptions } from './abort.ts';
import type { ClientResponse } from './transport.ts';

/**
 * A resource with its entity tag. Send the tag back unchanged. Do not compare tags as strings: the same revision may
 * have a strong tag in one response and a weak one (`W/`) in another, because a proxy compressed it.
 */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string;
}

/** The options of a change. */
export interface ChangeOptions extends CallOptions {
  /** The entity tag of the representation that you read. If the resource has changed since, the error is 412. */
  readonly ifMatch?: string | undefined;
}

/** Returns the headers of a change. */
export function changeHeaders({ ifMatch }: ChangeOptions): Record<string, string> {
  return ifMatch === undefined ? {} : { 'If-Match': ifMatch };
}

/** Returns the resource of a response, without its envelope if it has one. */
export function tagged<T>({ body, headers }: ClientResponse, envelope?: string): Tagged<T> {
  const data = envelope === undefined ? declared<T>(body) : member<T>(body, envelope);
  return { data, etag: headers.get('ETag') ?? '' };
}

/** Returns a member of an envelope, with the type that the OpenAPI document declares. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as `declared`
export function member<T>(body: unknown, envelope: string): T {
  return declared<T>(
    typeof body === 'object' && body !== null ? Reflect.get(body, envelope) : body,
  );
}

/**
 * Returns a body with the type that the OpenAPI document declares. The service's tests validate every response against
 * that document, so the client does not validate again, which keeps it small.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function declared<T>(body: unknown): T {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return body as T;
}
