import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { ERROR_CODES } from '../../test/support/contract.ts';
import { document } from '../../test/support/document.ts';
import { collections } from '../../test/support/collections.ts';
import { bareProfile, fullProfile } from '../../test/support/samples.ts';

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
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
  }),
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

it('No text of the document shows the name of a variable in place of its value', () => {
  expect(JSON.stringify(document).match(/\$\{\w+\}/g)).toBeNull();
});

it('The schemas of the document compile in strict mode', () => {
  for (const name of Object.keys(components['schemas'] ?? {})) {
    expect(() => problems(ref(name), null), name).not.toThrow();
  }
});

/** Values that the service refuses, by schema and field. Other tests send what it accepts, and check it too. */
const REFUSED: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['Product', 'title', ['', '\u0000', 'a\nb', '\u0085', '\u007f']],
  ['Product', 'description', ['\u0000', '\u0085', '\u001f']],
  [
    'Product',
    'imageUrl',
    ['ftp://a.example', 'a.example', 'https://', 'https://a b', 'javascript:alert(1)', ''],
  ],
  ['Product', 'handle', ['', 'A', 'a b', 'a/b', 'a"b', 'a%', '\u0085']],
  ['Product', 'currencyCode', ['usd', 'AAA', 'US', 'DEM', null]],
  ['Product', 'lastSyncError', ['']],
  ['Product', 'discountPercent', [-1, 100.01, '1']],
  ['Product', 'marginPercent', [-1000.5, 101]],
  ['CouponCode', 'discountPercent', [-0.01, 101]],
  ['CouponCode', 'code', ['', '  ', 'a\nb', 'x'.repeat(256)]],
];

const sendable = collections.map(({ one, full, bare }) => {
  const schema = one.charAt(0).toUpperCase() + one.slice(1);
  return [schema, full, bare(1)] as const;
});

it.each(REFUSED)('The schema of a field refuses bad values: %s.%s, %j', (name, field, values) => {
  const sample = sendable.find(([one]) => one === name);
  for (const value of values) {
    const body = { ...sample?.[1], [field]: value };
    expect(problems(ref(`${name}Input`), body), JSON.stringify(value)).not.toEqual([]);
  }
});

it('A request requires exactly what the service requires', () => {
  for (const [name, full, bare] of [...sendable, ['Profile', fullProfile, bareProfile] as const]) {
    expect(problems(ref(`${name}Input`), full)).toEqual([]);
    expect(problems(ref(`${name}Input`), bare)).toEqual([]);
    expect(problems(ref(`${name}Patch`), {})).toEqual([]);
    expect(problems(ref(`${name}Input`), {})).not.toEqual([]);
    expect(problems(ref(`${name}Input`), { ...full, colour: 'red' })).not.toEqual([]);
  }
});

it('No schema has the name of something global, which it would hide in a generated client', () => {
  const names = Object.keys(components['schemas'] ?? {});
  expect(names.filter((name) => name in globalThis)).toEqual([]);
});

/** The table of errors in the reference, a row for each. */
const ROWS = readFileSync('docs/reference.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d{3} /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The texts of the errors in the table, or their beginnings, each with its status. */
const TEXTS = ROWS.flatMap(([, status = '', , , text = '']) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, start = '']) => ({ status, start })),
);

it('The words of X-Error are in the table of the reference, with their statuses', () => {
  const words = Object.entries(ERROR_CODES).flatMap(([status, codes]) =>
    codes.map((code) => `${status} \`${code}\``),
  );
  expect(ROWS.map(([, status = '', code = '']) => `${status} ${code}`).sort()).toEqual(
    words.sort(),
  );
});

/** The errors of src/errors.ts: status, word, and the text with its variables as in a template. */
const RAISED = [
  ...readFileSync('src/errors.ts', 'utf8').matchAll(
    /\b(\d{3}),\s*'([\w-]+)',\s*(?:'([^']+)'|`([^`]+)`)/g,
  ),
].map(([, status = '', code = '', text, template = text]) => ({
  status,
  code,
  text: template ?? '',
}));

/** Whether a text in the table is this text, its beginning, or an example of it. */
function isShownBy(shown: string, template: string): boolean {
  const parts = template.split(/\$\{[^}]*\}/);
  let from = 0;
  const isExample = parts.every((part, at) => {
    const found = shown.indexOf(part, from);
    from = found + part.length;
    return at === 0 ? found === 0 : found >= 0;
  });
  return template.startsWith(shown) || (isExample && from === shown.length);
}

it('The errors of src/errors.ts are in the table of the reference', () => {
  const words = new Set(Object.values(ERROR_CODES).flat());
  // What no class stands for.
  words.delete('internal');
  expect([...new Set(RAISED.map(({ code }) => code))].sort()).toEqual([...words].sort());
  const missing = RAISED.filter(
    ({ status, code, text }) =>
      !ROWS.some(
        ([, ofRow, word, , cell = '']) =>
          ofRow === status &&
          word === `\`${code}\`` &&
          [...cell.matchAll(/`([^`]+)`/g)].some(([, shown = '']) => isShownBy(shown, text)),
      ),
  );
  expect(missing, 'add these to the table of errors in docs/reference.md').toEqual([]);
});

it('The errors of the document are in the table of the reference, with their statuses', () => {
  const error = z.strictObject({ error: z.string() });
  const operation = z.object({
    operationId: z.string(),
    responses: z.record(z.string(), z.looseObject({ $ref: z.string().optional() })),
  });
  const missing = new Map<string, string>();
  for (const [, { operationId, responses }] of find(operation, paths)) {
    for (const [status, response] of Object.entries(responses)) {
      const { $ref } = response;
      if (Number(status) < 400) continue;
      const declared = $ref ? components['responses']?.[$ref.split('/').at(-1) ?? ''] : response;
      const { example, examples = { only: { value: example } } } = z
        .object({ content })
        .parse(declared).content['application/json'];
      for (const { value } of Object.values(examples)) {
        const text = error.parse(value).error;
        const isListed = TEXTS.some((one) => one.status === status && text.startsWith(one.start));
        if (!isListed) missing.set(`${status} ${text}`, operationId);
      }
    }
  }
  expect(
    Object.fromEntries(missing),
    'add these to the table of errors in docs/reference.md',
  ).toEqual({});
});

const schemas = Object.entries(components['schemas'] ?? {});
const property = z.looseObject({
  description: z.string().default(''),
  readOnly: z.boolean().default(false),
});
const body = z.object({
  properties: z.record(z.string(), property),
  required: z.array(z.string()).default([]),
});

it('The defaults are in the description of every field that may be absent from a whole resource', () => {
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
it('The defaults are in no schema', () => {
  expect(
    find(z.looseObject({ default: z.unknown() })).filter(
      ([, { default: value }]) => value !== undefined,
    ),
  ).toEqual([]);
});
