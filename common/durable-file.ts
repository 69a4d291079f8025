import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

// Files that must be whole after a kill, and after a power failure. What is written is on disk when a function returns.

/** A text, or its pieces as they come. */
type FileContent = string | AsyncIterable<string>;

interface WriteOptions {
  /** Who may use the file: by default, as the system makes new files. */
  readonly mode?: number;
  /** Ends the writing, with its reason as the error. */
  readonly signal?: AbortSignal;
}

/** Replaces a file, or creates it. Whatever happens, it has the new content or the old one. */
export async function replaceFile(
  path: string,
  content: FileContent,
  options: WriteOptions = {},
): Promise<void> {
  // Nobody else uses this name.
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await write(temporary, 'wx', content, options);
    await rename(temporary, path);
  } catch (error) {
    // On a full disk, each run would leave one.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolderOf(path);
}

/** Creates a file, which must not be there yet. If this fails, a part of it may be there. */
export async function createFile(
  path: string,
  content: FileContent,
  options: WriteOptions = {},
): Promise<void> {
  await write(path, 'wx', content, options);
  await syncFolderOf(path);
}

/** Appends to a file, or creates it. If this fails, a part of the text may be there. */
export async function appendToFile(
  path: string,
  content: FileContent,
  options: WriteOptions = {},
): Promise<void> {
  await write(path, 'a', content, options);
  await syncFolderOf(path);
}

/**
 * Reads a file; undefined if there is none.
 * @throws Error if it is none that keeps what is written to it: a named pipe would be waited for, for ever
 */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    const found = await stat(path);
    // Reading a folder says that it is one.
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is no regular file');
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function write(
  path: string,
  flags: 'wx' | 'a',
  content: FileContent,
  { mode, signal }: WriteOptions,
): Promise<void> {
  await using(await open(path, flags, mode), async (file) => {
    // One that was there may have another mode.
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(content, { signal });
    await file.sync();
  });
}

/**
 * A file that is new in a folder is found after a power failure only if the folder is on disk, too. Not every system can do this,
 * and the file is there already.
 */
async function syncFolderOf(path: string): Promise<void> {
  try {
    await using(await open(dirname(path)), (folder) => folder.sync());
  } catch {
    // Nothing else can be done.
  }
}

async function using(file: FileHandle, act: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await act(file);
  } finally {
    await file.close();
  }
}
