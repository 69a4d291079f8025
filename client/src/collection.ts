import type { CallOptions } from './abort.ts';
import type { Pushed, PushOptions, PushResult } from './push.ts';
import { push } from './push.ts';
import type { ChangeOptions, Tagged } from './resource.ts';
import { changeHeaders, member, tagged } from './resource.ts';
import type { ClientResponse, Transport } from './transport.ts';

const LARGEST_PAGE = 250;

/** The path of a collection, and the keys of its envelopes. */
export interface CollectionNames {
  readonly path: string;
  readonly one: string;
  readonly many: string;
  readonly deletedMany: string;
}

/** What the creation of resources may ask for. */
export interface CreateOptions extends CallOptions {
  /** Your own `Idempotency-Key`, if another process may repeat the request. */
  readonly idempotencyKey?: string | undefined;
}

/** Which changes to read. */
export interface FollowOptions extends CallOptions {
  /** The token of the last page that you applied; by default `0`, the beginning. */
  readonly since?: string | undefined;
  /** How many resources and ids a page has at most: 1 to 250, by default 250. */
  readonly limit?: number | undefined;
}

/** What changed. */
export interface ChangesPage<T> {
  /** Each changed resource, as it is now. */
  readonly changed: T[];
  /** The ids of deleted resources. */
  readonly deleted: string[];
  /** The token to continue from. Store it once you have applied the page. */
  readonly since: string;
}

/** The operations on a collection. Each throws BrandApiError if the service refuses it. */
export class Collection<
  T extends Pushed,
  Preview extends Pushed,
  Input,
  Patch,
  Filters extends object,
  Match extends string,
> {
  readonly #transport: Transport;
  readonly #names: CollectionNames;

  constructor(transport: Transport, names: CollectionNames) {
    this.#transport = transport;
    this.#names = names;
  }

  /** All resources that match, oldest first. Pages are read as they are needed. */
  async *list(filters?: Filters, options?: CallOptions): AsyncGenerator<T, void> {
    for await (const page of this.#pages({ ...filters, limit: LARGEST_PAGE }, options)) {
      yield* member<T[]>(page, this.#names.many);
    }
  }

  /**
   * What changed since a token, page by page: apply a page, store its token, take the next one. After the last page you
   * have exactly the service's resources. There is always at least one page, and the token of the last one is where the
   * next poll begins. Error 410 means that the token is too old: start again without one.
   */
  async *changes(options: FollowOptions = {}): AsyncGenerator<ChangesPage<T>, void> {
    const { since = '0', limit } = options;
    const { many, deletedMany } = this.#names;
    for await (const page of this.#pages({ since, limit }, options)) {
      yield {
        changed: member(page, many),
        deleted: member(page, deletedMany),
        since: member(page, 'since'),
      };
    }
  }

  /** Reads one. */
  async get(id: string, options?: CallOptions): Promise<Tagged<T>> {
    return this.#one(await this.#transport.send({ method: 'GET', path: this.#item(id) }, options));
  }

  /** Creates one. It is safe to repeat: the request has an `Idempotency-Key`. */
  async create(input: Input, options: CreateOptions = {}): Promise<Tagged<T>> {
    return this.#one(await this.#post(input, options));
  }

  /** Creates up to 500 at once, all or none, in this order. */
  async createMany(inputs: readonly Input[], options: CreateOptions = {}): Promise<T[]> {
    const { many } = this.#names;
    return member((await this.#post({ [many]: inputs }, options)).body, many);
  }

  /**
   * Creates what is missing and changes what exists: an item that matches one resource changes the fields that it names,
   * an item that matches none is created. Gives a result for each item, in order.
   *
   * Any number of items: they go in requests of at most 500 items and 2 MiB. Each request is all or none, unless
   * `lenient`. With more than one request, **what an earlier request did stays done if a later one is refused**;
   * `onProgress` tells what was done. Items with the same value are refused only within one request, and a dry run does
   * not know what an earlier request would have created.
   */
  async push<M extends Match, DryRun extends boolean = false>(
    items: readonly (Patch & Readonly<Record<M, string>>)[],
    options: PushOptions<DryRun extends true ? Preview : T, M, DryRun>,
  ): Promise<PushResult<DryRun extends true ? Preview : T>[]> {
    return push(this.#transport, this.#names, items, options);
  }

  /** Replaces everything writable. */
  async replace(id: string, input: Input, options: ChangeOptions = {}): Promise<Tagged<T>> {
    return this.#change('PUT', id, input, options);
  }

  /** Changes the fields that are named. */
  async update(id: string, patch: Patch, options: ChangeOptions = {}): Promise<Tagged<T>> {
    return this.#change('PATCH', id, patch, options);
  }

  /** Deletes one for good. */
  async delete(id: string, options: ChangeOptions = {}): Promise<void> {
    const headers = changeHeaders(options);
    await this.#transport.send({ method: 'DELETE', path: this.#item(id), headers }, options);
  }

  /** The bodies of a list's pages. */
  async *#pages(query: object, options?: CallOptions): AsyncGenerator<unknown, void> {
    const { path } = this.#names;
    for (let next: object | undefined = query; next !== undefined;) {
      const page: ClientResponse = await this.#transport.send(
        { method: 'GET', path, query: next },
        options,
      );
      yield page.body;
      next = nextQuery(page.headers);
    }
  }

  async #post(body: unknown, options: CreateOptions): Promise<ClientResponse> {
    const headers = { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() };
    const { path } = this.#names;
    return this.#transport.send(
      { method: 'POST', path, body: JSON.stringify(body), headers },
      options,
    );
  }

  async #change(
    method: 'PUT' | 'PATCH',
    id: string,
    body: unknown,
    options: ChangeOptions,
  ): Promise<Tagged<T>> {
    const headers = changeHeaders(options);
    return this.#one(
      await this.#transport.send(
        { method, path: this.#item(id), body: JSON.stringify(body), headers },
        options,
      ),
    );
  }

  #one(response: ClientResponse): Tagged<T> {
    return tagged(response, this.#names.one);
  }

  #item(id: string): string {
    return `${this.#names.path}/${encodeURIComponent(id)}`;
  }
}

/**
 * The parameters behind `rel="next"` (RFC 8288). Only these: whatever host and path a proxy made of the link, the key goes
 * to the service that it was given for.
 */
function nextQuery(headers: Headers): object | undefined {
  const [, query] = /<[^<>?]*\?([^<>]*)>; rel="next"/.exec(headers.get('Link') ?? '') ?? [];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}
