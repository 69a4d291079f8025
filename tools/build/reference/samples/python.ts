import { queryOf } from './curl.ts';
import type { SampleRequest } from './requests.ts';

const INDENT = '    ';

/** What the module of the guide puts before each path. */
const BASE = /^\/api\/brand\/v1/;

/** A request as a program in Python 3, with the module `brand_api` that a guide has the reader save. */
export function pythonSample({ operation, target, query, body }: SampleRequest): string {
  const path = JSON.stringify(target.replace(BASE, '') + queryOf(query));
  if (operation.id.startsWith('list')) {
    return [
      'from brand_api import pages',
      '',
      `for page in pages(${path}):`,
      `${INDENT}print(page)`,
    ].join('\n');
  }
  const all = [
    JSON.stringify(operation.method.toUpperCase()),
    path,
    ...(body === undefined ? [] : [pythonLiteral(body, INDENT)]),
  ];
  const isLong = body !== undefined;
  const call = isLong
    ? `call(\n${all.map((one) => `${INDENT}${one},\n`).join('')})`
    : `call(${all.join(', ')})`;
  return ['from brand_api import call', '', `body, headers = ${call}`, 'print(body)'].join('\n');
}

/** A JSON value as Python writes it, objects and lists on lines of their own. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + INDENT;
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map((item) => pythonLiteral(item, inner))]
    : [
        '{',
        '}',
        Object.entries(value).map(
          ([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item, inner)}`,
        ),
      ];
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
