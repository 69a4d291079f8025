import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParsedGuide } from './markdown.ts';
import { parseGuide } from './markdown.ts';

/** A guide of the page. */
export interface Guide extends ParsedGuide {
  readonly id: string;
}

/** The files in `guides`, in the order in which they are read. */
const NAMES = ['start', 'authentication', 'errors', 'paging', 'retries', 'sync'];

/** The document whose parts the guides share, for readers who have only the page. */
const SHARED = 'docs/integrating.md';

/**
 * Reads the guides.
 * @throws Error if a guide names a part that the shared document does not have
 */
export async function readGuides(): Promise<Guide[]> {
  const shared = await readFile(SHARED, 'utf8');
  return Promise.all(
    NAMES.map(async (id) => {
      const text = await readFile(join(import.meta.dirname, 'guides', `${id}.md`), 'utf8');
      return { id, ...parseGuide(withParts(text, shared), id) };
    }),
  );
}

/** Puts the part of a document between `<!-- name -->` and `<!-- /name -->` where a guide has `<!-- name -->`. */
function withParts(guide: string, document: string): string {
  return guide.replaceAll(/^<!-- (.+) -->$/gm, (start, name: string) => {
    const part = document.split(start)[1]?.split(`<!-- /${name} -->`)[0];
    if (part === undefined) throw new Error(`${SHARED} has no part ${start}.`);
    return part;
  });
}
