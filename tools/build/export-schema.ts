import { getTableName } from 'drizzle-orm';
import { ACTIONS, exportParts, FINGERPRINT, FORMAT, PROFILE } from '../../admin/src/index.ts';
import type { DescribedService } from './openapi/described.ts';
import { fieldSchemas, id, namedSchemas, time, times } from './openapi/fields.ts';
import type { Schema, Schemas } from './openapi/schema.ts';
import { exactly, orNull } from './openapi/schema.ts';
import { ResourceMistake } from './meanings.ts';

// The schema of what `brand export` writes. What clients see has its rule and meaning from the OpenAPI document; what only
// the database has is described here.

const string = (description: string): Schema => ({ type: 'string', description });
const idOf = (description: string): Schema => ({ ...id, description });

const digest: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** The columns of several tables. */
const COMMON: Schemas = {
  id,
  ...times,
  revision: idOf('Changes with every change. The ETag is made of it.'),
  changeNumber: {
    type: 'integer',
    minimum: 1,
    // Half of what JavaScript holds exactly: the changes after an import count on from the highest number of the file.
    maximum: 2 ** 52,
    description: 'Its place in the order of the changes that clients follow.',
  },
  suspendedAt: orNull(time('Since when the operator has suspended the brand.')),
};

/** The columns of the parts that no client sees. */
const INTERNAL: Readonly<Record<string, Schemas>> = {
  keys: {
    hash: {
      ...digest,
      description:
        'The SHA-256 of the key. With it, the key works again where the brand is imported; nobody can find the key by it.',
    },
    prefix: string('The first 12 characters of the key.'),
    label: string('The name that the operator gave it.'),
    scope: { enum: ['read', 'write'], description: 'What the key may do.' },
    expiresAt: orNull(time('When it expires.')),
    revokedAt: orNull(time('When it was revoked.')),
    replacedBy: orNull(idOf('The key that a rotation issued in its place.')),
  },
  deletions: {
    collection: string('The path of the collection from which a resource was deleted.'),
    id: idOf('The id that the resource had.'),
    deletedAt: time('When it was deleted.'),
  },
  idempotencyRecords: {
    key: string("The request's Idempotency-Key; empty for the plan of the last push without one."),
    fingerprint: string('The SHA-256 of the request.'),
    request: idOf('The try of the request that made the record.'),
    results: string('What the request did, as JSON, in a form of the service.'),
  },
  auditEntries: {
    at: time('When it was done.'),
    action: { enum: ACTIONS, description: 'What was done.' },
    keyId: orNull(idOf('The key that it was done to.')),
    actor: string('Who did it.'),
    details: {
      type: 'object',
      additionalProperties: { type: ['string', 'integer', 'null'], ...EXACT },
      description: 'What it was about besides.',
    },
  },
};

const TEXTS: Readonly<Record<string, string>> = {
  [PROFILE]: 'The brand and its store connection.',
  keys: 'Its API keys. Nobody can use a key of this file.',
  deletions: 'The newest deletions of its resources, for clients that follow changes.',
  idempotencyRecords: 'What its last requests did, for clients that repeat them.',
  auditEntries:
    'What operators did with it. Its deletions, imports and moves are not among them: they belong to one database.',
};

/**
 * Returns the JSON Schema of an exported brand.
 * @throws ResourceMistake naming a column without a description, or a description without a column
 */
export function exportSchema(service: DescribedService): Schema {
  const all = service.collections.map(({ collection }) => collection);
  const parts = exportParts(all, true);
  const always = exportParts(all);
  const members = parts.map(({ name, table, columns }): [string, Schema] => {
    const known = { ...COMMON, ...INTERNAL[name], ...knownOf(name, service) };
    const properties = Object.keys(columns).map((member): [string, Schema] => {
      const { [member]: schema } = known;
      if (schema !== undefined) return [member, schema];
      const column = `${member} of ${name}, a column of ${getTableName(table)}`;
      throw new ResourceMistake(`tools/build/export-schema.ts: describe ${column}`);
    });
    const surplus = Object.keys(INTERNAL[name] ?? {}).find((member) => !(member in columns));
    if (surplus !== undefined) {
      const column = `${surplus} of ${name}: ${getTableName(table)} has no such column`;
      throw new ResourceMistake(`tools/build/export-schema.ts: remove ${column}`);
    }
    const required = Object.keys(always.find((part) => part.name === name)?.columns ?? {});
    const row = exactly(Object.fromEntries(properties), undefined, required);
    const schema = name === PROFILE ? row : { type: 'array', items: row };
    return [name, { description: TEXTS[name], ...schema }];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An exported brand',
    ...exactly(
      {
        format: { const: FORMAT },
        [FINGERPRINT]: {
          ...digest,
          description:
            'Differs from that of a later export if the profile, a resource, a key or the suspension has changed, or if an operator has done something to the brand.',
        },
        exportedAt: time(
          'When it was exported, by the clock of the database. A file without hashes of keys lacks it.',
        ),
        ...Object.fromEntries(members),
        checksum: { ...digest, description: 'The SHA-256 of all that precedes it.' },
      },
      'All that the service holds of a brand, as brand export writes it.',
      ['format', FINGERPRINT, ...parts.map(({ name }) => name)],
    ),
    $defs: namedSchemas(),
  };
}

/** The schemas that the OpenAPI document has of a part, by member. */
function knownOf(part: string, { brand, connection, collections }: DescribedService): Schemas {
  if (part === PROFILE) {
    const { status: connectionStatus = {}, ...rest } = fieldSchemas(connection);
    return { ...fieldSchemas(brand), ...rest, connectionStatus };
  }
  const described = collections.find(({ collection }) => collection.keys.many === part);
  return described ? fieldSchemas(described) : {};
}
