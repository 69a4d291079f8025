import * as z from 'zod';
import type { Answer } from './answer.ts';
import { described } from './answer.ts';
import type { Contract } from './contract.ts';

const errorBody = z.strictObject({ error: z.string() });

/** The headers of every API response, with the patterns that their values must match. */
const REQUIRED: Readonly<Record<string, RegExp>> = {
  'Cache-Control': /^no-store$/,
  'X-Request-Id': /^\S+$/,
  'Strict-Transport-Security': /max-age=[1-9]/,
  'Content-Security-Policy': /default-src 'none'/,
  'X-Content-Type-Options': /^nosniff$/,
  'X-Frame-Options': /^DENY$/,
  'Referrer-Policy': /^no-referrer$/,
};

/** The additional headers of a response if the key was accepted. */
const WITH_KEY: Readonly<Record<string, RegExp>> = {
  'RateLimit-Policy': /^"key";q=\d+;w=\d+$/,
  'x-d1-bookmark': /^\S+$/,
};

/** Headers that would let a page of another origin read brands' data, or start a session. */
const FORBIDDEN = ['Access-Control-Allow-Origin', 'Set-Cookie'];

/** Words of SQLite, stack traces and the runtime, which an error must not contain. */
const INSIDE =
  /SQLITE_|D1_ERROR|\b(?:insert into|delete from|from api_keys|from brands)\b|\n {2,8}at |\.[jt]s:\d/i;

/** Returns how a response breaks the rules that apply to all responses. */
export function problemsOfEveryAnswer(answer: Answer, contract: Contract): string[] {
  const { status, headers, method, path } = answer;
  const isOperation = contract.operationAt(method, path.split('?', 1)[0] ?? '') !== undefined;
  const hasKey = isOperation && status < 500 && ![401, 405, 429].includes(status);
  const problems: string[] = [];
  for (const [name, form] of Object.entries({ ...REQUIRED, ...(hasKey && WITH_KEY) })) {
    const value = headers.get(name);
    if (value === null) problems.push(`the header ${name} is missing`);
    else if (!form.test(value)) problems.push(`the header ${name} is ${value}`);
  }
  for (const name of FORBIDDEN) {
    if (headers.has(name)) problems.push(`the header ${name} must not be there`);
  }
  return [...problems, ...problemsOfBody(answer)].map((text) => `${described(answer)}: ${text}`);
}

function problemsOfBody({ method, status, headers, text, body }: Answer): string[] {
  if (method === 'HEAD' || status === 204 || status === 304) {
    return text === '' ? [] : ['there must be no body'];
  }
  const problems: string[] = [];
  if (headers.get('Content-Type') !== 'application/json' || body === undefined) {
    problems.push(`not JSON, but ${headers.get('Content-Type') ?? 'without a Content-Type'}`);
  }
  if (status >= 400) {
    if (!errorBody.safeParse(body).success) {
      problems.push('the error is not { "error": "…" }');
    }
    if (INSIDE.test(text)) problems.push('the error shows the inside of the service');
  }
  return problems;
}
