import { readFile as understandFile } from '../../src/command/files/read-file.ts';
import { contentIn } from '../../src/command/sources/file.ts';
import type { Content, ReadOptions } from '../../src/stores/source.ts';

/** Reads a file as the command does. */
export function readFile(bytes: Uint8Array, options: ReadOptions): Content {
  return contentIn(understandFile(bytes, options), options);
}
