import { constants } from 'node:buffer';
import type { BrandExport } from './export.ts';

export interface LargeFile {
  readonly file: string;
  readonly bytes: number;
}

/** Whether a file is too large for `brand import`, which has it as one string. */
export function isTooLarge({ bytes }: LargeFile): boolean {
  return bytes > constants.MAX_STRING_LENGTH;
}

/** Yields the texts of an export, to write them into a file. */
export async function* textsOf(
  { pieces }: BrandExport,
  onRows: (rows: number) => void = () => undefined,
): AsyncGenerator<string> {
  for await (const { text, rows } of pieces) {
    onRows(rows);
    yield text;
  }
}
