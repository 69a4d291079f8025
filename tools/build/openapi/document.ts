import { listOf } from '../../../common/list-of.ts';
import type { DescribedService } from './described.ts';
import * as examples from './examples.ts';
import type { OwnOperations } from './operation.ts';
import { parameters } from './parameters.ts';
import { collectionPaths, itemOperations } from './paths.ts';
import { errorResponses, headers } from './responses.ts';
import type { Schema } from './schema.ts';
import { json, merged, ref } from './schema.ts';
import { schemasOf } from './schemas.ts';

/** Returns the OpenAPI 3.1 document of the service. It is generated at build time, and no part of the Worker's bundle. */
export function openApiDocument(service: DescribedService, own: OwnOperations = {}): Schema {
  const { brand, connection, collections } = service;
  const nouns = collections.map((described) => described.nouns);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Brand Integration API',
      version: '1.0.0',
      summary: `A brand's ${listOf(['profile', 'store connection', ...nouns], 'conjunction')}.`,
      description: [
        `A brand's integration uses this API to read and update the brand's profile and store connection, and to manage its ${listOf(nouns, 'conjunction')}.`,
        'Every request has an API key, which determines the brand.',
        'Strings are trimmed and normalized to Unicode NFC before they are validated.',
        'Every error is `{ "error": "…" }`, and its text says what is wrong and what is expected. The header `X-Error` has a stable word for the cause.',
        'An unknown path returns 404 with `Not found.` and `X-Error: no-such-path`. An unsupported method returns 405 with `X-Error: method-not-allowed`; the `Allow` header and the text name the supported methods.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The Brand Integration API authors' },
    },
    servers: [{ url: '/api/brand/v1', description: 'The server that this document comes from.' }],
    security: [{ bearer: [] }, { serviceApiKey: [] }],
    tags: [
      { name: 'Profile', description: 'The brand and its store connection.' },
      ...collections.map(({ heading, text }) => ({ name: heading, description: text })),
    ],
    paths: {
      '/profile': itemOperations({
        name: 'Profile',
        noun: 'profile',
        article: 'the',
        tag: 'Profile',
        content: json(ref('schemas', 'Profile'), examples.profile(brand, connection)),
        body: 'Input',
        replaces:
          'Replaces all writable fields; omitted fields are reset to their defaults. Read-only fields are ignored.',
        put: { brand: examples.writable(brand), connection: examples.writable(connection) },
        patch: { connection: { syncEnabled: true } },
      }),
      ...merged(collections.map((described) => collectionPaths(described, own))),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the brand.' },
        serviceApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-service-api-key',
          description: 'The same key in a custom header.',
        },
      },
      schemas: schemasOf(service),
      parameters,
      headers,
      responses: errorResponses(service),
    },
  };
}
