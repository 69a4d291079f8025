import type { SampleRequest } from './requests.ts';

/** What the module of the guide puts before each path. */
const BASE = /^\/api\/brand\/v1/;

/** What Python writes in another way than JSON. */
const LITERALS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A request as a program in Python 3, with the module `brand_api` that a guide has the reader save. */
export function pythonSample({ operation, address, body }: SampleRequest): string {
  const path = JSON.stringify(address.replace(BASE, ''));
  if (operation.id.startsWith('list')) {
    return `from brand_api import pages\n\nfor page in pages(${path}):\n    print(page)`;
  }
  const values = [JSON.stringify(operation.method.toUpperCase()), path];
  if (body !== undefined) values.push(pythonLiteral(body));
  return `from brand_api import call\n\nbody, headers = call(${values.join(', ')})\nprint(body)`;
}

/** A text ends with a quotation mark, so these words at the end of a line are no part of one. */
function pythonLiteral(value: unknown): string {
  const json = JSON.stringify(value, null, 4);
  return json.replaceAll(/\b(?:true|false|null)(?=,?$)/gm, (word) => LITERALS[word] ?? word);
}
