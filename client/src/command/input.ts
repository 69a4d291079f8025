import { open } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Surroundings } from './surroundings.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { Failure } from '../stores/failure.ts';

/** What a file contains, and when that was. */
export interface Input {
  readonly bytes: Uint8Array;
  readonly time: Date;
}

/**
 * Reads a file, or standard input if its path is `-`.
 * @throws Failure if it cannot be read
 */
export async function readInput(path: string, { openStdin, signal }: Surroundings): Promise<Input> {
  const now = new Date();
  try {
    if (path === '-') {
      // Destroys the stream: an open one would keep the process alive.
      return { bytes: await buffer(addAbortSignal(signal, openStdin())), time: now };
    }
    const file = await open(path);
    try {
      const { mtime } = await file.stat();
      // A clock may have been wrong when it was written.
      return { bytes: await file.readFile(), time: mtime < now ? mtime : now };
    } finally {
      await file.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Failure(`${path === '-' ? 'Standard input' : path}: ${explained(error)}.`);
  }
}
