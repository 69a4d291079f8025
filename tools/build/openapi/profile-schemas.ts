import type * as z from 'zod/mini';
import type { Described, DescribedService } from './described.ts';
import { describedFields, shownFields } from './field-schemas.ts';
import { toJsonSchema } from './json-schema.ts';
import type { Schema, Schemas } from './schema.ts';
import { exactly, propertiesOf, ref } from './schema.ts';
import { readOnlyFields, times } from './service-fields.ts';

/** Returns the schemas of the profile. */
export function profileSchemas(service: DescribedService): Schemas {
  const { profile, brand, connection } = service;
  return {
    Brand: exactly({ ...shownFields(brand), ...times }, brand.text),
    Connection: exactly(shownFields(connection), connection.text),
    Profile: exactly(
      { brand: ref('schemas', 'Brand'), connection: ref('schemas', 'Connection') },
      'The brand and its store connection.',
    ),
    ProfileInput: sentProfile(
      profile.putBody,
      service,
      'The complete profile. Omitted fields are reset to their defaults.',
      true,
    ),
    ProfilePatch: sentProfile(
      profile.patchBody,
      service,
      'The fields to change, in either half or both (RFC 7396).',
      false,
    ),
  };
}

function sentProfile(
  schema: z.ZodMiniType,
  { brand, connection }: DescribedService,
  description: string,
  saysDefaults: boolean,
): Schema {
  const json = toJsonSchema(schema);
  const properties = propertiesOf(json);
  const half = (name: string, described: Described): Schema => {
    const { [name]: body = {} } = properties;
    return {
      description: described.text,
      ...body,
      properties: describedFields(body, described, saysDefaults),
    };
  };
  return {
    description,
    ...json,
    properties: {
      ...properties,
      ...readOnlyFields,
      brand: half('brand', brand),
      connection: half('connection', connection),
    },
  };
}
