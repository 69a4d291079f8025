import type { Collection } from '../collection/collection.ts';
import { MAX_LIMIT } from '../collection/list-query.ts';
import { withoutNull } from '../fields/schema.ts';
import { timestamp } from '../fields/timestamp.ts';
import type { Schema } from './schemas.ts';
import { fieldSchema, ref, TOKEN } from './schemas.ts';

function requestHeader(name: string, description: string, schema: Schema): Schema {
  return {
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...schema },
  };
}

/** The parameters that several operations have, by the name of their component. */
export const parameters: Record<string, Schema> = {
  RequestId: requestHeader(
    'X-Request-Id',
    'An id of your own for the request; it comes back, and stands in the log.',
    {
      pattern: '^[A-Za-z0-9_=-]{1,255}$',
    },
  ),
  Bookmark: requestHeader(
    'x-d1-bookmark',
    'The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does.',
    { pattern: '^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$' },
  ),
  IfMatch: requestHeader(
    'If-Match',
    'The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since.',
    { examples: ['"01941f29-7c00-7000-8000-000000000001"'] },
  ),
  IfNoneMatch: requestHeader(
    'If-None-Match',
    'ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412.',
    {
      examples: ['"01941f29-7c00-7000-8000-000000000001"'],
    },
  ),
  Prefer: requestHeader(
    'Prefer',
    'For a push (RFC 7240): `return=minimal` omits the resources from the answer; `handling=lenient` writes the items that are not refused, and reports the others. What is unknown or malformed is ignored.',
    { examples: ['return=minimal, handling=lenient'] },
  ),
  IdempotencyKey: requestHeader(
    'Idempotency-Key',
    'Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again.',
    { pattern: '^[!-~]{1,255}$', examples: ['import-2026-01-31-batch-7'] },
  ),
};

function query(name: string, description: string, schema: Schema): Schema {
  return { name, in: 'query', required: false, description, schema };
}

/** The parameters of a list. */
export function listParameters({ filters, noun }: Collection): Schema[] {
  return [
    query(
      'since',
      'Asks for what changed after this token was issued: 0 to start, then the `since` of the last answer. It combines only with `limit`.',
      { type: 'string', examples: ['0', TOKEN] },
    ),
    query('limit', 'How many to a page. Without it the list is complete; with `since` it is 250.', {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
    }),
    query(
      'cursor',
      'Where the page begins: from the Link header of the page before, with its limit.',
      {
        type: 'string',
      },
    ),
    query(
      'updatedSince',
      'Only what was made or changed at this time or later.',
      fieldSchema(timestamp()),
    ),
    ...Object.entries(filters).map(([name, { field }]) =>
      query(
        name,
        `Only each ${noun.toLowerCase()} whose ${name} is exactly this.`,
        fieldSchema(withoutNull(field)),
      ),
    ),
  ];
}

/** The parameters of a POST. */
export function postParameters({ matches, noun }: Collection): Schema[] {
  const name = noun.toLowerCase();
  return [
    query(
      'match',
      `Makes the request a push: the field by which each item finds its ${name}. Every item has it, and it is not null.`,
      { type: 'string', enum: Object.keys(matches) },
    ),
    query(
      'dryRun',
      'Answers what the push would do, and writes nothing. Only together with `match`.',
      { type: 'boolean' },
    ),
  ];
}

/** The parameter in the path of an item. */
export function pathParameter(name: string, noun: string): Schema {
  return {
    name,
    in: 'path',
    required: true,
    description: `The id of the ${noun.toLowerCase()}, as the list and the answer to its creation show it.`,
    schema: { type: 'string', format: 'uuid' },
  };
}

/** References to parameters, with those that every operation has. */
export function parameterRefs(...names: string[]): Schema[] {
  return [...names, 'Bookmark', 'RequestId'].map((name) => ref('parameters', name));
}
