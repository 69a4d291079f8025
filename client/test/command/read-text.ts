import { readFile } from '../../src/command/files/read-file.ts';
import type { ReadOptions } from '../../src/stores/source.ts';
import type { ContentSaid } from './content-said.ts';
import { said } from './content-said.ts';

/** Reads a file that is complete, though its last line may have no end. */
export function readText(text: string, options: Partial<ReadOptions> = {}): ContentSaid {
  const bytes = new TextEncoder().encode(text);
  return said(readFile(bytes, { collection: 'products', whole: true, ...options }));
}
