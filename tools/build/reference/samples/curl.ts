import { ORIGIN } from '../highlight.ts';
import type { SampleRequest } from './requests.ts';

/** A request as a command for a POSIX shell. The key is in the variable BRAND_API_KEY. */
export function curlSample({ operation, target, query, body }: SampleRequest): string {
  const method = operation.method.toUpperCase();
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"${addressOf(target, query)}"`,
    `-H "Authorization: Bearer $BRAND_API_KEY"`,
  ];
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`);
    lines.push('-H "Content-Type: application/json"', `-d '${json.replaceAll('\n', '\n  ')}'`);
  }
  return lines.join(' \\\n  ');
}

/** The whole URL of a request. */
export function addressOf(target: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  return ORIGIN + target + (search && `?${search}`);
}
