import { env } from 'cloudflare:workers';
import { createBrand } from '../../tools/admin/brands.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import type { IssuedKey } from '../../tools/admin/keys.ts';
import { app } from '../../src/app.ts';
import type { Contract } from './contract.ts';
import { assertContract } from './contract.ts';

/** An answer, its body parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a test may say of a request besides method, path and body. */
export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** Sent as it is, in place of a JSON body. */
  readonly raw?: BodyInit;
  readonly db?: D1Database;
  /** Another than the standard service. */
  readonly service?: Service;
}

/** The operators' statements on the test database. */
export const execute = executeOn(env.DB, 'tests');

/** A service that answers requests: the app, its database, and the document that its answers are validated against. */
export interface Service {
  readonly app: Pick<typeof app, 'request'>;
  readonly db: D1Database;
  readonly assertContract: Contract;
}

const standard: Service = { app, db: env.DB, assertContract };

/** Sends a request through the whole app, from an address of its own unless it says otherwise. */
export async function send(
  method: string,
  path: string,
  { headers = {}, raw, service = standard, db = service.db }: RequestOptions = {},
): Promise<Answer> {
  const response = await service.app.request(
    `http://api.test${path}`,
    {
      method,
      headers: { 'CF-Connecting-IP': crypto.randomUUID(), ...headers },
      ...(raw !== undefined && { body: raw }),
    },
    { ...env, DB: db },
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

/** A brand of the test's own, with a real key, which sends requests with that key. */
export class TestBrand {
  readonly issued: IssuedKey;

  readonly #service: Service;

  private constructor(issued: IssuedKey, service: Service) {
    this.issued = issued;
    this.#service = service;
  }

  /** Makes a brand as the operator does. */
  static async create(name = 'Test brand', service = standard): Promise<TestBrand> {
    return new TestBrand(await createBrand(executeOn(service.db, 'tests'), name), service);
  }

  /** The same brand with another of its keys. */
  with(issued: IssuedKey): TestBrand {
    return new TestBrand(issued, this.#service);
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
      service: this.#service,
      ...options,
      headers: { Authorization: `Bearer ${this.issued.apiKey}`, ...headers },
    });
  }

  /** Makes a product or coupon code and gives it as the API shows it. */
  async create(path: string, body: unknown): Promise<Resource> {
    const answer = await this.send('POST', path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return resourceOf(answer);
  }
}

/** A resource as the API shows it. */
export interface Resource {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The one resource in an answer. */
export function resourceOf({ body, text }: Answer): Resource {
  const [resource] = Object.values(body);
  if (!isResource(resource)) throw new Error(`No resource in ${text}`);
  return resource;
}

/** The resources in the answer to a list. */
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
