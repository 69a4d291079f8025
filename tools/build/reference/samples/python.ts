import { addressOf } from './curl.ts';
import type { SampleRequest } from './requests.ts';

const INDENT = '    ';

/** What the samples of the guides begin with, too. */
const SETUP = [
  'key = os.environ["BRAND_API_KEY"].strip()',
  '# A redirect would take the key to another host.',
  'redirects = urllib.request.HTTPRedirectHandler()',
  'redirects.redirect_request = lambda *_: None',
  'opener = urllib.request.build_opener(redirects)',
];

/** A request as a program in Python 3, with its standard library. The key is in the variable BRAND_API_KEY. */
export function pythonSample({ operation, target, query, body }: SampleRequest): string {
  const sends = body !== undefined;
  const headers = ['"Authorization": f"Bearer {key}",'];
  if (sends) headers.push('"Content-Type": "application/json",');
  return [
    'import json',
    'import os',
    'import urllib.request',
    '',
    ...SETUP,
    '',
    ...(sends ? [`body = ${pythonLiteral(body)}`] : []),
    'request = urllib.request.Request(',
    `${INDENT}"${addressOf(target, query)}",`,
    ...(operation.method === 'get' ? [] : [`${INDENT}method="${operation.method.toUpperCase()}",`]),
    ...(sends ? [`${INDENT}data=json.dumps(body).encode(),`] : []),
    `${INDENT}headers={`,
    ...headers.map((line) => INDENT + INDENT + line),
    `${INDENT}},`,
    ')',
    'with opener.open(request) as response:',
    `${INDENT}print(json.load(response))`,
  ].join('\n');
}

/** A JSON value as Python writes it, objects and lists on lines of their own. */
function pythonLiteral(value: unknown, indent = ''): string {
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
