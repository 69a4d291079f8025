import { execFile } from 'node:child_process';
import { fsync, WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { explained } from '../../../../common/terminal/reason.ts';
import { write } from '../terminal/output.ts';
import { Failure } from '../../stores/failure.ts';

/**
 * If the output is a file whose last line has no end, ends it: an earlier run was killed, or the disk was full.
 * @throws as `write`
 */
export async function endLastLine(stream: Writable): Promise<void> {
  const fd = fileOf(stream);
  if (fd !== undefined && !(await endsLine(fd))) await write(stream, '\n');
}

/** If the output is a file, waits until the disk has it. @throws Failure if it does not take it */
export async function syncOutput(stream: Writable): Promise<void> {
  const fd = fileOf(stream);
  if (fd === undefined) return;
  try {
    await promisify(fsync)(fd);
  } catch (error) {
    throw new Failure(`The output is not complete: ${explained(error)}.`);
  }
}

/** Returns the descriptor of a file; undefined of a pipe or a terminal. */
function fileOf(stream: Writable): number | undefined {
  // Only files have such a stream, see `standardOutput`.
  return stream instanceof WriteStream && 'fd' in stream && typeof stream.fd === 'number'
    ? stream.fd
    : undefined;
}

/** Whether a file is empty or ends with a line feed; false if nobody can tell. An empty line does no harm. */
async function endsLine(fd: number): Promise<boolean> {
  try {
    // The descriptor of `>>` cannot be read.
    const file = await open(await pathOf(fd));
    try {
      const { size } = await file.stat();
      if (size === 0) return true;
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      return buffer.toString() === '\n';
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

/** Returns a path of an open file. macOS says it by `lsof`, in a line that begins with `n`. */
async function pathOf(fd: number): Promise<string> {
  if (process.platform !== 'darwin') return `/proc/self/fd/${fd}`;
  const words = ['-a', '-p', String(process.pid), '-d', String(fd), '-Fn'];
  const { stdout } = await promisify(execFile)('lsof', words);
  return /^n(.*)$/m.exec(stdout)?.[1] ?? '';
}
