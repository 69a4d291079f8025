import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';

/** Writes the types for openapi-fetch; see `Generate` for the parameters. */
export async function generate(path: string, document: string): Promise<void> {
  const types = await openapiTypescript(await readFile(document, 'utf8'));
  await writeFile(`${path}/schema.ts`, astToString(types));
}
