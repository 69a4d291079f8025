import type { DescribedService } from '../build/openapi/described.ts';
import { describeService } from '../build/openapi/described.ts';
import { openApiDocument } from '../build/openapi/document.ts';
import { profile } from '../../src/resources/profile.ts';
import { readMeanings } from '../build/meanings.ts';
import { collectionsWithWidgets } from '../../test/support/widgets.ts';

/** Where widgets are declared, and their fields described. */
export const WIDGETS = 'test/support/widgets.ts';

/**
 * The service with widgets as a third collection, described.
 * @param file whose comments describe widgets
 * @throws Error naming every field that is not described
 */
export async function serviceWithWidgets(file = WIDGETS): Promise<DescribedService> {
  return describeService(profile, collectionsWithWidgets, await readMeanings(file));
}

// As a program, it prints the document: Node loads the compiler for that, which Vite would transform, and look for a
// source map that its package lacks.
if (import.meta.main) {
  process.stdout.write(JSON.stringify(openApiDocument(await serviceWithWidgets())));
}
