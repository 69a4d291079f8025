import { readFile, writeFile } from 'node:fs/promises';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import * as z from 'zod';

const componentSchemas = z.object({
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** Writes the schemas as classes in Python; see `Generate` for the parameters. */
export async function generate(path: string, document: string): Promise<void> {
  const schemas = componentSchemas.parse(JSON.parse(await readFile(document, 'utf8')));
  const text = JSON.stringify(schemas.components.schemas)
    .replaceAll('#/components/schemas/', '#/definitions/')
    .replaceAll('"format":"date-time",', '');
  const definitions = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
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
  await writeFile(`${path}/models.py`, lines.join('\n'));
}
