import { MAX_ITEMS } from '../../../src/collection/envelope.ts';
import type { DescribedCollection } from './described.ts';
import * as examples from './examples.ts';
import { listParameters, parameterRefs, pathParameter, postParameters } from './parameters.ts';
import type { Errors, OwnOperations } from './operation.ts';
import { errors, etag, notModified, pathsOf, response } from './operation.ts';
import type { Schema, Schemas } from './schema.ts';
import { json, jsonOf, ref } from './schema.ts';
import { replacementRule } from './schemas.ts';

/** Returns the paths of a collection: the list, its own operations, and one resource. */
export function collectionPaths(described: DescribedCollection, own: OwnOperations): Schemas {
  const { path, idParameter } = described.collection;
  return {
    [`/${path}`]: { get: listOperation(described), post: postOperation(described) },
    // Samples run in the order of the paths, and that of DELETE comes last.
    ...pathsOf((own[path] ?? []).map((describe) => describe(described))),
    [`/${path}/{${idParameter}}`]: resourceOperations(described),
  };
}

function listOperation(described: DescribedCollection): Schema {
  const { one, many, nouns, heading } = described;
  const { keys } = described.collection;
  const example = examples.resource(described);
  const changes = {
    [keys.many]: [example],
    [keys.deletedMany]: [examples.DELETED_ID],
    since: examples.token(described),
  };
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

function postOperation(described: DescribedCollection): Schema {
  const { one, many, noun, nouns, heading } = described;
  const { keys, unique } = described.collection;
  const schema = (suffix: string): Schema => ref('schemas', `${one}${suffix}`);
  const input = examples.input(described);
  const example = examples.resource(described);
  const updated = { id: examples.ID, status: 'updated' };
  const unchanged = { id: examples.ID, status: 'unchanged' };
  const deleted = { id: examples.DELETED_ID, status: 'deleted' };
  const refused = { id: null, status: 'refused', error: 'colour: unknown field' };
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
      body: 'Replacement',
      replaces: `Replaces the ${noun}. ${replacementRule(described)} Read-only fields are ignored.`,
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

/** The profile, or a resource of a collection. */
interface Item {
  /** Such as `Product`, of which the names of its schemas and operations are made. */
  readonly name: string;
  readonly noun: string;
  readonly article: 'a' | 'the';
  readonly tag: string;
  readonly content: Schema;
  /** The end of the name of the schema of a PUT, and what a PUT does. */
  readonly body: 'Input' | 'Replacement';
  readonly replaces: string;
  /** Examples of bodies. */
  readonly put: unknown;
  readonly patch: unknown;
  /** The errors of all operations, and of changes. */
  readonly errors?: Errors;
  readonly changeErrors?: Errors | undefined;
}

/** Returns the operations that read, replace and change an item. */
export function itemOperations(item: Item): Schema {
  const { name, noun, article, tag, content } = item;
  const change = (operationId: string, body: string, example: unknown): Schema => ({
    operationId: `${operationId}${name}`,
    tags: [tag],
    parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
    requestBody: { required: true, content: json(ref('schemas', `${name}${body}`), example) },
    responses: {
      200: response(`The ${noun} as it is now.`, content, etag),
      ...errors({
        400: `Invalid${name}`,
        403: 'Forbidden',
        412: 'PreconditionFailed',
        413: 'PayloadTooLarge',
        ...item.errors,
        ...item.changeErrors,
      }),
    },
  });
  return {
    get: {
      operationId: `get${name}`,
      summary: `Read ${article} ${noun}`,
      description: `Reads ${article} ${noun} with its \`ETag\`.`,
      tags: [tag],
      parameters: parameterRefs('IfNoneMatch'),
      responses: {
        200: response(`The ${noun}.`, content, etag),
        304: notModified,
        ...errors({ 400: 'BadRequest', ...item.errors }),
      },
    },
    put: {
      ...change('replace', item.body, item.put),
      summary: `Replace ${article} ${noun}`,
      description: item.replaces,
    },
    patch: {
      ...change('update', 'Patch', item.patch),
      summary: `Change fields of ${article} ${noun}`,
      description: 'Changes exactly the fields in the body.',
    },
  };
}
