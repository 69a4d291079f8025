import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { explained } from '../../../../common/terminal/reason.ts';
import { Failure } from '../../stores/failure.ts';

/** How often a lock that somebody else has is tried, in milliseconds. */
const PAUSE = 200;

/** `O_EXLOCK` of macOS: opening the file locks it. */
const LOCKED_WHEN_OPEN = 0x20;

/**
 * Waits until nobody has the lock of a file, and takes it. The lock belongs to the open file: all programs that inherit it
 * have it, too, and it ends with the last of them, however they end. So a program that a killed command left behind keeps
 * it.
 * @param onWait called if somebody else has it
 * @throws Failure if the file cannot be locked; the reason of the signal
 */
export async function lock(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<FileHandle> {
  for (let tried = 0; ; tried++) {
    const file = await tryLock(path);
    if (file !== undefined) return file;
    if (tried === 0) onWait();
    await setTimeout(PAUSE, undefined, { signal });
  }
}

/** Returns a file with its lock; undefined if somebody else has it. */
async function tryLock(path: string): Promise<FileHandle | undefined> {
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
  if (isMac || (await hasLocked(file))) return file;
  await file.close();
  return undefined;
}

/** Locks an open file by the program `flock`, which Linux has. Node cannot do it. */
async function hasLocked({ fd }: FileHandle): Promise<boolean> {
  const program = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  try {
    await once(program, 'exit');
  } catch (error) {
    throw new Failure(`--exec needs the program flock: ${explained(error)}.`);
  }
  return program.exitCode === 0;
}
