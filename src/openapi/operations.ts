import type { Collection } from '../collection/collection.ts';
import { MAX_ITEMS } from '../collection/collection.ts';
import { couponCodes } from '../resources/coupon-codes.ts';
import { products } from '../resources/products.ts';
import * as examples from './examples.ts';
import { listParameters, parameterRefs, pathParameter, postParameters } from './parameters.ts';
import { authenticatedHeaders, json, jsonOf } from './responses.ts';
import type { Schema } from './schemas.ts';
import { ref, TOKEN } from './schemas.ts';

const etag = { ETag: ref('headers', 'ETag') };

const notModified = {
  description: 'The representation is one that you have.',
  headers: { ...authenticatedHeaders, ...etag },
};

const STATUS: Readonly<Record<string, string>> = {
  BadRequest: '400',
  Forbidden: '403',
  ProductNotFound: '404',
  CouponCodeNotFound: '404',
  Conflict: '409',
  TokenExpired: '410',
  PreconditionFailed: '412',
  PayloadTooLarge: '413',
  IdempotencyKeyReused: '422',
};

/** How a collection appears in the document. */
interface Naming {
  readonly name: string;
  readonly path: string;
  readonly parameter: string;
  readonly example: { readonly id: string };
  readonly input: object;
  readonly patch: object;
}

function profilePath(): Schema {
  const tags = ['Profile'];
  const ok = response('The profile.', json(ref('schemas', 'Profile'), examples.profile), etag);
  return {
    get: {
      operationId: 'getProfile',
      summary: 'Read the profile',
      description: 'Reads the brand and the state of its store connection.',
      tags,
      parameters: parameterRefs('IfNoneMatch'),
      responses: { '200': ok, '304': notModified, ...errors('BadRequest') },
    },
    put: {
      operationId: 'replaceProfile',
      summary: 'Replace the profile',
      description: 'Replaces everything writable in both halves. Read-only fields are ignored.',
      tags,
      parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
      requestBody: requestBody(ref('schemas', 'ProfileInput'), examples.profileInput),
      responses: {
        '200': ok,
        ...changeErrors(),
      },
    },
    patch: {
      operationId: 'updateProfile',
      summary: 'Change fields of the profile',
      description: 'Changes exactly the fields that the body names, in either half.',
      tags,
      parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
      requestBody: requestBody(ref('schemas', 'ProfilePatch'), {
        connection: { syncEnabled: true },
      }),
      responses: {
        '200': ok,
        ...changeErrors(),
      },
    },
  };
}

function collectionPaths(collection: Collection, naming: Naming): Record<string, Schema> {
  const { keys, unique } = collection;
  const { name, path, parameter, example, input, patch } = naming;
  const noun = collection.noun.toLowerCase();
  const tags = [`${collection.noun}s`];
  const schema = (suffix: string): Schema => ref('schemas', `${name}${suffix}`);
  const one = json(schema('Envelope'), { [keys.one]: example });
  const notFound = `${name}NotFound`;
  const conflict = unique ? ['Conflict'] : [];
  const item = (method: string, rest: Schema): Schema => ({
    operationId: `${method}${name}`,
    tags,
    ...rest,
  });

  return {
    [path]: {
      get: {
        operationId: `list${name}s`,
        summary: `List the ${noun}s`,
        description: [
          `Lists the brand's ${noun}s, oldest first: all of them, or with \`limit\` page by page.`,
          `With \`since\` it lists what changed after a token was issued, deletions included: start with \`since=0\`, apply the answer, follow \`Link\` while it is there, and continue later from the last \`since\`.`,
        ].join('\n\n'),
        tags,
        parameters: [...listParameters(collection), ...parameterRefs()],
        responses: {
          '200': response(
            `The ${noun}s, or with \`since\` what changed.`,
            jsonOf(
              { oneOf: [schema('List'), schema('Changes')] },
              {
                list: { summary: 'A list', value: { [keys.many]: [example] } },
                changes: {
                  summary: 'What changed since a token was issued',
                  value: {
                    [keys.many]: [example],
                    [keys.deletedMany]: [examples.deletedId],
                    since: TOKEN,
                  },
                },
              },
            ),
            { Link: ref('headers', 'Link') },
          ),
          ...errors('BadRequest', 'TokenExpired'),
        },
      },
      post: {
        operationId: `create${name}`,
        summary: `Create a ${noun}, or many; with match, push many`,
        description: [
          `Creates one ${noun}, or, with the shape that a list has, up to ${MAX_ITEMS} in one transaction: all or none.`,
          `With \`match\` it pushes: an item that matches a ${noun} changes the fields that it names, and an item that matches none is created. Nothing is written if an item is refused, unless the request has \`Prefer: handling=lenient\`.`,
          'With `dryRun=true` it answers what the push would do, and writes nothing.',
        ].join('\n\n'),
        tags,
        parameters: [...postParameters(collection), ...parameterRefs('Prefer', 'IdempotencyKey')],
        requestBody: {
          required: true,
          content: jsonOf(
            { anyOf: [schema('Input'), schema('ListInput'), schema('PushInput')] },
            {
              one: { summary: `One ${noun}`, value: input },
              list: { summary: `Many ${noun}s`, value: { [keys.many]: [input] } },
              push: { summary: 'A push', value: { [keys.many]: [{ ...input, ...patch }] } },
            },
          ),
        },
        responses: {
          '200': response(
            'With `match`: what the push did, or with `dryRun=true` what it would do.',
            jsonOf(
              { anyOf: [schema('PushResponse'), schema('DryRunResponse')] },
              {
                push: {
                  summary: 'A push',
                  value: {
                    [keys.many]: [example],
                    results: [{ id: example.id, status: 'updated' }],
                  },
                },
                lenient: {
                  summary: 'A push with Prefer: handling=lenient, return=minimal',
                  value: {
                    results: [
                      { id: example.id, status: 'unchanged' },
                      { id: null, status: 'refused', error: `${Object.keys(patch)[0]}: required` },
                    ],
                  },
                },
                dryRun: {
                  summary: 'A dry run',
                  value: {
                    [keys.many]: [previewOf(example)],
                    results: [{ id: null, status: 'created' }],
                  },
                },
              },
            ),
            {
              'Preference-Applied': ref('headers', 'PreferenceApplied'),
              'Idempotent-Replayed': ref('headers', 'Replayed'),
            },
          ),
          '201': response(
            `The ${noun} as it was made, or the list of them.`,
            json({ oneOf: [schema('Envelope'), schema('List')] }, { [keys.one]: example }),
            { ...etag, 'Idempotent-Replayed': ref('headers', 'Replayed') },
          ),
          ...errors(
            'BadRequest',
            'Forbidden',
            ...conflict,
            'PayloadTooLarge',
            'IdempotencyKeyReused',
          ),
        },
      },
    },
    [`${path}/{${parameter}}`]: {
      parameters: [pathParameter(parameter, collection.noun)],
      get: item('get', {
        summary: `Read a ${noun}`,
        description: `Reads one ${noun}.`,
        parameters: parameterRefs('IfNoneMatch'),
        responses: {
          '200': response(`The ${noun}.`, one, etag),
          '304': notModified,
          ...errors('BadRequest', notFound),
        },
      }),
      put: item('replace', {
        summary: `Replace a ${noun}`,
        description:
          'Replaces everything writable; what is left out goes back to its default. Read-only fields are ignored.',
        parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
        requestBody: requestBody(schema('Input'), input),
        responses: {
          '200': response(`The ${noun} as it is now.`, one, etag),
          ...changeErrors(notFound, ...conflict),
        },
      }),
      patch: item('update', {
        summary: `Change fields of a ${noun}`,
        description: 'Changes exactly the fields that the body names.',
        parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
        requestBody: requestBody(schema('Patch'), patch),
        responses: {
          '200': response(`The ${noun} as it is now.`, one, etag),
          ...changeErrors(notFound, ...conflict),
        },
      }),
      delete: item('delete', {
        summary: `Delete a ${noun}`,
        description: `Deletes the ${noun} for good; a second time it is not found.`,
        parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
        responses: {
          '200': response(
            `The ${noun} is deleted.`,
            json(schema('Deleted'), { [keys.deleted]: example.id, success: true }),
          ),
          ...errors('BadRequest', 'Forbidden', notFound, 'PreconditionFailed'),
        },
      }),
    },
  };
}

function response(description: string, content: Schema, headers: Schema = {}): Schema {
  return { description, headers: { ...authenticatedHeaders, ...headers }, content };
}

/** An example as a dry run shows it where it would be created. */
function previewOf(example: object): object {
  const unsettled = ['id', 'createdAt', 'updatedAt', 'lastSyncedAt'];
  return Object.fromEntries(
    Object.entries(example).map(([name, value]: [string, unknown]) => [
      name,
      unsettled.includes(name) ? null : value,
    ]),
  );
}

function requestBody(schema: Schema, example: object): Schema {
  return { required: true, content: json(schema, example) };
}

/** The error answers of a PUT or a PATCH, these among them. */
function changeErrors(...names: string[]): Record<string, Schema> {
  return errors('BadRequest', 'Forbidden', ...names, 'PreconditionFailed', 'PayloadTooLarge');
}

/** These error answers, and those that every operation can give. */
function errors(...names: string[]): Record<string, Schema> {
  return {
    ...Object.fromEntries(names.map((name) => [STATUS[name] ?? '', ref('responses', name)])),
    '401': ref('responses', 'Unauthorized'),
    '429': ref('responses', 'TooManyRequests'),
    '500': ref('responses', 'InternalError'),
    '503': ref('responses', 'Unavailable'),
  };
}

/** All paths of the document. */
export const paths: Record<string, Schema> = {
  '/profile': profilePath(),
  ...collectionPaths(products.load(), {
    name: 'Product',
    path: '/products',
    parameter: 'productId',
    example: examples.product,
    input: examples.productInput,
    patch: { priceCents: 3499 },
  }),
  ...collectionPaths(couponCodes.load(), {
    name: 'CouponCode',
    path: '/coupon-codes',
    parameter: 'codeId',
    example: examples.couponCode,
    input: examples.couponCodeInput,
    patch: { active: false },
  }),
};
