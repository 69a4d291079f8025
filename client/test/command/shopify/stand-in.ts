import type { DocumentNode } from 'graphql';
import { getOperationAST, GraphQLError, OperationTypeNode } from 'graphql';
import type { Served, WhenFinished } from '../listening.ts';
import { cutAfter, served } from '../listening.ts';
import type { Catalogue } from './catalogue.ts';
import { catalogue } from './catalogue.ts';
import type { Hidden, Json } from './execute.ts';
import { dataOf, isJson, linesOf } from './execute.ts';
import { bulkFaultsOf, checkedQuery, costOf, missingScopes } from './schema.ts';

// A server that answers as Shopify's documentation says, and is strict: a query that Shopify's own schema does not allow is
// refused, and so is one that costs too much, or that has no scope.

const VERSION = '2026-10';
const LARGEST_COST = 1000;

/** A bulk operation. */
interface Operation {
  readonly id: string;
  readonly query: string;
  /** How often it has been asked for. It is created, then runs, then ends. */
  polls: number;
  /** The lines of its file. */
  readonly lines: readonly Json[];
  readonly end: Json;
}

/** What goes wrong. A test sets what it needs. */
export interface Faults extends Hidden {
  /** Answers a request in place of the shop, or leaves it by returning undefined. */
  answer?: (request: ShopRequest) => ShopAnswer | undefined;
  /** How often queries are throttled before one is answered. */
  throttled?: number;
  /** How the operation ends, in place of COMPLETED. */
  end?: Json;
  /** Changes the file of the operation. */
  file?: (lines: readonly Json[]) => readonly Json[];
  /** What is sent of the text of the file. */
  sent?: (text: string) => BodyInit;
  /** How many operations of others are running, and for how many requests to start one. */
  busy?: number;
}

/** A request to the shop. */
export interface ShopRequest {
  readonly path: string;
  readonly body: string;
  readonly headers: Headers;
  /** The name of the GraphQL operation. */
  readonly name: string;
}

/** An answer of the shop. */
export interface ShopAnswer {
  readonly status: number;
  /** A text or bytes; anything else is sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A shop on this machine. */
export class StandIn {
  readonly catalogue: Catalogue = catalogue();
  readonly faults: Faults = {};
  /** The names of the GraphQL operations that came, in order. */
  readonly asked: string[] = [];
  /** The mutations that came. */
  readonly mutations: string[] = [];
  /** The headers of the requests for files, which may hold no token. */
  readonly fileHeaders: string[] = [];
  readonly tokens = new Set(['shpat_lasting']);
  scopes: string[] = ['read_products', 'read_discounts'];
  /** The domain that customers see. */
  primaryDomain = 'shop.example';
  /** The version in which it answers. */
  version = VERSION;
  /** How many objects of a list a bulk operation gives. */
  listLimit = Infinity;
  /** How often a bulk operation is shown before it has ended. */
  showings = 2;
  readonly #operations = new Map<string, Operation>();
  #served: Served = { url: '', fetch };

  /** Starts a shop, by default until the test ends. */
  static async start(whenFinished?: WhenFinished): Promise<StandIn> {
    const made = new StandIn();
    made.#served = await served((request) => made.#serve(request), whenFinished);
    return made;
  }

  /** What the command needs to ask this shop. */
  get env(): Readonly<Record<string, string>> {
    const { host } = new URL(this.#served.url);
    return { SHOPIFY_SHOP: host, SHOPIFY_ACCESS_TOKEN: 'shpat_lasting' };
  }

  get fetch(): typeof fetch {
    return this.#served.fetch;
  }

  get #hidden(): Hidden {
    const { hidden = new Set(), isUncounted = false } = this.faults;
    return { hidden, isUncounted };
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/file') return this.#file(request.headers, searchParams.get('id') ?? '');
    const body = await request.text();
    const asked = { path: pathname, body, headers: request.headers, name: nameIn(body) };
    this.asked.push(asked.name);
    const {
      status,
      body: answer,
      headers = {},
    } = this.faults.answer?.(asked) ?? (await this.#answer(asked));
    const own = { 'X-Shopify-API-Version': this.version, ...headers };
    if (typeof answer !== 'string' && !isBytes(answer)) {
      return Response.json(answer, { status, headers: own });
    }
    return new Response(answer, { status, headers: { 'Content-Type': 'text/html', ...own } });
  }

  async #answer(request: ShopRequest): Promise<ShopAnswer> {
    const { path, headers } = request;
    if (path === '/admin/oauth/access_token') return this.#token(request);
    if (path !== `/admin/api/${VERSION}/graphql.json`)
      return { status: 404, body: '<h1>Not found</h1>' };
    if (!this.tokens.has(String(headers.get('x-shopify-access-token')))) {
      const errors = '[API] Invalid API key or access token (unrecognized login or wrong password)';
      return { status: 401, body: { errors } };
    }
    if ((this.faults.throttled ?? 0) > 0) {
      this.faults.throttled = (this.faults.throttled ?? 0) - 1;
      return { status: 200, body: throttled() };
    }
    try {
      return { status: 200, body: { data: await this.#data(request) } };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const { message, extensions } = error;
      return { status: 200, body: { errors: [{ message, extensions }] } };
    }
  }

  /** The client credentials grant. */
  #token({ body, headers }: ShopRequest): ShopAnswer {
    const form = new URLSearchParams(body);
    if (headers.get('Content-Type')?.startsWith('application/x-www-form-urlencoded') !== true) {
      return { status: 400, body: 'Oauth error invalid_request' };
    }
    if (form.get('grant_type') !== 'client_credentials' || form.get('client_id') !== 'the-app') {
      return { status: 400, body: '<p>Oauth error application_cannot_be_found</p>' };
    }
    if (form.get('client_secret') !== 'shpss_secret') {
      return { status: 401, body: '<p>Oauth error invalid_client: client secret shpss_wrong</p>' };
    }
    const token = `shpat_day_${this.tokens.size}`;
    this.tokens.add(token);
    return {
      status: 200,
      body: { access_token: token, scope: this.scopes.join(), expires_in: 86_399 },
    };
  }

  async #data({ body }: ShopRequest): Promise<Json> {
    const sent: unknown = JSON.parse(body);
    if (!isJson(sent) || typeof sent['query'] !== 'string') throw new GraphQLError('No query.');
    const variables = isJson(sent['variables']) ? sent['variables'] : {};
    const document = allowed(sent['query'], this.scopes);
    const cost = costOf(document, variables);
    if (Number.isNaN(cost)) throw new GraphQLError('A connection needs a number as first.');
    if (cost > LARGEST_COST) {
      throw new GraphQLError(
        `Query cost is ${cost}, which exceeds the single query max cost limit (1000).`,
        { extensions: { code: 'MAX_COST_EXCEEDED' } },
      );
    }
    const roots = {
      ...this.#hidden,
      shop: {
        currencyCode: 'EUR',
        primaryDomain: { id: 'gid://shopify/Domain/1', host: this.primaryDomain },
      },
      currentAppInstallation: { accessScopes: this.scopes.map((handle) => ({ handle })) },
      bulkOperation: ({ id }: Json) => this.#shown(String(id)),
      bulkOperationRunQuery: ({ query }: Json) => this.#start(String(query)),
    };
    if (getOperationAST(document)?.operation === OperationTypeNode.MUTATION) {
      this.mutations.push(sent['query']);
    }
    return dataOf(document, this.catalogue, { variables, roots });
  }

  async #start(query: string): Promise<Json> {
    const userError = (code: string, message: string): Json => ({
      bulkOperation: null,
      userErrors: [{ code, message }],
    });
    if ((this.faults.busy ?? 0) > 0) {
      this.faults.busy = (this.faults.busy ?? 0) - 1;
      return userError('LIMIT_REACHED', 'Bulk operations limit reached. Please try again later.');
    }
    const { document, faults: own } = checkedQuery(query);
    const faults = [...own, ...bulkFaultsOf(document)];
    if (faults.length > 0) return userError('INVALID', faults.join(' '));
    const isDenied = missingScopes(document, this.scopes).length > 0;
    const all = shortened(await linesOf(document, this.catalogue, this.#hidden), this.listLimit);
    const lines = this.faults.file?.(all) ?? all;
    const id = `gid://shopify/BulkOperation/${100 + this.#operations.size}`;
    const end = {
      status: 'COMPLETED',
      objectCount: String(all.length),
      url: lines.length === 0 ? null : `${this.#served.url}/file?id=${id}&Signature=abc`,
      ...(isDenied && { status: 'FAILED', errorCode: 'ACCESS_DENIED', url: null }),
      ...this.faults.end,
    };
    this.#operations.set(id, { id, query, polls: 0, lines, end });
    return { bulkOperation: this.#shown(id), userErrors: [] };
  }

  #shown(id: string): Json | null {
    const operation = this.#operations.get(id);
    if (operation === undefined) return null;
    const { polls, lines, end, query } = operation;
    operation.polls++;
    const nothing = { errorCode: null, url: null, partialDataUrl: null, objectCount: '0' };
    if (polls >= this.showings) return { id, query, ...nothing, ...end };
    if (polls === 0) return { id, query, ...nothing, status: 'CREATED' };
    return { id, query, ...nothing, status: 'RUNNING', objectCount: String(lines.length >> 1) };
  }

  /** The file of an operation, which Shopify has at an address of its own. */
  #file(headers: Headers, id: string): Response {
    this.fileHeaders.push(...Array.from(headers, ([name, value]) => `${name}: ${value}`));
    const { lines = [] } = this.#operations.get(id) ?? {};
    const whole = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    return new Response(this.faults.sent?.(whole) ?? whole, {
      headers: { 'Content-Type': 'application/jsonl' },
    });
  }
}

/** The beginning of a text, after which the connection breaks off. */
export function brokenOff(text: string): ReadableStream<Uint8Array> {
  return cutAfter(new TextEncoder().encode(text.slice(0, 900)));
}

/** Returns a text in ISO-8859-1. */
export function inLatin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** All that tests answer as bytes is made by inLatin1. */
function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

/** Returns the name of the GraphQL operation in a body. */
function nameIn(body: string): string {
  return /(?:query|mutation) (\w+)/.exec(body)?.[1] ?? 'token';
}

/** @throws GraphQLError if the schema or the scopes do not allow a query */
function allowed(query: string, scopes: readonly string[]): DocumentNode {
  const {
    document,
    faults: [fault],
  } = checkedQuery(query);
  if (fault !== undefined)
    throw new GraphQLError(fault, { extensions: { code: 'undefinedField' } });
  const [missing] = missingScopes(document, scopes);
  if (missing !== undefined) {
    throw new GraphQLError(`Access denied for ${missing}.`, {
      extensions: { code: 'ACCESS_DENIED' },
    });
  }
  return document;
}

function throttled(): Json {
  return {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost: 10,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 9, restoreRate: 100 },
      },
    },
  };
}

/** Cuts off the lists that belong to something, as Shopify was seen to do. */
function shortened(lines: readonly Json[], limit: number): Json[] {
  const counts = new Map<string, number>();
  return lines.filter(({ id, __parentId: parent }) => {
    if (parent === undefined) return true;
    const list = `${typeof parent === 'string' ? parent : ''} ${/\w+(?=\/\d+$)/.exec(String(id))?.[0] ?? ''}`;
    const count = (counts.get(list) ?? 0) + 1;
    counts.set(list, count);
    return count <= limit;
  });
}
