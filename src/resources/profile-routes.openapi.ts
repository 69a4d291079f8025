import type { DescribedService } from '../../tools/build/openapi/described.ts';
import * as examples from '../../tools/build/openapi/examples.ts';
import type { DescribedOperation, Item } from '../../tools/build/openapi/operation.ts';
import { changeByBody, readOf } from '../../tools/build/openapi/operation.ts';
import { json, ref } from '../../tools/build/openapi/schema.ts';

export function profileOperations({ brand, connection }: DescribedService): DescribedOperation[] {
  const item: Item = {
    path: '/profile',
    name: 'Profile',
    noun: 'profile',
    article: 'the',
    tag: 'Profile',
    parameters: [],
    content: json(ref('schemas', 'Profile'), examples.profile(brand, connection)),
  };
  const whole = { brand: examples.writable(brand), connection: examples.writable(connection) };
  return [
    readOf(item),
    {
      method: 'put',
      operationId: 'replaceProfile',
      summary: 'Replace the profile',
      description:
        'Replaces all writable fields; omitted fields are reset to their defaults. Read-only fields are ignored.',
      ...changeByBody(item, 'Input', whole),
    },
    {
      method: 'patch',
      operationId: 'updateProfile',
      summary: 'Change fields of the profile',
      description: 'Changes exactly the fields in the body.',
      ...changeByBody(item, 'Patch', { connection: { syncEnabled: true } }),
    },
  ];
}
