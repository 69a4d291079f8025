import type { DescribedCollection } from '../../tools/build/openapi/described.ts';
import * as examples from '../../tools/build/openapi/examples.ts';
import type { DescribedOperation } from '../../tools/build/openapi/operation.ts';
import { changeByBody, itemOf } from '../../tools/build/openapi/operation.ts';
import { replacementRule } from '../../tools/build/openapi/schemas.ts';

/** PUT. */
export function replace(described: DescribedCollection): DescribedOperation {
  const { one, noun } = described;
  return {
    method: 'put',
    operationId: `replace${one}`,
    summary: `Replace a ${noun}`,
    description: `Replaces the ${noun}. ${replacementRule(described)} Read-only fields are ignored.`,
    ...changeByBody(itemOf(described), 'Replacement', examples.writable(described)),
  };
}

/** PATCH. */
export function update(described: DescribedCollection): DescribedOperation {
  const { one, noun } = described;
  return {
    method: 'patch',
    operationId: `update${one}`,
    summary: `Change fields of a ${noun}`,
    description: 'Changes exactly the fields in the body.',
    ...changeByBody(itemOf(described), 'Patch', examples.patch(described)),
  };
}
