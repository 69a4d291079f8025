import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { document } from '../../src/openapi/document.ts';

// Writes the document to where the Worker's static assets are served from, and the types of the client: `npm run openapi`.

/** What is made of the document, by file. */
export async function generate(): Promise<Readonly<Record<string, string>>> {
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const types = astToString(
    await openapiTypescript(json, { alphabetize: true, defaultNonNullable: false }),
  );
  return {
    'public/api/brand/v1/openapi.json': json,
    'client/src/schema.ts': `// Made from the OpenAPI document by «npm run openapi».\n\n${types}`,
  };
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generate())) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
