import { Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { collections } from '../../src/resources/registry.ts';
import { document } from '../support/document.ts';
import { couponCodes, products } from '../support/collections.ts';
import { bareProfile, fullProfile } from '../support/samples.ts';

const { components, paths } = document;
const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);
for (const [name, schema] of Object.entries(components['schemas'] ?? {})) {
  ajv.addSchema(located(schema), name);
}

/** Validates with Ajv, in strict mode and with formats. */
function problems(schema: Record<string, unknown>, value: unknown): string[] {
  const validate = ajv.compile(located(schema));
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  );
}

/** A schema whose references are the names of components. */
function located(schema: unknown): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

const ref = (name: string): Record<string, unknown> => ({ $ref: `#/components/schemas/${name}` });

const content = z.object({
  'application/json': z.object({
    schema: z.record(z.string(), z.unknown()),
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
  }),
});
const parameter = z.looseObject({
  name: z.string(),
  example: z.unknown().optional(),
  schema: z.record(z.string(), z.unknown()),
});

/** Returns every part of the document that matches `form`, with its path. */
function find<T>(form: z.ZodType<T>, part: unknown = document, place = ''): [string, T][] {
  if (typeof part !== 'object' || part === null) return [];
  const found = form.safeParse(part);
  return [
    ...(found.success ? [[place, found.data] satisfies [string, T]] : []),
    ...Object.entries(part).flatMap(([key, inner]) => find(form, inner, `${place}/${key}`)),
  ];
}

test('No text of the document shows the name of a variable in place of its value', () => {
  expect(JSON.stringify(document).match(/\$\{\w+\}/g)).toBeNull();
});

describe('The schemas of the document', () => {
  it.each(Object.keys(components['schemas'] ?? {}))('compile in strict mode: %s', (name) => {
    expect(() => problems(ref(name), null)).not.toThrow();
  });

  it('accept every example of a body', () => {
    const bodies = find(z.object({ content }));
    expect(bodies.length).toBeGreaterThan(40);
    for (const [place, { content: body }] of bodies) {
      const { schema, example, examples } = body['application/json'];
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      expect(values.length, place).toBeGreaterThan(0);
      for (const value of values) expect(problems(schema, value), place).toEqual([]);
    }
  });

  it('accept the example of every parameter, and every parameter has one', () => {
    const parameters = find(parameter).filter(([, { in: where }]) => typeof where === 'string');
    expect(parameters.length).toBeGreaterThan(20);
    for (const [place, { example, schema }] of parameters) {
      expect(example, place).toBeDefined();
      expect(problems(schema, example), place).toEqual([]);
    }
  });

  it('accept the examples of every schema', () => {
    const schemas = find(z.looseObject({ examples: z.array(z.unknown()) }));
    expect(schemas.length).toBeGreaterThan(100);
    for (const [place, schema] of schemas) {
      for (const value of schema.examples) expect(problems(schema, value), place).toEqual([]);
    }
  });
});

/** Values that the service accepts and refuses, by schema and field. */
const FIELDS: readonly (readonly [string, string, readonly unknown[], readonly unknown[]])[] = [
  ['Product', 'title', ['x', 'x y', 'ü', '😀'], ['', '\u0000', 'a\nb', '\u0085', '\u007f']],
  ['Product', 'description', ['', 'a\nb', 'a\tb', '\r\n'], ['\u0000', '\u0085', '\u001f']],
  [
    'Product',
    'imageUrl',
    ['https://a.example', 'HTTP://a.example/ü?q=1', null],
    ['ftp://a.example', 'a.example', 'https://', 'https://a b', 'javascript:alert(1)', ''],
  ],
  [
    'Product',
    'handle',
    ['a', 'nhẫn--1', 'סל', 'a_b'],
    ['', 'A', 'a b', 'a/b', 'a"b', 'a%', '\u0085'],
  ],
  ['Product', 'currencyCode', ['USD', 'CHF', 'XXX'], ['usd', 'AAA', 'US', 'DEM', null]],
  ['Product', 'lastSyncError', ['x', null], ['']],
  ['Product', 'discountPercent', [0, 0.07, 0.29, 12.34, 57.3, 99.99, 100], [-1, 100.01, '1']],
  ['Product', 'marginPercent', [-1000, -0.07, 0.1, 62.55, null], [-1000.5, 101]],
  ['CouponCode', 'discountPercent', [0.01, 4.35, 99.99, 100], [0, -0.01, 101]],
  ['CouponCode', 'code', ['SAVE10', '!'], ['', 'a b', 'ü']],
];

const sendable = [
  ['Product', products.full, products.bare(1)],
  ['CouponCode', couponCodes.full, couponCodes.bare(1)],
] as const;

describe.each(FIELDS)('The schema of %s.%s', (name, field, good, bad) => {
  const sample = sendable.find(([one]) => one === name);
  const schema = ref(`${name}Input`);
  const other = new Validator({ ...schema, components }, '2020-12', false);
  const body = (value: unknown): object => ({ ...sample?.[1], [field]: value });

  it.each(good)('accepts %j', (value) => {
    expect(problems(schema, body(value))).toEqual([]);
    expect(other.validate(body(value)).errors).toEqual([]);
  });

  it.each(bad)('refuses %j', (value) => {
    expect(problems(schema, body(value))).not.toEqual([]);
    expect(other.validate(body(value)).valid).toBe(false);
  });
});

describe('A request', () => {
  it('requires exactly what the service requires', () => {
    for (const [name, full, bare] of [
      ...sendable,
      ['Profile', fullProfile, bareProfile] as const,
    ]) {
      expect(problems(ref(`${name}Input`), full)).toEqual([]);
      expect(problems(ref(`${name}Input`), bare)).toEqual([]);
      expect(problems(ref(`${name}Patch`), {})).toEqual([]);
      expect(problems(ref(`${name}Input`), {})).not.toEqual([]);
      expect(problems(ref(`${name}Input`), { ...full, colour: 'red' })).not.toEqual([]);
    }
  });
});

describe('multipleOf', () => {
  // For this reason the limit of two decimals is in the descriptions, not in the schemas.
  it('would refuse percents that the service accepts', () => {
    const schema = { type: 'number', multipleOf: 0.01 };
    expect([0.07, 0.29, 57.3, 4.35].map((value) => problems(schema, value).length)).toContain(1);
    expect(JSON.stringify(components)).not.toContain('multipleOf');
  });
});

const all = collections;

/** Texts about a resource of one of these collections. */
function ofNouns(some: typeof all, rest: string): RegExp {
  return new RegExp(`^(${some.map(({ noun }) => noun).join('|')}) ${rest}$`);
}

/** The texts of the errors, by status. */
const TEXTS: Readonly<Record<string, RegExp>> = {
  400: /^(Invalid JSON payload\.|Invalid request: .+)$/,
  401: /^(Missing API key\.|Conflicting API keys\.|Invalid API key\.)$/,
  403: /^(This brand is suspended|This API key is read-only)\.$/,
  404: ofNouns(all, 'not found\\.'),
  409: ofNouns(
    all.filter(({ unique }) => unique !== undefined),
    '"[^"]+" already exists\\.',
  ),
  410: /^This token is no longer good\. Start again with since=0\.$/,
  412: /^Precondition failed/,
  413: /^Request body too large\. The limit( of products\.3)? is (256 KiB|520 KiB|2048 KiB)\.$/,
  422: /^Idempotency-Key/,
  429: /^Rate limit exceeded: (1000|300) requests .+ per 10 seconds\.$/,
  500: /^Internal server error\.$/,
  503: /^Service temporarily unavailable\.$/,
};

const EVERYWHERE = ['400', '401', '403', '429', '500', '503'];

/** The additional errors of an operation, by the verb of its id. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  list: ['410'],
  create: ['413', '422'],
  get: ['404'],
  replace: ['404', '412', '413'],
  update: ['404', '412', '413'],
  delete: ['404', '412'],
};

/** Those that a unique field adds. */
const CONFLICTS = ['create', 'replace', 'update'];

function errorsOf(operationId: string): readonly string[] {
  const [verb = ''] = /^[a-z]+/.exec(operationId) ?? [];
  const added = ERRORS[verb];
  if (added === undefined) {
    throw new Error(`Add the errors of ${operationId} to ERRORS in openapi-schemas.test.ts.`);
  }
  // There is always a profile.
  if (operationId.endsWith('Profile')) return added.filter((status) => status !== '404');
  const named = operationId.slice(verb.length).toLowerCase();
  const isUnique = all.some(
    ({ keys, unique }) => unique !== undefined && keys.one.toLowerCase() === named,
  );
  return isUnique && CONFLICTS.includes(verb) ? [...added, '409'] : added;
}

describe('The errors of the document', () => {
  const response = z.object({ content });
  const error = z.strictObject({ error: z.string() });
  const operation = z.object({
    operationId: z.string(),
    responses: z.record(z.string(), z.looseObject({ $ref: z.string().optional() })),
  });
  const operations = find(operation, paths).map(([, found]) => found);

  it.each(operations)('are complete, each with its text: $operationId', (found) => {
    const { operationId, responses } = found;
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    const expected = [...EVERYWHERE, ...errorsOf(operationId)].sort();
    expect(errors.map(([status]) => status)).toEqual(expected);
    for (const [status, { $ref = '' }] of errors) {
      const declared = response.parse(components['responses']?.[$ref.split('/').at(-1) ?? '']);
      const { example, examples = { only: { value: example } } } =
        declared.content['application/json'];
      expect(Object.keys(examples).length, status).toBeGreaterThan(0);
      for (const { value } of Object.values(examples)) {
        expect(error.parse(value).error).toMatch(TEXTS[status] ?? /^$/);
      }
    }
  });
});

describe('The headers of the responses', () => {
  const header = z.looseObject({ schema: z.record(z.string(), z.unknown()) });
  const headers = Object.entries(z.record(z.string(), header).parse(components['headers']));

  it.each(headers)('have a constant value or a valid example: %s', (_, found) => {
    const { const: constant, examples = [constant] } = found.schema;
    const values = z.array(z.string()).min(1).parse(examples);
    for (const value of values) expect(problems(found.schema, value)).toEqual([]);
  });
});

describe('The defaults', () => {
  const schemas = Object.entries(components['schemas'] ?? {});
  const property = z.looseObject({
    description: z.string().default(''),
    readOnly: z.boolean().default(false),
  });
  const body = z.object({
    properties: z.record(z.string(), property),
    required: z.array(z.string()).default([]),
  });

  it('are in the description of every field that may be absent from a whole resource', () => {
    const inputs = schemas.filter(([name]) => /^(Product|CouponCode)Input$/.test(name));
    expect(inputs).toHaveLength(2);
    for (const [, schema] of inputs) {
      const { properties, required } = body.parse(schema);
      for (const [field, { description, readOnly }] of Object.entries(properties)) {
        const hasDefault = !readOnly && !required.includes(field);
        expect(/Default: \S.*\.$/.test(description), `${field}: ${description}`).toBe(hasDefault);
      }
    }
  });

  // With its default options, openapi-typescript makes a field with a `default` required.
  it('are in no schema', () => {
    expect(
      find(z.looseObject({ default: z.unknown() })).filter(
        ([, { default: value }]) => value !== undefined,
      ),
    ).toEqual([]);
  });
});
