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

/** Reads the guides. */
export function readGuides(): Promise<Guide[]> {
  return Promise.all(
    NAMES.map(async (id) => {
      const text = await readFile(join(import.meta.dirname, 'guides', `${id}.md`), 'utf8');
      return { id, ...parseGuide(text, id) };
    }),
  );
}
