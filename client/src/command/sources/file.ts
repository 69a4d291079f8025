import { readFile } from '../files/read-file.ts';
import { readInput } from '../input.ts';
import type { Surroundings } from '../surroundings.ts';
import type { SourceOptions } from './source-options.ts';
import type { Source } from '../../stores/source.ts';

/** The source that is a file, or standard input if its path is `-`. */
export function fileSource(path: string, options: SourceOptions, around: Surroundings): Source {
  return {
    read: async () => {
      const { bytes, time } = await readInput(path, around);
      return { content: readFile(bytes, options), readAt: time };
    },
  };
}
