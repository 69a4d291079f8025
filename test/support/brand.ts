import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import type { app } from '../../src/app.ts';
import { createApp } from '../../src/app.ts';
import type { DatabaseBindings } from '../../src/db/databases.ts';
import type { Env } from '../../src/http/api-env.ts';
import { collections as registered } from '../../src/resources/registry.ts';
import { ALL_ERROR_CODES, operationsWithFixtures } from '../fixtures/operations.ts';
import { collections } from './collections.ts';
import type { TestCollection } from './collections/collection.ts';
import type { Contract } from './contract.ts';
import { contractOf } from './contract.ts';
import type { IssuedKey } from './operator.ts';
import { createBrand } from './operator.ts';
import { statementsOn } from './statements.ts';

/** A response with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty if there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The options of a request besides method, path and body. */
export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** Sent unchanged instead of a JSON body. */
  readonly raw?: BodyInit;
  readonly db?: D1Database;
  /** The databases other than number 0. */
  readonly databases?: FurtherDatabases;
  /** A service other than the standard one. */
  readonly service?: Service;
}

/** Runs statements on the test database. */
export const execute = statementsOn(env.DB);

/** The databases other than number 0. */
export type FurtherDatabases = Omit<DatabaseBindings, 'DB'>;

/** The bindings that limit requests. */
type Limits = Pick<Env, 'KEY_RATE_LIMIT' | 'FAILURE_RATE_LIMIT'>;

/** A service under test: the app, its collections, its database, and the document of its responses. */
export interface Service {
  readonly app: Pick<typeof app, 'request'>;
  readonly collections: readonly TestCollection[];
  readonly db: D1Database;
  /** By default there are none. */
  readonly databases?: FurtherDatabases;
  readonly assertContract: Contract;
  /** Without them, requests are not limited. */
  readonly limits?: Limits;
}

// The local runtime takes a third of the time of a request to count it.
const boundless: RateLimit = { limit: () => Promise.resolve({ success: true }) };
const unlimited: Limits = { KEY_RATE_LIMIT: boundless, FAILURE_RATE_LIMIT: boundless };

/** The service, with the operations of `test/fixtures` among its own: every test of all operations tries these too. */
export const standard: Service = {
  app: createApp(operationsWithFixtures(registered)),
  collections,
  db: env.DB,
  assertContract: contractOf(inject('fixtureDocument'), ALL_ERROR_CODES),
};

/** The standard service with the rate limits of `wrangler.toml`. */
export const limitedService: Service = { ...standard, limits: env };

/** Sends a request through the whole app, by default from a new client address. */
export async function send(
  method: string,
  path: string,
  {
    headers = {},
    raw,
    service = standard,
    db = service.db,
    databases = service.databases,
  }: RequestOptions = {},
): Promise<Answer> {
  const response = await service.app.request(
    `http://api.test${path}`,
    {
      method,
      headers: { 'CF-Connecting-IP': crypto.randomUUID(), ...headers },
      ...(raw !== undefined && { body: raw }),
    },
    { ...env, ...unlimited, ...service.limits, ...databases, DB: db },
  );
  const text = await response.text();
  service.assertContract({
    method,
    path,
    requestBody: typeof raw === 'string' ? raw : undefined,
    status: response.status,
    headers: response.headers,
    text,
  });
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

/** A brand of one test. It sends requests with its real key. */
export class TestBrand {
  readonly issued: IssuedKey;
  readonly service: Service;

  private constructor(issued: IssuedKey, service: Service) {
    this.issued = issued;
    this.service = service;
  }

  static async create(name = 'Test brand', service = standard): Promise<TestBrand> {
    return new TestBrand(await createBrand(statementsOn(service.db), name), service);
  }

  /** Returns the same brand with another of its keys. */
  with(issued: IssuedKey, service = this.service): TestBrand {
    return new TestBrand(issued, service);
  }

  /** Sends a request below `/api/brand/v1`. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, ...options }: RequestOptions = {},
  ): Promise<Answer> {
    return send(method, `/api/brand/v1${path}`, {
      ...(body !== undefined && { raw: JSON.stringify(body) }),
      service: this.service,
      ...options,
      headers: { Authorization: `Bearer ${this.issued.apiKey}`, ...headers },
    });
  }

  async create(path: string, body: unknown): Promise<Resource> {
    const answer = await this.send('POST', path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return resourceOf(answer);
  }

  /** Returns all resources of a collection, oldest first. */
  async list(path: string): Promise<Resource[]> {
    return resourcesOf(await this.send('GET', path));
  }
}

/** A resource as the API shows it. */
export interface Resource {
  readonly id: string;
  readonly [field: string]: unknown;
}

export function resourceOf({ body, text }: Answer): Resource {
  const [resource] = Object.values(body);
  if (!isResource(resource)) throw new Error(`No resource in ${text}`);
  return resource;
}

export function resourcesOf({ body, text }: Answer): Resource[] {
  const [list] = Object.values(body);
  if (!Array.isArray(list) || !list.every(isResource)) throw new Error(`No list in ${text}`);
  return list;
}

function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  );
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  if (!isRecord(value)) throw new Error(`Not an object: ${text}`);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
