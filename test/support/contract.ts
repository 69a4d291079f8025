import { Validator } from '@cfworker/json-schema';
import * as z from 'zod';
import { documentSchema } from './document.ts';

// Validates every response in a test, and every successful request, against the OpenAPI document.

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const reference = z.object({ $ref: z.string() });
const schema = z.record(z.string(), z.unknown());
const content = z.object({ 'application/json': z.object({ schema }) });
const response = z.object({ headers: schema, content: content.optional() });
const responseHeader = z.object({ required: z.boolean().default(false), schema });
const parameter = z.object({ name: z.string(), in: z.string(), schema });
const operation = z.object({
  parameters: z.array(z.unknown()),
  requestBody: z.object({ content }).optional(),
  responses: schema,
});

/** Headers of the platform and general security headers, which the document does not describe. */
const GENERAL = new Set([
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

const BASE = '/api/brand/v1';

/** The words of `X-Error`, by status. */
export const ERROR_CODES: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid-json', 'invalid-request'],
  401: ['missing-key', 'conflicting-keys', 'invalid-key'],
  403: ['plain-http', 'suspended', 'read-only-key'],
  404: ['no-such-path', 'not-found'],
  405: ['method-not-allowed'],
  409: ['already-exists'],
  410: ['token-gone'],
  412: ['precondition-failed'],
  413: ['too-large'],
  422: ['key-reused'],
  429: ['rate-limited'],
  500: ['internal'],
  503: ['unavailable'],
};
const ERROR = { $ref: '#/components/schemas/ErrorBody' };

/**
 * Validates an exchange against a document.
 * @throws Error with the differences
 */
export type Contract = (exchange: Exchange) => void;

/**
 * Reads an OpenAPI document once: some tests send thousands of requests within seconds.
 * @param codes the words of `X-Error`, by status
 */
export function contractOf(source: object, codes = ERROR_CODES): Contract {
  const { paths, components } = documentSchema.parse(source);
  const operations: readonly Declared[] = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, found]) =>
        declare(method.toUpperCase(), path, operation.parse(found), resolverOf(components)),
      ),
  );
  // By the text of the rule: many responses declare the same headers, and a validator reads all components.
  const validators = new Map<string, Validator>();
  const assertMatches: AssertMatches = (rule, text, exchange) => {
    const name = JSON.stringify(rule);
    const validator =
      validators.get(name) ?? new Validator({ ...rule, components }, '2020-12', false);
    validators.set(name, validator);
    const { valid, errors } = validator.validate(JSON.parse(text));
    if (valid) return;
    const problems = errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
    fail(exchange, problems.join('; '));
  };

  return (exchange) => {
    const { method, path, status, text } = exchange;
    const url = new URL(`http://api.test${path}`);
    const name = method === 'HEAD' ? 'GET' : method;
    const declared = operations.find((one) => one.method === name && one.form.test(url.pathname));
    if (status >= 400) assertMatches(ERROR, text || '{"error":""}', exchange);
    const code = exchange.headers.get('X-Error');
    const isRight = code === null ? status < 400 : codes[status]?.includes(code);
    if (isRight !== true) fail(exchange, `X-Error is ${String(code)}`);
    if (declared === undefined || status === 405) return;
    assertResponse(declared, exchange, assertMatches);
    if (status < 400) assertRequest(declared, url, exchange, assertMatches);
  };
}

type AssertMatches = (rule: Schema, text: string, exchange: Exchange) => void;

function assertResponse(
  declared: Declared,
  exchange: Exchange,
  assertMatches: AssertMatches,
): void {
  const { method, status, headers, text } = exchange;
  const answer = declared.responses.get(String(status));
  if (answer === undefined)
    fail(exchange, `the status ${status} is not declared in its description`);
  const { headers: declaredHeaders, content: declaredContent } = answer;
  for (const name of headers.keys()) {
    if (!declaredHeaders.has(name) && !GENERAL.has(name))
      fail(exchange, `the header ${name} is not declared`);
  }
  for (const [name, { required, schema: rule }] of declaredHeaders) {
    const value = headers.get(name);
    if (value !== null) assertMatches(rule, JSON.stringify(value), exchange);
    else if (required) fail(exchange, `the header ${name} is missing`);
  }
  if (text === '') {
    if (declaredContent && method !== 'HEAD') fail(exchange, 'a body is declared and missing');
  } else {
    if (!declaredContent) fail(exchange, 'a body is there and not declared');
    assertMatches(declaredContent['application/json'].schema, text, exchange);
  }
}

/** Checks that the document allows a request that succeeded. */
function assertRequest(
  declared: Declared,
  url: URL,
  exchange: Exchange,
  assertMatches: AssertMatches,
): void {
  // An operation without parameters ignores them.
  for (const [name, value] of declared.query.size > 0 ? url.searchParams : []) {
    const rule = declared.query.get(name);
    if (rule === undefined) fail(exchange, `the parameter ${name} is not declared`);
    assertMatches(itemOf(rule), JSON.stringify(valueOf(itemOf(rule), value)), exchange);
  }
  const body = declared.requestBody?.content['application/json'];
  if (body && exchange.requestBody !== undefined) {
    const sent = cleaned(JSON.parse(exchange.requestBody.replace(/^\uFEFF/, '')));
    const accepted = withoutRefused(sent, exchange);
    if (accepted !== undefined) assertMatches(body.schema, JSON.stringify(accepted), exchange);
  }
}

/** Returns the schema of one value of a parameter. */
function itemOf({ items, ...rule }: Record<string, unknown>): Record<string, unknown> {
  return items === undefined ? rule : record.parse(items);
}

/** Parses the value of a parameter: as JSON if its schema is a number or a boolean. */
function valueOf({ type }: Record<string, unknown>, text: string): unknown {
  return type === 'integer' || type === 'boolean' ? JSON.parse(text) : cleaned(text);
}

const record = z.record(z.string(), z.unknown());
const pushed = z.looseObject({ results: z.array(z.object({ status: z.string() })) });
const items = z.record(z.string(), z.array(z.unknown()));

/** The body of a push without the items that were refused; undefined if none is left. */
function withoutRefused(body: unknown, { status, text }: Exchange): unknown {
  const answer = status === 200 ? pushed.safeParse(JSON.parse(text)) : undefined;
  if (!answer?.success) return body;
  const { results } = answer.data;
  if (results.every((result) => result.status === 'refused')) return undefined;
  return Object.fromEntries(
    Object.entries(items.parse(body)).map(([key, list]) => [
      key,
      list.filter((_, index) => results[index]?.status !== 'refused'),
    ]),
  );
}

/** Trims strings and converts them to NFC, because the document's rules apply after that. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().normalize('NFC');
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member)]));
}

/** An operation of the document, its references resolved. */
interface Declared {
  readonly form: RegExp;
  readonly method: string;
  readonly query: ReadonlyMap<string, Schema>;
  readonly requestBody: z.infer<typeof operation>['requestBody'];
  readonly responses: ReadonlyMap<string, DeclaredResponse>;
}

interface DeclaredResponse {
  readonly headers: ReadonlyMap<string, z.infer<typeof responseHeader>>;
  readonly content: z.infer<typeof content> | undefined;
}

type Schema = z.infer<typeof schema>;

function declare(
  method: string,
  path: string,
  { parameters, requestBody, responses }: z.infer<typeof operation>,
  resolve: Resolve,
): Declared {
  const query = parameters
    .map((part) => parameter.parse(resolve(part)))
    .filter((part) => part.in === 'query');
  return {
    form: new RegExp(`^${BASE}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    method,
    query: new Map(query.map((part) => [part.name, part.schema])),
    requestBody,
    responses: new Map(
      Object.entries(responses).map(([status, part]) => {
        const { headers, content } = response.parse(resolve(part));
        const entries = Object.entries(headers).map(
          ([name, header]) => [name.toLowerCase(), responseHeader.parse(resolve(header))] as const,
        );
        return [status, { headers: new Map(entries), content }];
      }),
    ),
  };
}

/** Resolves a reference; returns other values unchanged. */
type Resolve = (part: unknown) => unknown;

function resolverOf(components: z.infer<typeof documentSchema>['components']): Resolve {
  return (part) => {
    const pointed = reference.safeParse(part);
    if (!pointed.success) return part;
    return pointed.data.$ref
      .split('/')
      .slice(2)
      .reduce<unknown>((found, name) => schema.parse(found)[name], components);
  };
}

function fail({ method, path, status }: Exchange, problem: string): never {
  throw new Error(
    `The OpenAPI document and ${method} ${path.slice(0, 200)} (${status}) disagree: ${problem}`,
  );
}
