import { readFile as understandFile } from '../../src/command/files/read-file.ts';
import type { ReadOptions } from '../../src/command/files/read-options.ts';
import { contentIn } from '../../src/command/sources/choose.ts';
import type { Content } from '../../src/stores/source.ts';

/** Reads a file as the command does. */
export function readFile(bytes: Uint8Array, options: ReadOptions): Content {
  return contentIn(understandFile(bytes, options), options);
}
