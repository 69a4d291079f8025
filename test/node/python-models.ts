import { writeFile } from 'node:fs/promises';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import * as z from 'zod';

const componentSchemas = z.object({
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const anything = z.record(z.string(), z.unknown());

/**
 * Writes the schemas of an OpenAPI document as classes in Python that need nothing but its standard library. quicktype
 * reads JSON Schema only, and would read times with another package.
 * @param file where to write them
 * @param document as JSON
 */
export async function writeModels(file: string, document: string): Promise<void> {
  const { schemas } = componentSchemas.parse(JSON.parse(document)).components;
  const text = JSON.stringify(schemas)
    .replaceAll('#/components/schemas/', '#/definitions/')
    .replaceAll('"format":"date-time",', '');
  const definitions = anything.parse(JSON.parse(text));
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  );
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  const schema = JSON.stringify({ type: 'object', properties, definitions });
  await input.addSource({ name: 'Everything', schema });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: 'python',
    rendererOptions: { 'python-version': '3.7' },
  });
  await writeFile(file, lines.join('\n'));
}
