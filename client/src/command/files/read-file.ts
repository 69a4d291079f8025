import { decode } from './decode.ts';
import { FileError } from './file-error.ts';
import { looksLikeJson, readJson } from './json-file.ts';
import type { ReadOptions, StoreFile } from './store-file.ts';

export { FileError } from './file-error.ts';
export type { ReadOptions, StoreFile } from './store-file.ts';

/**
 * Reads the file of a store, which is recognized by its content.
 * @throws FileError with one sentence for a person
 */
export function readFile(bytes: Uint8Array, options: ReadOptions): StoreFile {
  const text = decode(bytes);
  if (looksLikeJson(text)) return readJson(text, options);
  throw new FileError('The file is neither a JSON list nor NDJSON.');
}
