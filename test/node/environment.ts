import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

// What makes the programs faster that tests start. vitest.config.ts imports it.

/** How many test files run at once. Many wait for time or for programs, so more than there are processors. */
export const WORKERS = availableParallelism() * 2;

// Databases on a disk wait for it at the end of each transaction: in memory, the tests take less than half the time.
if (process.env['TMPDIR'] === undefined && hasSpace('/dev/shm', 4 * 2 ** 30)) {
  process.env['TMPDIR'] = '/dev/shm';
}

// Programs that the tests start again and again keep their compiled code.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/node');

/** Whether a folder exists and has so many bytes free. */
function hasSpace(folder: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= bytes;
  } catch {
    return false;
  }
}
