import { ORIGIN } from '../code.ts';
import type { SampleRequest } from './requests.ts';

/** A request as a command for a POSIX shell. The key is in the variable BRAND_API_KEY. */
export function curlSample({ operation, address, body }: SampleRequest): string {
  const method = operation.method.toUpperCase();
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"${ORIGIN}${address}"`,
    `-H "Authorization: Bearer $BRAND_API_KEY"`,
  ];
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`);
    lines.push('-H "Content-Type: application/json"', `-d '${json.replaceAll('\n', '\n  ')}'`);
  }
  return lines.join(' \\\n  ');
}
