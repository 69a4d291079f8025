import type { DescribedCollection } from '../../tools/build/openapi/described.ts';
import * as examples from '../../tools/build/openapi/examples.ts';
import type { DescribedOperation } from '../../tools/build/openapi/operation.ts';
import { errors, response } from '../../tools/build/openapi/operation.ts';
import { parameterRefs, postParameters } from '../../tools/build/openapi/parameters.ts';
import type { Schema } from '../../tools/build/openapi/schema.ts';
import { jsonOf, ref } from '../../tools/build/openapi/schema.ts';
import { MAX_ITEMS } from './envelope.ts';

/** A POST creates, or pushes with `match`. */
export function create(described: DescribedCollection): DescribedOperation {
  const { one, many, noun, nouns, heading } = described;
  const { path, keys, unique } = described.collection;
  const schema = (suffix: string): Schema => ref('schemas', `${one}${suffix}`);
  const input = examples.input(described);
  const example = examples.resource(described);
  const updated = { id: examples.ID, status: 'updated' };
  const unchanged = { id: examples.ID, status: 'unchanged' };
  const deleted = { id: examples.DELETED_ID, status: 'deleted' };
  const refused = { id: null, status: 'refused', error: 'colour: unknown field' };
  return {
    method: 'post',
    path: `/${path}`,
    operationId: `create${one}`,
    summary: `Create or push ${nouns}`,
    description: [
      `Creates one ${noun}, or, if the body has the shape of a list, up to ${MAX_ITEMS} in one transaction: all or none.`,
      `With \`match\` the request is a push: an item that matches a ${noun} updates the fields in the item, and an item that matches none is created. An item with \`"deleted": true\` deletes the ${noun} that it matches. If an item is refused, nothing is written, unless the request has \`Prefer: handling=lenient\`.`,
      'With `dryRun=true` it reports what the push would do, and writes nothing.',
    ].join('\n\n'),
    tags: [heading],
    parameters: [...postParameters(described), ...parameterRefs('Prefer', 'IdempotencyKey')],
    requestBody: {
      required: true,
      content: jsonOf(
        { anyOf: [schema('Input'), schema('ListInput'), schema('PushInput')] },
        {
          one: [`One ${noun}`, input],
          list: [`A list of ${nouns}, to create or to push`, { [keys.many]: [input] }],
          deletion: ['A deletion, in a push', { [keys.many]: [examples.deletion(described)] }],
        },
      ),
    },
    responses: {
      200: response(
        'What the push did, or would do with `dryRun=true`.',
        jsonOf(schema('PushResponse'), {
          push: ['A push', { [keys.many]: [example], results: [updated] }],
          lenient: [
            'A push with Prefer: handling=lenient, return=minimal',
            { results: [unchanged, deleted, refused] },
          ],
          dryRun: ['A dry run', { results: [{ id: null, status: 'created' }] }],
        }),
        {
          'Preference-Applied': ref('headers', 'PreferenceApplied'),
          'Idempotent-Replayed': ref('headers', 'Replayed'),
        },
      ),
      201: response(
        `The ${noun} as it was created, or the list of them.`,
        jsonOf(
          { oneOf: [schema('Envelope'), schema('List')] },
          {
            one: [`One ${noun}`, { [keys.one]: example }],
            list: [`A list of ${nouns}`, { [keys.many]: [example] }],
          },
        ),
        { ETag: ref('headers', 'ETagOfOne'), 'Idempotent-Replayed': ref('headers', 'Replayed') },
      ),
      ...errors({
        400: `Invalid${many}`,
        403: 'Forbidden',
        ...(unique && { 409: `${one}Exists` }),
        413: 'ListTooLarge',
        422: 'IdempotencyKeyReused',
      }),
    },
  };
}
