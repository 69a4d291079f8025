import { mkdtempDisposable, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { reasonOf } from './reason.ts';

/** What people may do with a new file: it holds what a database has. */
export const PRIVATE = 0o600;

/** The errors of files that people make, by their codes. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it exists already, and is not overwritten',
  EISDIR: 'it is a folder',
  EACCES: 'you may not',
  ENOSPC: 'the disk is full',
};

/**
 * Creates a file that only its owner can read. It is whole or empty, even if this program is killed, and it is removed if
 * it cannot be written.
 * @param write writes it into a folder beside it, and returns the path there
 * @throws Error with a sentence for the operator if there is such a file; what `write` throws
 */
export async function createFile(
  target: string,
  write: (folder: string) => Promise<string>,
): Promise<void> {
  // Taken at once, so that the file of somebody else is not overwritten at the end.
  const taken = await open(target, 'wx', PRIVATE).catch((error: unknown) => {
    throw new Error(`${target} cannot be written: ${explained(error)}.`);
  });
  await taken.close();
  try {
    // Beside the target: it may need more space than the folder for temporary files has.
    await using temporary = await mkdtempDisposable(join(dirname(resolve(target)), '.unfinished-'));
    await rename(await write(temporary.path), target);
  } catch (error) {
    await rm(target);
    throw error;
  }
}

/** Returns why a file cannot be read or written, for a person. */
export function explained(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return EXPLAINED[code] ?? reasonOf(error);
}
