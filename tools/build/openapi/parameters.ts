import { MAX_VALUES } from '../../../src/collection/list/filters.ts';
import { encodeCursor, MAX_LIMIT } from '../../../src/collection/list/query.ts';
import { timestamp } from '../../../src/fields/timestamp.ts';
import type { DescribedCollection } from './described.ts';
import { BOOKMARK, ID, TAG, token } from './examples.ts';
import { valueSchema } from './fields.ts';
import type { Schema, Schemas } from './schema.ts';
import { ref } from './schema.ts';

const TEXT: Schema = { type: 'string' };

export interface Parameter extends Schema {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

function query(name: string, example: unknown, description: string, schema = TEXT): Parameter {
  return { name, in: 'query', required: false, description, schema, example };
}

function header(name: string, example: string, description: string, schema = TEXT): Schema {
  return { ...query(name, example, description, schema), in: 'header' };
}

/** The parameters that several operations share, by component name. */
export const parameters: Schemas = {
  RequestId: header(
    'X-Request-Id',
    'import-2026-01-31-7',
    'Your own id for the request. The response and the log contain it.',
    { ...TEXT, pattern: '^[A-Za-z0-9_=-]{1,255}$' },
  ),
  Bookmark: header(
    'x-d1-bookmark',
    BOOKMARK,
    'The last bookmark that you received. The nearest replica that is at least that fresh may answer. Without a bookmark, the primary database answers.',
  ),
  IfMatch: header(
    'If-Match',
    TAG,
    'The ETag of the representation that you read, as you received it, weak (W/) or strong. If the resource has changed since, you get 412 instead of overwriting that change.',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    TAG,
    'ETags that you have, weak (W/) or strong. If the resource still has one of them, a GET returns 304 and a change returns 412.',
  ),
  Prefer: header(
    'Prefer',
    'return=minimal, handling=lenient',
    'For a push (RFC 7240): `return=minimal` omits the resources from the response; `handling=lenient` writes the items that are not refused, and reports the others. Unknown or malformed preferences are ignored.',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'import-2026-01-31-batch-7',
    'Makes the request safe to repeat: for 24 hours, the same key with the same request returns the first response again.',
    { ...TEXT, pattern: '^[!-~]{1,255}$' },
  ),
};

export function listParameters(described: DescribedCollection): Schema[] {
  const { collection } = described;
  return [
    query(
      'since',
      '0',
      'Returns what changed after this token was issued: 0 to start, then the `since` of the last response. It can be combined only with `limit`.',
      { type: 'string', examples: ['0', token(described)] },
    ),
    query(
      'limit',
      50,
      `The maximum number of items per page. Without it, the list is complete; with \`since\`, the default is ${MAX_LIMIT}.`,
      { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
    ),
    query(
      'cursor',
      encodeCursor(collection, ID),
      'The start of the page: an opaque value from the Link header of the previous page. It requires \`limit\`.',
    ),
    ...filterParameters(described),
  ];
}

export function filterParameters(described: DescribedCollection): Parameter[] {
  const { collection, nouns, fields } = described;
  return [
    query(
      'updatedSince',
      '2026-01-31T00:00:00.000Z',
      `Only ${nouns} that were created or changed at this time or later.`,
      valueSchema(timestamp()),
    ),
    ...Object.entries(collection.filters).map(([name, { rule }]) => {
      const example = name === 'id' ? ID : fields.find((field) => field.name === name)?.example;
      return query(
        name,
        [example],
        `Only ${nouns} whose \`${name}\` is exactly this. Repeat it to match any of several values. All filters together may have ${MAX_VALUES} values.`,
        { type: 'array', items: valueSchema(rule), minItems: 1, maxItems: MAX_VALUES },
      );
    }),
  ];
}

export function matchParameter({ collection, noun }: DescribedCollection): Parameter {
  const matches = Object.keys(collection.matches);
  return query(
    'match',
    matches.find((name) => name !== 'id') ?? 'id',
    `Makes the request a push: the field by which each item is matched with a ${noun}. Every item must have it, and it must not be null.`,
    { type: 'string', enum: matches },
  );
}

export function postParameters(described: DescribedCollection): Schema[] {
  const { collection, noun } = described;
  const { sourceTime } = collection;
  const parameters = [
    matchParameter(described),
    query(
      'dryRun',
      true,
      'Reports what the push would do, and writes nothing. It requires `match`.',
      { type: 'boolean' },
    ),
  ];
  if (sourceTime === undefined) return parameters;
  const ifNewer = query(
    'ifNewer',
    true,
    `An item whose \`${sourceTime}\` is earlier than that of the ${noun} that it matches does nothing, and its status is \`stale\`. An item without a time, or for a ${noun} without one, is applied. It requires \`match\`.`,
    { type: 'boolean' },
  );
  return [...parameters, ifNewer];
}

export function pathParameter({ collection, noun }: DescribedCollection): Schema {
  const description = `The id of the ${noun}, as in the list and in the response to its creation.`;
  const parameter = query(collection.idParameter, ID, description, { ...TEXT, format: 'uuid' });
  return { ...parameter, in: 'path', required: true };
}

/** Returns references to these parameters and to those of every operation. */
export function parameterRefs(...names: string[]): Schema[] {
  return [...names, 'Bookmark', 'RequestId'].map((name) => ref('parameters', name));
}
