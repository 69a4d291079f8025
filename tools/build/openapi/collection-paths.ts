import { MAX_ITEMS } from '../../../src/collection/list-body.ts';
import type { DescribedCollection } from './described.ts';
import * as examples from './examples.ts';
import { errors, itemOperations, response } from './operations.ts';
import { listParameters, parameterRefs, pathParameter, postParameters } from './parameters.ts';
import type { Schema } from './schema.ts';
import { json, jsonOf, ref } from './schema.ts';

/** Returns the paths of a collection: the list and one resource. */
export function collectionPaths(described: DescribedCollection): Record<string, Schema> {
  const { path, idParameter } = described.collection;
  return {
    [`/${path}`]: { get: listOperation(described), post: postOperation(described) },
    [`/${path}/{${idParameter}}`]: resourceOperations(described),
  };
}

function listOperation(described: DescribedCollection): Schema {
  const { one, many, nouns, heading } = described;
  const { keys } = described.collection;
  const example = examples.resource(described);
  return {
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
            list: { summary: 'A list', value: { [keys.many]: [example] } },
            changes: {
              summary: 'What changed since a token was issued',
              value: {
                [keys.many]: [example],
                [keys.deletedMany]: [examples.DELETED_ID],
                since: examples.token(described),
              },
            },
          },
        ),
        { Link: ref('headers', 'Link') },
      ),
      ...errors({ 400: 'BadList', 410: 'TokenExpired' }),
    },
  };
}

function postOperation(described: DescribedCollection): Schema {
  const { one, many, noun, nouns, heading } = described;
  const { keys, unique } = described.collection;
  const schema = (suffix: string): Schema => ref('schemas', `${one}${suffix}`);
  const input = examples.input(described);
  const example = examples.resource(described);
  return {
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
          one: { summary: `One ${noun}`, value: input },
          list: {
            summary: `A list of ${nouns}, to create or to push`,
            value: { [keys.many]: [input] },
          },
          deletion: {
            summary: 'A deletion, in a push',
            value: { [keys.many]: [examples.deletion(described)] },
          },
        },
      ),
    },
    responses: {
      200: response(
        'What the push did, or would do with `dryRun=true`.',
        jsonOf(schema('PushResponse'), {
          push: {
            summary: 'A push',
            value: { [keys.many]: [example], results: [{ id: examples.ID, status: 'updated' }] },
          },
          lenient: {
            summary: 'A push with Prefer: handling=lenient, return=minimal',
            value: {
              results: [
                { id: examples.ID, status: 'unchanged' },
                { id: examples.DELETED_ID, status: 'deleted' },
                { id: null, status: 'refused', error: 'colour: unknown field' },
              ],
            },
          },
          dryRun: {
            summary: 'A dry run',
            value: { results: [{ id: null, status: 'created' }] },
          },
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
            one: { summary: `One ${noun}`, value: { [keys.one]: example } },
            list: { summary: `A list of ${nouns}`, value: { [keys.many]: [example] } },
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

function resourceOperations(described: DescribedCollection): Schema {
  const { one, noun, heading } = described;
  const { keys, unique } = described.collection;
  const notFound = { 404: `${one}NotFound` };
  return {
    parameters: [pathParameter(described)],
    ...itemOperations({
      name: one,
      noun,
      article: 'a',
      tag: heading,
      content: json(ref('schemas', `${one}Envelope`), {
        [keys.one]: examples.resource(described),
      }),
      put: examples.writable(described),
      patch: examples.patch(described),
      errors: notFound,
      changeErrors: unique && { 409: `${one}Exists` },
    }),
    delete: {
      operationId: `delete${one}`,
      summary: `Delete a ${noun}`,
      description: `Deletes the ${noun} permanently. A second DELETE returns 404.`,
      tags: [heading],
      parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
      responses: {
        200: response(
          `The ${noun} is deleted.`,
          json(ref('schemas', `${one}Deleted`), { [keys.deleted]: examples.ID, success: true }),
        ),
        ...errors({ 400: 'BadRequest', 403: 'Forbidden', ...notFound, 412: 'PreconditionFailed' }),
      },
    },
  };
}
