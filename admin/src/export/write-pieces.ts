import { constants } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { BrandExport } from './export.ts';

export interface LargeFile {
  readonly file: string;
  readonly bytes: number;
}

/** Whether a file is too large for `brand import`, which has it as one string. */
export function isTooLarge({ bytes }: LargeFile): boolean {
  return bytes > constants.MAX_STRING_LENGTH;
}

/**
 * Writes an export to an open file, up to the disk, and closes it.
 * @returns how many bytes it has
 */
export async function writePieces(
  output: FileHandle,
  { pieces }: BrandExport,
  {
    signal,
    onRows = () => undefined,
  }: { readonly signal?: AbortSignal; readonly onRows?: (rows: number) => void } = {},
): Promise<number> {
  const stream = output.createWriteStream({ flush: true });
  await pipeline(texts(), stream, { ...(signal && { signal }) });
  return stream.bytesWritten;

  async function* texts(): AsyncGenerator<string> {
    for await (const { text, rows } of pieces) {
      onRows(rows);
      yield text;
    }
  }
}
