import * as z from 'zod';
import { collections } from '../../src/resources/registry.ts';
import json from '../../public/api/brand/v1/openapi.json' with { type: 'json' };

const record = z.record(z.string(), z.unknown());

/** The parts of an OpenAPI document that the tests read. */
export const documentSchema = z.looseObject({
  paths: z.record(z.string(), record),
  components: z.record(z.string(), record),
});

/** The OpenAPI document in the repository. A test checks that the code generates the same one. */
export const document = documentSchema.parse(json);

/** The number of operations: three on the profile, and six on each collection. */
export const OPERATION_COUNT = 3 + 6 * collections.length;

/** What to do if the number is another. */
export const OPERATION_HINT =
  'run "npm run openapi"; if you added an operation, change OPERATION_COUNT in test/support/document.ts';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/** The operations of the document, such as `GET /products/{productId}`. */
export const documentedOperations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((name) => METHODS.includes(name))
    .map((method) => `${method.toUpperCase()} ${path}`),
);
