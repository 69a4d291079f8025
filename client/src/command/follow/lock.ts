import type { FileHandle } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { CannotLock, tryLock } from '../../../../common/file-lock.ts';
import { Failure } from '../../stores/failure.ts';

/** How often it is looked whether somebody else still has a lock, in milliseconds. */
const PAUSE = 200;

/**
 * Waits until nobody has the lock of a file, and takes it. A program that a killed command left behind keeps it.
 * @param onWait called if somebody else has it
 * @throws Failure if the file cannot be locked; the reason of the signal
 */
export async function lock(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<FileHandle> {
  const take = (): ReturnType<typeof tryLock> =>
    tryLock(path).catch((error: unknown) => {
      throw error instanceof CannotLock ? new Failure(error.message) : error;
    });
  let file = await take();
  if (file === undefined) onWait();
  while (file === undefined) {
    await setTimeout(PAUSE, undefined, { signal });
    file = await take();
  }
  return file;
}
