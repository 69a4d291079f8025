import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@cfworker/json-schema';
import * as z from 'zod';
import type { Answer } from './answer.ts';
import { described } from './answer.ts';

/** The base path of all operations. */
export const BASE = '/api/brand/v1';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

const anything = z.record(z.string(), z.unknown());
const reference = z.object({ $ref: z.string() });
const parameter = z.object({ name: z.string(), in: z.string() });
const operation = z.object({ parameters: z.array(z.unknown()).default([]), responses: anything });
const response = z.object({
  content: z.object({ 'application/json': z.object({ schema: anything }) }).optional(),
});
const openapi = z.object({
  paths: z.record(z.string(), anything),
  components: anything,
});

type Operation = z.infer<typeof operation>;

/** Validates responses against this project's OpenAPI document. */
export class Contract {
  readonly document: unknown;
  readonly #openapi: z.infer<typeof openapi>;
  readonly #validators = new Map<string, Validator>();

  constructor(document: unknown) {
    this.document = document;
    this.#openapi = openapi.parse(document);
  }

  /** Reads the document in this project. */
  static ofProject(): Contract {
    const { href } = new URL('../../public/api/brand/v1/openapi.json', import.meta.url);
    return new Contract(JSON.parse(readFileSync(fileURLToPath(href), 'utf8')));
  }

  /** Returns all operations, such as `GET /products`. */
  operations(): string[] {
    return Object.entries(this.#openapi.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** Whether an operation has a query parameter. */
  hasParameter(method: string, path: string, name: string): boolean {
    return (this.operationAt(method, BASE + path)?.parameters ?? []).some(
      (part) => parameter.safeParse(this.#resolve(part)).data?.name === name,
    );
  }

  /** Returns the operation of a request; undefined if there is none. */
  operationAt(method: string, path: string): Operation | undefined {
    const wanted = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    for (const [template, item] of Object.entries(this.#openapi.paths)) {
      if (matches(`${BASE}${template}`, path) && wanted in item) {
        return operation.parse(item[wanted]);
      }
    }
    return undefined;
  }

  /** Returns how a response violates the document. */
  problemsOf(answer: Answer): string[] {
    const { method, path, status, body, text } = answer;
    const declared = this.operationAt(method, path.split('?', 1)[0] ?? '');
    if (declared === undefined || status === 405) return [];
    const found = declared.responses[String(status)];
    if (found === undefined) return [`${described(answer)}: the document has no such status`];
    const { content } = response.parse(this.#resolve(found));
    if (content === undefined || method === 'HEAD' || (text === '' && status === 304)) return [];
    const { valid, errors } = this.#validator(content['application/json'].schema).validate(body);
    if (valid) return [];
    // The last is the most exact.
    const { instanceLocation = '', error = '' } = errors.at(-1) ?? {};
    return [`${described(answer)}: not as documented: ${instanceLocation} ${error}`];
  }

  #validator(rule: Record<string, unknown>): Validator {
    const key = JSON.stringify(rule);
    const known =
      this.#validators.get(key) ??
      new Validator({ ...rule, components: this.#openapi.components }, '2020-12', false);
    this.#validators.set(key, known);
    return known;
  }

  #resolve(part: unknown): unknown {
    const pointed = reference.safeParse(part);
    if (!pointed.success) return part;
    return pointed.data.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((found, name) => anything.parse(found)[name], this.document);
  }
}

/** Whether a path is one of a template's, in which `{name}` stands for one segment. */
function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) =>
      part.startsWith('{') ? given[index] !== '' : part === given[index],
    )
  );
}
