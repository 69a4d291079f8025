import type { DescribedService } from '../build/openapi/described.ts';
import { describeService } from '../build/openapi/described.ts';
import { openApiDocument } from '../build/openapi/document.ts';
import type { OwnOperations } from '../build/openapi/operation.ts';
import type { Schema } from '../build/openapi/schema.ts';
import { operationsOf, ownOperations } from '../../src/app.openapi.ts';
import { profile } from '../../src/resources/profile.ts';
import { readMeanings } from '../build/meanings.ts';
import { archive } from '../../test/fixtures/archive.openapi.ts';
import { count } from '../../test/fixtures/count.openapi.ts';
import { redeem } from '../../test/fixtures/redeem.openapi.ts';
import { collectionsWithWidgets } from '../../test/fixtures/widgets.ts';

/** Where widgets are declared, and their fields described. */
export const WIDGETS = 'test/fixtures/widgets.ts';

/** What `test/fixtures/operations.ts` adds, besides what every collection gets there. */
const FIXTURES: OwnOperations = { products: [archive], 'coupon-codes': [redeem] };

/**
 * The service with widgets as a third collection, described.
 * @param file whose comments describe widgets
 * @throws Error naming every field that is not described
 */
export async function serviceWithWidgets(file = WIDGETS): Promise<DescribedService> {
  return describeService(profile, collectionsWithWidgets, await readMeanings(file));
}

/** The document of the service with everything in `test/fixtures`. */
export async function fixtureDocument(): Promise<Schema> {
  const service = await serviceWithWidgets();
  const own = service.collections.map(
    ({ collection: { path } }) =>
      [path, [...(ownOperations[path] ?? []), count, ...(FIXTURES[path] ?? [])]] as const,
  );
  return openApiDocument(service, operationsOf(service, Object.fromEntries(own)));
}

// As a program, it prints the document: Node loads the compiler for that, which Vite would transform, and look for a
// source map that its package lacks.
if (import.meta.main) process.stdout.write(JSON.stringify(await fixtureDocument()));
