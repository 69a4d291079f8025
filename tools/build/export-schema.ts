import { getTableName } from 'drizzle-orm';
import type { Column } from 'drizzle-orm';
import type { Part } from '../admin/export/parts.ts';
import { exportParts, FORMAT, PROFILE } from '../admin/export/parts.ts';
import { ACTIONS } from '../admin/audit.ts';
import type { Collection } from '../../src/collection/collection.ts';
import { brands } from '../../src/db/tables.ts';
import type { DescribedService } from './openapi/described.ts';
import { ResourceMistake } from './openapi/mistake.ts';
import type { Schema, Schemas } from './openapi/schema.ts';
import { exactly, isSchemas, listOf, orNull, propertiesOf } from './openapi/schema.ts';
import { schemasOf } from './openapi/schemas.ts';

// The schema of what `brand export` writes. What clients see has its rule and meaning from the OpenAPI document; what only
// the database has is described here.

const string = (description: string): Schema => ({ type: 'string', description });
const id = (description: string): Schema => ({ ...string(description), format: 'uuid' });
const time = (description: string): Schema => ({ ...string(description), format: 'date-time' });

/** Half of what JavaScript holds exactly: the changes after an import count on from the highest number of the file. */
const MAX_CHANGE_NUMBER = 2 ** 52;
const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** The columns of several tables. */
const COMMON: Schemas = {
  id: id('The id that the service gave it.'),
  revision: id('Changes with every change. The ETag is made of it.'),
  createdAt: time('When it was created.'),
  updatedAt: time('When it was last changed.'),
  changeNumber: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_CHANGE_NUMBER,
    description: 'Its place in the order of the changes that clients follow.',
  },
  suspendedAt: orNull(time('Since when the operator has suspended the brand.')),
};

/** The columns of the parts that no client sees. */
const INTERNAL: Readonly<Record<string, Schemas>> = {
  keys: {
    prefix: string('The first 12 characters of the key.'),
    label: string('The name that the operator gave it.'),
    scope: { enum: ['read', 'write'], description: 'What the key may do.' },
    expiresAt: orNull(time('When it expires.')),
    revokedAt: orNull(time('When it was revoked.')),
    replacedBy: orNull(id('The key that a rotation issued in its place.')),
  },
  deletions: {
    collection: string('The path of the collection from which a resource was deleted.'),
    id: id('The id that the resource had.'),
    request: orNull(id('The try of the request that deleted it.')),
    deletedAt: time('When it was deleted.'),
  },
  idempotencyRecords: {
    key: string("The request's Idempotency-Key; empty for the plan of the last push without one."),
    fingerprint: string('The SHA-256 of the request.'),
    request: id('The try of the request that made the record.'),
    results: string('What the request did, as JSON, in a form of the service.'),
  },
  auditEntries: {
    at: time('When it was done.'),
    action: { enum: ACTIONS, description: 'What was done.' },
    keyId: orNull(id('The key that it was done to.')),
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
  keys: 'Its API keys, without their hashes: nobody can use a key of this file.',
  deletions: 'The newest deletions of its resources, for clients that follow changes.',
  idempotencyRecords: 'What its last requests did, for clients that repeat them.',
  auditEntries:
    'What operators did with it. Its deletions, imports and moves are not among them: they belong to one database.',
};

/**
 * Returns the JSON Schema of an exported brand.
 * @throws ResourceMistake naming every column without a description
 */
export function exportSchema(
  service: DescribedService,
  collections: readonly Collection[],
): Schema {
  const components = schemasOf(service);
  const problems: string[] = [];
  const members = exportParts(collections).map((part): [string, Schema] => {
    const schema = exactly(
      propertiesOfPart(part, knownOf(part, service, components), problems),
      TEXTS[part.name],
    );
    if (part.name === PROFILE) return [part.name, schema];
    const { description, ...items } = schema;
    return [part.name, { ...(description !== undefined && { description }), ...listOf(items) }];
  });
  if (problems.length > 0) throw new ResourceMistake(problems.join('\n'));
  return withDefinitions(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'An exported brand',
      ...exactly(
        { format: { const: FORMAT }, ...Object.fromEntries(members) },
        'All that the service holds of a brand, as brand export writes it.',
      ),
    },
    components,
  );
}

function propertiesOfPart(
  { name, table, columns }: Part,
  known: Schemas,
  problems: string[],
): Schemas {
  return Object.fromEntries(
    Object.keys(columns).map((member) => {
      const schema = known[member] ?? INTERNAL[name]?.[member] ?? COMMON[member];
      if (schema !== undefined) return [member, schema];
      problems.push(
        `tools/build/export-schema.ts: describe ${member} of ${name}, a column of ${getTableName(table)}`,
      );
      return [member, {}];
    }),
  );
}

/** The schemas that the OpenAPI document has of a part, by member. */
function knownOf(
  { name }: Part,
  { profile, collections }: DescribedService,
  components: Schemas,
): Schemas {
  if (name === PROFILE) {
    return Object.fromEntries(
      ['Brand', 'Connection'].flatMap((half) =>
        Object.entries(propertiesOf(components[half] ?? {})).map(([field, schema]) => [
          memberOf(profile.shown[field]) ?? field,
          schema,
        ]),
      ),
    );
  }
  const described = collections.find(({ collection }) => collection.keys.many === name);
  return described === undefined ? {} : propertiesOf(components[described.names.one] ?? {});
}

/** The name in tables.ts of a column of the profile. */
function memberOf(column: Column | undefined): string | undefined {
  return Object.entries(brands).find(([, one]) => one === column)?.[0];
}

/** Adds the components that a schema refers to. */
function withDefinitions(schema: Schema, components: Schemas): Schema {
  const used = new Set<string>();
  const moved: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = value.replace('#/components/schemas/', '');
    used.add(name);
    return `#/$defs/${name}`;
  });
  if (!isSchemas({ moved }) || typeof moved !== 'object') throw new Error('Expected a schema.');
  const definitions = [...used].map((name) => [name, components[name] ?? {}]);
  return { ...moved, $defs: Object.fromEntries(definitions) };
}
