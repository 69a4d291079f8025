import type { CallOptions } from './abort.ts';
import { strange } from './error.ts';
import { expectOption } from './option-rules.ts';
import type { Pushed, PushItem, PushOptions, PushResult } from './push.ts';
import type { ChangeOptions, CollectionNames, Tagged } from './resource.ts';
import { changeHeaders, listMember, member, sendFields, tagged } from './resource.ts';
import type { SyncOptions } from './sync/options.ts';
import type { SyncPlan, SyncReport } from './sync/report.ts';
import type { ClientRequest, ClientResponse, Transport } from './transport.ts';

const LARGEST_PAGE = 250;

/** Items, which may arrive one by one. */
export type Items<T> = Iterable<T> | AsyncIterable<T>;

export interface CreateOptions extends CallOptions {
  /** Your own `Idempotency-Key`, if another process may repeat the request. */
  readonly idempotencyKey?: string | undefined;
}

export interface ListOptions extends CallOptions {
  /** The maximum number of resources per page: 1 to 250, by default 250. */
  readonly limit?: number | undefined;
}

export interface FollowOptions extends CallOptions {
  /** The token of the last page that you applied; by default `0`, the beginning. */
  readonly since?: string | undefined;
  /** The maximum number of resources and ids per page: 1 to 250, by default 250. */
  readonly limit?: number | undefined;
}

export interface ChangesPage<T> {
  /** Each changed resource, as it is now. */
  readonly changed: T[];
  readonly deleted: string[];
  /** The token to continue from. Store it once you have applied the page. */
  readonly since: string;
}

/** The types of a collection. */
export interface CollectionTypes {
  readonly resource: Pushed;
  readonly input: unknown;
  readonly replacement: unknown;
  readonly patch: unknown;
  readonly deletion: { readonly deleted: true };
  readonly filters: object;
  /** The fields by which a push can match. */
  readonly match: string;
}

/** The operations on a collection. Each throws BrandApiError if the service rejects the request. */
export class Collection<Of extends CollectionTypes> {
  /** @internal */
  readonly transport: Transport;
  /** @internal */
  readonly names: CollectionNames;

  constructor(transport: Transport, names: CollectionNames) {
    this.transport = transport;
    this.names = names;
  }

  /** Lists all resources that match, oldest first. Pages are read as they are needed. */
  async *list(
    filters?: Of['filters'],
    options: ListOptions = {},
  ): AsyncGenerator<Of['resource'], void> {
    const { limit = LARGEST_PAGE } = options;
    for await (const page of this.#pages({ ...filters, limit }, options)) {
      yield* listMember<Of['resource']>(page, this.names.many);
    }
  }

  /**
   * Reads what changed since a token, page by page: apply a page, store its token, take the next one. After the last
   * page you have exactly the service's resources. There is always at least one page; start the next poll from the
   * token of the last one. Error 410 means that the token is too old, or that a backup was restored: load everything
   * again without one, into an empty copy.
   */
  async *changes(options: FollowOptions = {}): AsyncGenerator<ChangesPage<Of['resource']>, void> {
    const { since = '0', limit } = options;
    const { many, deletedMany } = this.names;
    for await (const page of this.#pages({ since, limit }, options)) {
      yield {
        changed: listMember(page, many),
        deleted: listMember(page, deletedMany, 'string'),
        since: member(page, 'since', 'string'),
      };
    }
  }

  /** Reads one resource. Its `etag` is `''` if a proxy has removed it, and `ifMatch` refuses that. */
  async get(id: string, options?: CallOptions): Promise<Tagged<Of['resource']>> {
    return this.#one(await this.transport.send({ method: 'GET', path: this.#item(id) }, options));
  }

  /** Creates one resource. The request has an `Idempotency-Key`, so retries are safe. */
  async create(input: Of['input'], options: CreateOptions = {}): Promise<Tagged<Of['resource']>> {
    return this.#one(await this.#post(input, options));
  }

  /** Creates up to 500 resources, all or none, in this order. */
  async createMany(
    inputs: readonly Of['input'][],
    options: CreateOptions = {},
  ): Promise<Of['resource'][]> {
    const { many } = this.names;
    const response = await this.#post({ [many]: inputs }, options);
    const [made, count] = [listMember<Of['resource']>(response, many), inputs.length];
    // A gateway that follows a redirect may have read the list instead.
    if (made.length !== count) throw strange(response, `${made.length} of ${count} ${many}`);
    return made;
  }

  /**
   * Creates missing resources, and updates and deletes existing ones: an item that matches one resource updates the
   * fields in the item, or deletes the resource if it has `deleted: true`. An item that matches none is created; a
   * deletion then does nothing. Returns one result per item, in order.
   *
   * Takes any number of items, and sends requests of at most 500 items and 2 MiB. Each request is all or none, unless
   * `lenient`. With more than one request, **what an earlier request did stays done if a later one is refused**;
   * `onProgress` reports what was done. Two items with one value are refused before anything is sent; if `lenient`, the
   * later one. A dry run does not know what an earlier request would have created.
   */
  async push<M extends Of['match'], DryRun extends boolean = false>(
    items: readonly PushItem<Of['patch'], Of['deletion'], M>[],
    options: PushOptions<
      DryRun extends true ? Pushed : Of['resource'],
      M,
      DryRun,
      'sourceUpdatedAt' extends keyof Of['patch'] ? boolean : never
    >,
  ): Promise<PushResult<DryRun extends true ? Pushed : Of['resource']>[]> {
    // Loaded when it is used, so that a bundler can leave it out of what a page loads first.
    const { push } = await import('./push.ts');
    return push(this.transport, this.names, items, options);
  }

  /**
   * Makes the service equal to a complete list of items. Reads the service's list once, and pushes what is new or
   * differs. An item changes only the fields that it names. Items that the service refuses are reported, and the others
   * are written. An item with its key alone changes nothing, and keeps its resource.
   *
   * With `deleteMissing`, what has no item is deleted at last, unless too much is missing, or the list is doubtful: a
   * source that answers with half of its items, or with items without keys, must not empty the service.
   *
   * Stopped at any moment and run again, it ends the same. The items are read to their end before anything is written.
   * @throws what the items or `owned` throw; TypeError or RangeError if an option or an item cannot be used;
   * BrandApiError if the list cannot be read; SyncError, with a report of what was done, if a later step fails
   */
  async sync<M extends Of['match']>(
    items: Items<PushItem<Of['patch'], never, M>>,
    options: SyncOptions<Of['resource'], M>,
  ): Promise<SyncReport> {
    const { sync } = await import('./sync/sync.ts');
    return sync(this, items, options);
  }

  /**
   * Says what a sync would do, writes nothing, and returns a plan that can be executed: what somebody was shown is what is
   * done. The plan holds the items.
   * @throws as `sync`
   */
  async plan<M extends Of['match']>(
    items: Items<PushItem<Of['patch'], never, M>>,
    options: Omit<SyncOptions<Of['resource'], M>, 'dryRun'>,
  ): Promise<SyncPlan> {
    const { plan } = await import('./sync/sync.ts');
    return plan(this, items, options);
  }

  /**
   * Replaces a resource. Of the fields that `replacement` leaves out, some are reset to their defaults, and the others stay:
   * each says which.
   */
  async replace(
    id: string,
    replacement: Of['replacement'],
    options: ChangeOptions = {},
  ): Promise<Tagged<Of['resource']>> {
    return this.#change('PUT', id, replacement, options);
  }

  /** Changes the fields in `patch`. */
  async update(
    id: string,
    patch: Of['patch'],
    options: ChangeOptions = {},
  ): Promise<Tagged<Of['resource']>> {
    return this.#change('PATCH', id, patch, options);
  }

  /**
   * Deletes one resource permanently. Succeeds also if a retry after a lost response, or after a 503, finds no resource:
   * as a rule, the first try has deleted it. So it may succeed for an id that never existed.
   */
  async delete(id: string, options: ChangeOptions = {}): Promise<void> {
    const headers = changeHeaders(options);
    const request = { method: 'DELETE', path: this.#item(id), headers } as const;
    member(await this.transport.send(request, options), 'success', 'boolean');
  }

  async *#pages(query: object, options?: CallOptions): AsyncGenerator<ClientResponse, void> {
    const { path } = this.names;
    const links = new Set<string>();
    for (let request: ClientRequest = { method: 'GET', path, query }; ;) {
      const page = await this.transport.send(request, options);
      const link = nextQuery(page.headers);
      // Otherwise a cache that ignores the query would make the list endless.
      if (link !== undefined && links.has(link)) throw strange(page, 'a link to an earlier page');
      yield page;
      if (link === undefined) return;
      links.add(link);
      request = { method: 'GET', path: `${path}?${link}` };
    }
  }

  async #post(body: unknown, options: CreateOptions): Promise<ClientResponse> {
    const headers = { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() };
    const { path } = this.names;
    return this.transport.send(
      { method: 'POST', path, body: JSON.stringify(body), headers },
      options,
    );
  }

  async #change(
    method: 'PUT' | 'PATCH',
    id: string,
    fields: unknown,
    options: ChangeOptions,
  ): Promise<Tagged<Of['resource']>> {
    const path = this.#item(id);
    return this.#one(await sendFields(this.transport, method, path, fields, options));
  }

  #one(response: ClientResponse): Tagged<Of['resource']> {
    return tagged(response, member<Of['resource']>(response, this.names.one, 'object'));
  }

  #item(id: string): string {
    // An address with such an id would be that of the collection, or of something above it.
    expectOption(/[^\s.]/.test(id), 'id', 'the id of a resource');
    return `${this.names.path}/${encodeURIComponent(id)}`;
  }
}

/**
 * Returns the query of the link with `rel="next"` (RFC 8288). Host and path are ignored: even if a proxy rewrites the
 * link, the key is sent only to the configured service.
 */
function nextQuery(headers: Headers): string | undefined {
  return /<[^<>?]*\?([^<>]*)>\s*;\s*rel="?next\b/i.exec(headers.get('Link') ?? '')?.[1];
}
