import type { DescribedCollection } from '../../tools/build/openapi/described.ts';
import * as examples from '../../tools/build/openapi/examples.ts';
import type { DescribedOperation } from '../../tools/build/openapi/operation.ts';
import { changeOf, itemOf, response } from '../../tools/build/openapi/operation.ts';
import { json, ref } from '../../tools/build/openapi/schema.ts';

export function remove(described: DescribedCollection): DescribedOperation {
  const { one, noun, collection } = described;
  const deleted = { [collection.keys.deleted]: examples.ID, success: true };
  return {
    method: 'delete',
    operationId: `delete${one}`,
    summary: `Delete a ${noun}`,
    description: `Deletes the ${noun} permanently. A second DELETE returns 404.`,
    ...changeOf(itemOf(described), {
      answer: response(`The ${noun} is deleted.`, json(ref('schemas', `${one}Deleted`), deleted)),
    }),
  };
}
