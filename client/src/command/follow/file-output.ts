import { fstat, fstatSync, fsync, WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { explained } from '../../../../common/terminal/reason.ts';
import { write } from '../terminal/output.ts';
import { Failure } from '../../../../common/failure.ts';

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

/** Returns the descriptor of a file; undefined of what stores nothing: a pipe, a terminal, or a device such as /dev/null. */
function fileOf(stream: Writable): number | undefined {
  // Files and devices have such a stream, see `standardOutput`.
  if (!(stream instanceof WriteStream && 'fd' in stream && typeof stream.fd === 'number')) return;
  return fstatSync(stream.fd).isFile() ? stream.fd : undefined;
}

/** Whether a file is empty or ends with a line feed; false if nobody can tell, as on macOS. An empty line does no harm. */
async function endsLine(fd: number): Promise<boolean> {
  const { size } = await promisify(fstat)(fd);
  if (size === 0) return true;
  try {
    // The descriptor of `>>` cannot be read. Linux opens the file again by this path.
    const file = await open(`/proc/self/fd/${fd}`);
    try {
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      return buffer.toString() === '\n';
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
