import { format } from 'prettier';
import { ORIGIN } from '../code.ts';
import type { SampleRequest } from './requests.ts';

/** What a program with the typed client begins with. The key is in the variable BRAND_API_KEY. */
export const CLIENT = `import { BrandClient } from 'brand-integration-client';

const client = new BrandClient({
  apiKey: process.env.BRAND_API_KEY ?? '',
  baseUrl: '${ORIGIN}',
});

`;

/**
 * A request as a program with the typed client.
 * @throws Error if it does not know the client's method for the operation
 */
export async function typescriptSample(request: SampleRequest): Promise<string> {
  const options = { parser: 'typescript', printWidth: 64, singleQuote: true };
  return (await format(CLIENT + callOf(request), options)).trimEnd();
}

function callOf({ operation, id, query, body }: SampleRequest): string {
  const values = [id, body].filter((value) => value !== undefined);
  const list = values.map((value) => JSON.stringify(value)).join();
  if (operation.tag === 'Profile') {
    return `const { data, etag } = await client.${operation.id}(${list});\nconsole.log(data, etag);`;
  }
  // `client.couponCodes` has the operations of `Coupon codes`.
  const collection = operation.tag
    .toLowerCase()
    .replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  const client = `client.${collection}`;
  const verb = /^[a-z]+/.exec(operation.id)?.[0] ?? '';
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
        ? `const results = await ${client}.push(${JSON.stringify(itemsOf(body))}, ${JSON.stringify(query)});
           for (const { id, status } of results) console.log(id, status);`
        : `const { data, etag } = await ${client}.create(${list});\nconsole.log(data.id, etag);`;
    case 'delete':
      return `await ${client}.delete(${list});`;
    case 'get':
    case 'replace':
    case 'update':
      return `const { data, etag } = await ${client}.${verb}(${list});\nconsole.log(data, etag);`;
    default:
      throw new Error(
        `Say in tools/build/reference/samples/typescript.ts how the client does ${operation.id}.`,
      );
  }
}

/** The items of a list in its envelope. */
function itemsOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? Object.values(body)[0] : undefined;
}
