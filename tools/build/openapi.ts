import { writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import * as z from 'zod';
import { describeService } from './openapi/described.ts';
import { openApiDocument } from './openapi/document.ts';
import { ResourceMistake } from './openapi/mistake.ts';
import { profile } from '../../src/resources/profile.ts';
import { collections } from '../../src/resources/registry.ts';
import { exportSchema } from './export-schema.ts';
import { readMeanings } from './meanings.ts';

// Writes what is derived from the resource files: the document, to where the Worker's static assets are served from, the
// types of the client, and the schema of exported brands. `npm run openapi`.

/** The parts of the document that the client's types do not use. Every installation would have them. */
const UNUSED =
  /^(put|patch|delete|requestBody|responses|headers|Error|PushResult|[A-Z]\w*(Changes|Deleted|Envelope|List|ListInput|PushInput|PushItem|PushResponse))$/;

/**
 * What is generated, by file.
 * @throws ResourceMistake naming every field that lacks a meaning or an example
 */
export async function generate(): Promise<Readonly<Record<string, string>>> {
  const service = describeService(profile, collections, await readMeanings());
  const json = `${JSON.stringify(openApiDocument(service), null, 2)}\n`;
  const types = astToString(
    await openapiTypescript(usedByClient(json), {
      alphabetize: true,
      // As a union of all codes, no price list that was read from a file would fit it.
      transform: (_, { path }) =>
        path === '#/components/schemas/CurrencyCode'
          ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword)
          : undefined,
    }),
  );
  return {
    'public/api/brand/v1/openapi.json': json,
    'client/src/schema.ts': `// Generated from the OpenAPI document by "npm run openapi".\n\n${withoutPaths(types)}`,
    'docs/brand-export.schema.json': `${JSON.stringify(exportSchema(service), null, 2)}\n`,
  };
}

if (import.meta.main) {
  try {
    for (const [file, text] of Object.entries(await generate())) {
      await writeFile(file, text);
    }
  } catch (error) {
    if (!(error instanceof ResourceMistake)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** The document with only what the client uses: resources, bodies, and the parameters that operations do not share. */
function usedByClient(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => {
      if (UNUSED.test(key)) return undefined;
      if (key !== 'parameters') return value;
      return Array.isArray(value) ? value.filter(isInQuery) : undefined;
    }),
  );
}

function isInQuery(parameter: unknown): boolean {
  return z.object({ in: z.literal('query') }).safeParse(parameter).success;
}

/** Leaves out the interface of paths, which the client does not use. */
function withoutPaths(types: string): string {
  return types.slice(types.indexOf('export type webhooks'));
}
