import type { CallOptions } from './abort.ts';
import { strange } from './error.ts';
import type { CollectionName } from './fields.ts';
import type { ClientResponse, Transport } from './transport.ts';
import { declared, memberOf } from './json.ts';

/** The path of a collection, and the keys of its envelopes. */
export interface CollectionNames {
  readonly path: CollectionName;
  readonly one: string;
  readonly many: string;
  readonly deletedMany: string;
}

/**
 * A resource with its entity tag. Send the tag back unchanged. Do not compare tags as strings: the same revision may
 * have a strong tag in one response and a weak one (`W/`) in another, because a proxy compressed it.
 */
export interface Tagged<T> {
  readonly data: T;
  /** Empty if a proxy has removed it. As `ifMatch`, it is then refused. */
  readonly etag: string;
}

export interface ChangeOptions extends CallOptions {
  /** The entity tag of the representation that you read. If the resource has changed since, the error is 412. */
  readonly ifMatch?: string | undefined;
}

export function changeHeaders({ ifMatch }: ChangeOptions): Record<string, string> {
  return ifMatch === undefined ? {} : { 'If-Match': ifMatch };
}

export async function sendFields(
  transport: Transport,
  method: 'PUT' | 'PATCH',
  path: string,
  fields: unknown,
  options: ChangeOptions,
): Promise<ClientResponse> {
  const headers = changeHeaders(options);
  return transport.send({ method, path, body: JSON.stringify(fields), headers }, options);
}

export function tagged<T>({ headers }: ClientResponse, data: T): Tagged<T> {
  return { data, etag: headers.get('ETag') ?? '' };
}

type Kind = 'object' | 'string' | 'boolean';

function isOfKind(kind: Kind, value: unknown): boolean {
  return typeof value === kind && value !== null && !Array.isArray(value);
}

/**
 * Returns a member of a response, with the type that the OpenAPI document declares.
 * @throws BrandApiError if there is none: then something other than the service answered, and nothing was done
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as `declared`
export function member<T>(response: ClientResponse, name: string, kind: Kind): T {
  const value = memberOf(response.body, name);
  if (!isOfKind(kind, value)) throw strange(response, `no ${name}`);
  return declared<T>(value);
}

/** Returns a list in a response, of members of a kind. @throws as `member` */
export function listMember<T>(response: ClientResponse, name: string, kind: Kind = 'object'): T[] {
  const value = memberOf(response.body, name);
  if (!Array.isArray(value) || !value.every((one) => isOfKind(kind, one))) {
    throw strange(response, `no list of ${name}`);
  }
  return declared<T[]>(value);
}
