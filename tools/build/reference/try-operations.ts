import type { TryOperation } from './browser/data.ts';
import type { Document } from './document.ts';
import type { Operation } from './operations.ts';
import { examplesOf } from './operations.ts';
import { typeLabel } from './resources.ts';
import { exampleText, valuesOf } from './values.ts';

/** What the page's script needs to try the operations, by their ids. */
export function tryOperations(
  document: Document,
  operations: readonly Operation[],
): Readonly<Record<string, TryOperation>> {
  return Object.fromEntries(
    operations.map(({ id, method, path, summary, parameters, body }) => [
      id,
      {
        method: method.toUpperCase(),
        path,
        summary,
        parameters: parameters.map(({ name, in: place, required = false, schema, example }) => ({
          name,
          in: place,
          type: typeLabel(document, schema),
          values: valuesOf(schema),
          isRequired: required,
          example: example === undefined ? '' : exampleText(example),
        })),
        bodies: examplesOf(body).map(({ summary: title = 'Example', value }) => ({ title, value })),
      },
    ]),
  );
}
