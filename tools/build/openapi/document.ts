import { operationsOf } from '../../../src/app.openapi.ts';
import { listOf } from '../../../common/list-of.ts';
import type { DescribedService } from './described.ts';
import { pathsOf } from './operation.ts';
import { parameters } from './parameters.ts';
import { errorResponses, headers } from './responses.ts';
import type { Schema } from './schema.ts';
import { schemasOf } from './schemas.ts';

/** Returns the OpenAPI 3.1 document of the service. It is generated at build time, and no part of the Worker's bundle. */
export function openApiDocument(
  service: DescribedService,
  operations = operationsOf(service),
): Schema {
  const { collections } = service;
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
    paths: pathsOf(operations),
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
