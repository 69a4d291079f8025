import { readFile } from '../files/read-file.ts';
import { readInput } from '../input.ts';
import type { Source } from '../source.ts';
import type { Surroundings } from '../surroundings.ts';
import type { SourceOptions } from './source-options.ts';

/** The source that is a file, or standard input if its path is `-`. */
export function fileSource(path: string, options: SourceOptions, around: Surroundings): Source {
  return {
    read: async () => {
      const { bytes, time } = await readInput(path, around);
      const { hasUnclearRows, ...file } = readFile(bytes, options);
      return {
        content: {
          ...file,
          places: file.items.map((_, index) => `item ${index + 1}`),
          skipped: file.skipped.map((one) => ({ ...one, kind: 'problem' })),
          doubts: hasUnclearRows ? ['Some rows of the file cannot be read for sure.'] : [],
        },
        readAt: time,
      };
    },
  };
}
