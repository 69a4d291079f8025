import { collectionPaths } from './collection-paths.ts';
import type { DescribedService } from './described.ts';
import { parameters } from './parameters.ts';
import { profilePaths } from './profile-paths.ts';
import { headers } from './headers.ts';
import { errorResponses } from './responses.ts';
import type { Schema } from './schema.ts';
import { schemasOf } from './schemas.ts';

/** The service as an OpenAPI 3.1 document. It is generated ahead of time and weighs nothing in the Worker. */
export function openApiDocument(service: DescribedService): Schema {
  const { collections } = service;
  return {
    openapi: '3.1.1',
    info: {
      title: 'Brand Integration API',
      version: '1.0.0',
      summary: "A brand's profile, store connection, products and coupon codes.",
      description: [
        "Through this API a brand's integration reads and updates the brand's profile and store connection, and manages its products and coupon codes.",
        'Every request carries a brand API key, which decides whose data it is about.',
        'Strings are trimmed and normalized to Unicode NFC before they are validated.',
        'Every error is `{ "error": "…" }`, and its text says what is wrong and what would be right.',
        'An unknown path is 404 with `Not found.`; a method that a path does not have is 405, and the `Allow` header and the text name those that it has.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The Brand Integration API authors' },
    },
    servers: [{ url: '/api/brand/v1', description: 'Where this document was served from.' }],
    security: [{ bearer: [] }, { serviceApiKey: [] }],
    tags: [
      { name: 'Profile', description: 'The brand and its store connection.' },
      ...collections.map(({ names, text }) => ({ name: names.heading, description: text })),
    ],
    paths: {
      ...profilePaths(service),
      ...Object.fromEntries(
        collections.flatMap((described) => Object.entries(collectionPaths(described))),
      ),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the brand.' },
        serviceApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-service-api-key',
          description: 'The same key in a header of its own.',
        },
      },
      schemas: schemasOf(service),
      parameters,
      headers,
      responses: errorResponses(service),
    },
  };
}
