import type { ChangeOptions, Tagged } from './resource.ts';
import { changeHeaders, member, tagged } from './resource.ts';
import type { ClientResponse, Transport } from './transport.ts';

const LARGEST_PAGE = 250;

/** Where a collection lies, and the keys of its envelopes. */
export interface CollectionNames {
  readonly path: string;
  readonly one: string;
  readonly many: string;
}

/** What the making of resources may ask for. */
export interface CreateOptions {
  /** Your own `Idempotency-Key`, where the request may be repeated by another process too. */
  readonly idempotencyKey?: string | undefined;
}

/** The six operations on a collection. Each throws BrandApiError where the service refuses it. */
export class Collection<T, Input, Patch, Filters extends object> {
  readonly #transport: Transport;
  readonly #names: CollectionNames;

  constructor(transport: Transport, names: CollectionNames) {
    this.#transport = transport;
    this.#names = names;
  }

  /** All resources that match, oldest first, read page by page as they are taken. */
  async *list(filters?: Filters): AsyncGenerator<T, void> {
    let path: string | undefined = this.#names.path;
    let query: object | undefined = { ...filters, limit: LARGEST_PAGE };
    while (path !== undefined) {
      const page: ClientResponse = await this.#transport.send({ method: 'GET', path, query });
      yield* member<T[]>(page.body, this.#names.many);
      path = nextPage(page.headers);
      query = undefined;
    }
  }

  /** Reads one. */
  async get(id: string): Promise<Tagged<T>> {
    return this.#one(await this.#transport.send({ method: 'GET', path: this.#item(id) }));
  }

  /** Makes one. It is safe to repeat: the request carries an `Idempotency-Key`. */
  async create(input: Input, options: CreateOptions = {}): Promise<Tagged<T>> {
    return this.#one(await this.#post(input, options));
  }

  /** Makes up to 500 at once, all or none, in this order. */
  async createMany(inputs: readonly Input[], options: CreateOptions = {}): Promise<T[]> {
    const { many } = this.#names;
    return member((await this.#post({ [many]: inputs }, options)).body, many);
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
    await this.#transport.send({ method: 'DELETE', path: this.#item(id), headers });
  }

  async #post(body: unknown, { idempotencyKey }: CreateOptions): Promise<ClientResponse> {
    const headers = { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() };
    return this.#transport.send({ method: 'POST', path: this.#names.path, body, headers });
  }

  async #change(
    method: 'PUT' | 'PATCH',
    id: string,
    body: unknown,
    options: ChangeOptions,
  ): Promise<Tagged<T>> {
    const headers = changeHeaders(options);
    return this.#one(await this.#transport.send({ method, path: this.#item(id), body, headers }));
  }

  #one(response: ClientResponse): Tagged<T> {
    return tagged(response, this.#names.one);
  }

  #item(id: string): string {
    return `${this.#names.path}/${encodeURIComponent(id)}`;
  }
}

/** The URL behind `rel="next"` (RFC 8288). */
function nextPage(headers: Headers): string | undefined {
  return /<([^<>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
}
