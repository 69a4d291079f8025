import type { CallOptions } from './abort.ts';
import type { ClientResponse } from './transport.ts';

/**
 * A resource with its entity tag, to be sent back as it is. Do not compare tags as texts: two responses with the same
 * revision may have a strong tag and a weak one (`W/`), because a proxy compressed one of them.
 */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string;
}

/** What a change may ask for. */
export interface ChangeOptions extends CallOptions {
  /** The entity tag of the representation that you read: error 412 if the resource has changed since. */
  readonly ifMatch?: string | undefined;
}

/** The headers of a change. */
export function changeHeaders({ ifMatch }: ChangeOptions): Record<string, string> {
  return ifMatch === undefined ? {} : { 'If-Match': ifMatch };
}

/** The resource of a response, taken out of its envelope if it has one. */
export function tagged<T>({ body, headers }: ClientResponse, envelope?: string): Tagged<T> {
  const data = envelope === undefined ? declared<T>(body) : member<T>(body, envelope);
  return { data, etag: headers.get('ETag') ?? '' };
}

/** A member of an envelope, by the type that the document declares for it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as `declared`
export function member<T>(body: unknown, envelope: string): T {
  return declared<T>(
    typeof body === 'object' && body !== null ? Reflect.get(body, envelope) : body,
  );
}

/**
 * What the service answered, by the type that its document declares. The service's tests validate every response against
 * that document; a client that checked again would only be larger.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function declared<T>(body: unknown): T {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return body as T;
}
