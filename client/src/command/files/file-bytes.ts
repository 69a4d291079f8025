import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readFile, realpath, stat } from 'node:fs/promises';
import { wait } from '../../abort.ts';

/** The pause before a pipe without data is looked at again, in milliseconds. */
const PAUSE = 10;

/** How much is read of a pipe at once, in bytes. */
const PIECE = 2 ** 16;

/** Reads a file, or what a pipe or a terminal gives until its end. @throws the reason of the signal; an error of the system */
export async function fileBytes(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const found = await stat(path);
  // Reading a folder says that it is one.
  if (found.isFile() || found.isDirectory()) return readFile(path, { signal });
  // A named pipe is waited for by the system, for ever: no signal would end that, and the process could not exit.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const pieces: Uint8Array[] = [];
    // The pipe of `<(…)` has no name, and its program has begun already.
    const isNamed = found.isFIFO() && (await realpath(path).catch(() => '')) !== '';
    for await (const piece of piecesOf(file, signal, !isNamed)) pieces.push(piece);
    return Buffer.concat(pieces);
  } finally {
    await file.close();
  }
}

/** @param isBegun whether a program has it open for writing: before, a pipe is at its end as it is afterwards */
async function* piecesOf(
  file: FileHandle,
  signal: AbortSignal,
  isBegun: boolean,
): AsyncGenerator<Uint8Array, void> {
  let canEnd = isBegun;
  for (;;) {
    signal.throwIfAborted();
    try {
      const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE), 0, PIECE, null);
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (canEnd) return;
      else await wait(PAUSE, [signal]);
      canEnd ||= bytesRead > 0;
    } catch (error) {
      if (!isEmpty(error)) throw error;
      canEnd = true;
      await wait(PAUSE, [signal]);
    }
  }
}

/** Whether an error says that a pipe has no data now, and that there is a program that may write some. */
function isEmpty(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
