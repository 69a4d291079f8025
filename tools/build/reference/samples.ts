import { format } from 'prettier';
import type { Code } from './code.ts';
import { ORIGIN } from './code.ts';
import type { Operation } from './document.ts';
import { exampleText } from './html.ts';

/** A request that shows what an operation is for, in every language. The key is in the variable BRAND_API_KEY. */
export interface Sample {
  readonly title: string;
  readonly codes: readonly Code[];
}

interface Request {
  readonly title: string;
  readonly operation: Operation;
  /** The path with the example of the id in it, and the query. */
  readonly address: string;
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** The `If-Match` of a change without an id, so that nobody overwrites their own profile with an example. */
  readonly tag: string | undefined;
  /** Whether it creates a resource: with an `Idempotency-Key`, running a sample twice creates one. */
  readonly isCreation: boolean;
  readonly body: unknown;
}

/**
 * The samples of an operation.
 * @throws Error if a parameter has no example
 */
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

function requestsOf(operation: Operation): Request[] {
  const { id, summary, body } = operation;
  const [one, list] = body?.examples.map(({ value }) => value) ?? [];
  if (id.startsWith('list')) {
    const titles = { limit: summary, since: 'Follow what changes' };
    return Object.entries(titles).map(([name, title]) => requestOf(operation, title, one, [name]));
  }
  if (!id.startsWith('create')) return [requestOf(operation, summary, one)];
  return [
    requestOf(operation, 'Create one', one),
    // A push of examples could change a resource of the reader.
    requestOf(operation, 'Push a list (a dry run)', list, ['match', 'dryRun']),
  ];
}

/** @param inQuery the parameters that the query has */
function requestOf(
  operation: Operation,
  title: string,
  body: unknown,
  inQuery: readonly string[] = [],
): Request {
  const exampleOf = (name: string): string => {
    const { example } = operation.parameters.find((one) => one.name === name) ?? {};
    if (example !== undefined) return exampleText(example);
    throw new Error(`${operation.id} has no example of its parameter ${name}.`);
  };
  const [placeholder = '', inPath] = /\{(\w+)\}/.exec(operation.path) ?? [];
  const id = inPath && exampleOf(inPath);
  const query = Object.fromEntries(inQuery.map((name) => [name, exampleOf(name)]));
  const search = inQuery.length > 0 ? `?${new URLSearchParams(query).toString()}` : '';
  const isProfile = id === undefined && ['put', 'patch'].includes(operation.method);
  const address = operation.path.replace(placeholder, id ?? '') + search;
  const tag = isProfile ? exampleOf('If-Match') : undefined;
  const isCreation = operation.id.startsWith('create') && inQuery.length === 0;
  return { title, operation, address, id, query, tag, isCreation, body };
}

/** The `Idempotency-Key` of a creation. Each language writes another body, so each has a key of its own. */
function keyOf({ operation, isCreation }: Request, language: string): string | undefined {
  return isCreation ? `${operation.id}-${language}-1` : undefined;
}

function curlSample(request: Request): string {
  const { operation, address, tag, body } = request;
  const key = keyOf(request, 'curl');
  const method = operation.method.toUpperCase();
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"${ORIGIN}${address}"`,
    `-H "Authorization: Bearer $BRAND_API_KEY"`,
  ];
  if (tag !== undefined) lines.push(`-H 'If-Match: ${tag}'`);
  if (key !== undefined) lines.push(`-H "Idempotency-Key: ${key}"`);
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`);
    lines.push('-H "Content-Type: application/json"', `-d '${json.replaceAll('\n', '\n  ')}'`);
  }
  return lines.join(' \\\n  ');
}

/** What Python writes in another way than JSON. */
const LITERALS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A program with the module `brand_api` that a guide has the reader save. */
function pythonSample(request: Request): string {
  const { operation, address, tag, body } = request;
  const key = keyOf(request, 'python');
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
  if (tag !== undefined) values.push(`If_Match='${tag}'`);
  if (key !== undefined) values.push(`Idempotency_Key=${JSON.stringify(key)}`);
  return `from brand_api import call\n\nbody, headers = call(${values.join(', ')})\nprint(body)`;
}

/** What a program with the typed client begins with. */
export const CLIENT = `import { BrandClient } from 'brand-integration-client';

const client = new BrandClient({
  apiKey: process.env.BRAND_API_KEY ?? '',
  baseUrl: '${ORIGIN}',
});

`;

async function typescriptSample(request: Request): Promise<string> {
  const options = { parser: 'typescript', printWidth: 64, singleQuote: true };
  const call = callOf(request);
  return (await format(call ? CLIENT + call : fetchOf(request), options)).trimEnd();
}

function fetchOf({ operation, address, body }: Request): string {
  return `const response = await fetch('${ORIGIN}${address}', {
    method: '${operation.method.toUpperCase()}',
    headers: { Authorization: \`Bearer \${process.env.BRAND_API_KEY}\` },
    ${body === undefined ? '' : `body: JSON.stringify(${JSON.stringify(body)}),`}
  });
  console.log(response.status, await response.json());`;
}

/** Returns the call of the typed client; empty if it has none. */
function callOf(request: Request): string {
  const { operation, id, query, tag, body } = request;
  const idempotencyKey = keyOf(request, 'typescript');
  const options =
    tag === undefined && idempotencyKey === undefined
      ? undefined
      : { ifMatch: tag, idempotencyKey };
  const values = [id, body, options].filter((value) => value !== undefined);
  const list = values.map((value) => JSON.stringify(value)).join();
  // `client.couponCodes` has the operations of `Coupon codes`.
  const collection = operation.tag
    .toLowerCase()
    .replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  const client = `client.${collection}`;
  const verb = /^[a-z]+/.exec(operation.id)?.[0] ?? '';
  if (operation.tag === 'Profile') return showing(`${client}.${verb}(${list})`);
  switch (verb) {
    case 'list':
      return 'since' in query
        ? `for await (const page of ${client}.changes(${JSON.stringify(query)})) {
             console.log(page.changed, page.deleted, page.since);
           }`
        : `for await (const item of ${client}.list()) {
             console.log(item);
           }`;
    case 'create':
      return 'match' in query
        ? `const results = await ${client}.push(${JSON.stringify(itemsOf(body))}, ${JSON.stringify({ match: query['match'], dryRun: true })});
           for (const { id, status } of results) console.log(id, status);`
        : showing(`${client}.create(${list})`);
    case 'delete':
      return `await ${client}.delete(${list});`;
    case 'get':
    case 'replace':
    case 'update':
      return showing(`${client}.${verb}(${list})`);
    // The client has no method for it.
    default:
      return '';
  }
}

function showing(call: string): string {
  return `const { data, etag } = await ${call};\nconsole.log(data, etag);`;
}

/** The items of a list in its envelope. */
function itemsOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? Object.values(body)[0] : undefined;
}
