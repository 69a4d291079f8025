import { createWriteStream } from 'node:fs';
import { mkdtempDisposable, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { reasonOf } from '../reason.ts';
import { loadExport } from './load.ts';
import { restorableSql } from './restorable.ts';

/** What people may do with the new file: it has all that the database has. */
const PRIVATE = 0o600;

/** The errors of files that people make, by their codes. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it exists already, and is not overwritten',
  EISDIR: 'it is a folder',
  EACCES: 'you may not',
  ENOSPC: 'the disk is full',
};

/**
 * Converts an export of D1 into a file that can be restored.
 * @param signal stops it
 * @throws Error with a sentence for the operator; the target is then not written
 */
export async function convert(file: string, target: string, signal: AbortSignal): Promise<void> {
  const from = await open(file).catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${explained(error)}.`);
  });
  await from.close();
  // Taken at once, so that the file of somebody else is not overwritten at the end.
  const to = await open(target, 'wx', PRIVATE).catch((error: unknown) => {
    throw new Error(`${target} cannot be written: ${explained(error)}.`);
  });
  await to.close();
  try {
    await write(file, target, signal);
  } catch (cause) {
    await rm(target);
    if (signal.aborted) throw new Error('Stopped. No file was written.', { cause });
    throw new Error(`${file} cannot be converted: ${explained(cause)}. Is it a complete export?`, {
      cause,
    });
  }
}

async function write(file: string, target: string, signal: AbortSignal): Promise<void> {
  // Beside the target: it may need more space than the folder for temporary files has.
  await using temporary = await mkdtempDisposable(join(dirname(resolve(target)), '.restorable-'));
  const written = join(temporary.path, 'restore.sql');
  const database = await loadExport(file, temporary.path, signal);
  try {
    const output = createWriteStream(written, { mode: PRIVATE });
    await pipeline(linesOf(restorableSql(database)), output, { signal });
  } finally {
    database.close();
  }
  // The target is whole or empty, even if this program is killed.
  await rename(written, target);
}

function* linesOf(statements: Iterable<string>): Generator<string> {
  for (const statement of statements) yield `${statement};\n`;
}

function explained(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return EXPLAINED[code] ?? reasonOf(error);
}
