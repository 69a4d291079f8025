import { open } from 'node:fs/promises';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { explained } from './terminal/reason.ts';

/** What a file contains, and when that was. */
export interface Input {
  readonly bytes: Uint8Array;
  readonly time: Date;
}

/**
 * Reads a file, or standard input if its path is `-`.
 * @throws Failure if it cannot be read
 */
export async function readInput(path: string, { stdin, signal }: Surroundings): Promise<Input> {
  const now = new Date();
  try {
    if (path === '-') return { bytes: await allOf(stdin, signal), time: now };
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

async function allOf(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Failure('Stopped before the end.'));
    });
  });
  const collect = async (): Promise<void> => {
    for await (const piece of pieces) all.push(piece);
  };
  await Promise.race([collect(), stopped]);
  return new Uint8Array(Buffer.concat(all));
}
