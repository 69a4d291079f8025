import type { Code } from '../code.ts';
import { ORIGIN } from '../code.ts';
import type { Operation } from '../document.ts';
import type { SampleRequest } from './requests.ts';
import { requestsOf } from './requests.ts';
import { typescriptSample } from './typescript.ts';

/** A request in every language. The key is in the variable BRAND_API_KEY. */
export interface Sample {
  readonly title: string;
  readonly codes: readonly Code[];
}

/** The samples of an operation. */
export function samplesOf(operation: Operation): Promise<Sample[]> {
  return Promise.all(
    requestsOf(operation).map(async (request) => ({
      title: request.title,
      codes: [
        { language: 'sh', text: curlSample(request) },
        { language: 'ts', text: await typescriptSample(request) },
        { language: 'python', text: pythonSample(request) },
      ],
    })),
  );
}

/** A request as a command for a POSIX shell. */
function curlSample({ operation, address, body }: SampleRequest): string {
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

/** What Python writes in another way than JSON. */
const LITERALS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A request as a program in Python 3, with the module `brand_api` that a guide has the reader save. */
function pythonSample({ operation, address, body }: SampleRequest): string {
  const path = JSON.stringify(address.replace('/api/brand/v1', ''));
  if (operation.id.startsWith('list')) {
    return `from brand_api import pages\n\nfor page in pages(${path}):\n    print(page)`;
  }
  const values = [JSON.stringify(operation.method.toUpperCase()), path];
  if (body !== undefined) {
    // A text ends with a quotation mark, so these words at the end of a line are no part of one.
    const json = JSON.stringify(body, null, 4);
    values.push(json.replaceAll(/\b(?:true|false|null)(?=,?$)/gm, (word) => LITERALS[word] ?? ''));
  }
  return `from brand_api import call\n\nbody, headers = call(${values.join(', ')})\nprint(body)`;
}
