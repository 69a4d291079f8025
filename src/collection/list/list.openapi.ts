import type { DescribedCollection } from '../../../tools/build/openapi/described.ts';
import * as examples from '../../../tools/build/openapi/examples.ts';
import type { DescribedOperation } from '../../../tools/build/openapi/operation.ts';
import { errors, response } from '../../../tools/build/openapi/operation.ts';
import { listParameters, parameterRefs } from '../../../tools/build/openapi/parameters.ts';
import { jsonOf, ref } from '../../../tools/build/openapi/schema.ts';

export function list(described: DescribedCollection): DescribedOperation {
  const { one, many, nouns, heading } = described;
  const { path, keys } = described.collection;
  const example = examples.resource(described);
  const changes = {
    [keys.many]: [example],
    [keys.deletedMany]: [examples.DELETED_ID],
    since: examples.token(described),
  };
  return {
    method: 'get',
    path: `/${path}`,
    operationId: `list${many}`,
    summary: `List the ${nouns}`,
    description: [
      `Lists the brand's ${nouns}, oldest first: all of them, or one page with \`limit\`.`,
      'With `since` it lists what changed after a token was issued, deletions included. Start with `since=0`, apply the response, follow `Link` while it is there, and continue later from the last `since`.',
    ].join('\n\n'),
    tags: [heading],
    parameters: [...listParameters(described), ...parameterRefs()],
    responses: {
      200: response(
        `The ${nouns}, or what changed with \`since\`.`,
        jsonOf(
          { oneOf: [ref('schemas', `${one}List`), ref('schemas', `${one}Changes`)] },
          {
            list: ['A list', { [keys.many]: [example] }],
            changes: ['What changed since a token was issued', changes],
          },
        ),
        { Link: ref('headers', 'Link') },
      ),
      ...errors({ 400: 'BadList', 410: 'TokenExpired' }),
    },
  };
}
