import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { Failure } from './failure.ts';
import { explained } from './terminal/reason.ts';

/** `O_EXLOCK` of macOS: opening the file locks it. */
const LOCKED_WHEN_OPEN = 0x20;

/** With which exit code `flock` says that another program has the lock. */
const TAKEN = 1;

/**
 * Takes the lock of a file, and creates the file if there is none, for its owner alone. The lock belongs to the open file:
 * all programs that inherit it have it, too, and it ends with the last of them, however they end.
 * @returns the open file; undefined if another program has the lock
 * @throws Failure if the file cannot be written, or locked at all
 */
export async function tryLock(path: string): Promise<FileHandle | undefined> {
  const { O_CREAT, O_RDWR, O_NONBLOCK } = constants;
  const isMac = process.platform === 'darwin';
  let file: FileHandle;
  try {
    const flags = O_CREAT | O_RDWR | (isMac ? LOCKED_WHEN_OPEN | O_NONBLOCK : 0);
    file = await open(path, flags, 0o600);
  } catch (error) {
    if (isMac && error instanceof Error && 'code' in error && error.code === 'EAGAIN')
      return undefined;
    throw new Failure(`${path} cannot be written: ${explained(error)}.`);
  }
  try {
    if (isMac || (await hasLocked(file, path))) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

/** Locks an open file by the program `flock`, which Linux has. Node cannot do it. */
async function hasLocked({ fd }: FileHandle, path: string): Promise<boolean> {
  const program = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  try {
    await once(program, 'exit');
  } catch (error) {
    throw new Failure(
      `${path} cannot be locked, because the program flock cannot be started: ${explained(error)}.`,
    );
  }
  const { exitCode } = program;
  // A signal to all programs of the terminal ends this one too.
  if (exitCode === 0 || exitCode === TAKEN || exitCode === null) return exitCode === 0;
  throw new Failure(
    `${path} cannot be locked: flock ended with the exit code ${exitCode}. Is it on a network drive?`,
  );
}
