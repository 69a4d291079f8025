import { collectionSchemas } from './collection-schemas.ts';
import type { DescribedService } from './described.ts';
import { error } from './error-schema.ts';
import { hoistDefinitions } from './json-schema.ts';
import { profileSchemas } from './profile-schemas.ts';
import { pushResult } from './push-schemas.ts';
import type { Schemas } from './schema.ts';

/** Returns all schemas of the document, derived from the validation schemas of the service. */
export function schemasOf(service: DescribedService): Schemas {
  return hoistDefinitions({
    Error: error,
    PushResult: pushResult,
    ...profileSchemas(service),
    ...Object.fromEntries(
      service.collections.flatMap((described) => Object.entries(collectionSchemas(described))),
    ),
  });
}
