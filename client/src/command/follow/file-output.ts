import { fstat, fsync, WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { explained } from '../../../../common/terminal/reason.ts';
import { write } from '../terminal/output.ts';
import { Failure } from '../../stores/failure.ts';

/** The descriptor of the standard output. */
const OUTPUT = 1;

/** Whether the standard output is a file. Only files have such a stream, see `standardOutput`. */
function isFile(stream: Writable): boolean {
  return stream instanceof WriteStream;
}

/**
 * If the output is a file whose last line has no end, ends it: an earlier run was killed, or the disk was full.
 * @throws as `write`
 */
export async function endLastLine(stream: Writable): Promise<void> {
  if (isFile(stream) && !(await endsLine())) await write(stream, '\n');
}

/** If the output is a file, waits until the disk has it. @throws Failure if it does not take it */
export async function syncOutput(stream: Writable): Promise<void> {
  try {
    if (isFile(stream)) await promisify(fsync)(OUTPUT);
  } catch (error) {
    throw new Failure(`The output is not complete: ${explained(error)}.`);
  }
}

/** Whether the output is empty or ends with a line feed; false if nobody can tell, as on macOS. An empty line does no harm. */
async function endsLine(): Promise<boolean> {
  const { size } = await promisify(fstat)(OUTPUT);
  if (size === 0) return true;
  try {
    // The descriptor of `>>` cannot be read. Linux opens the file again by this path.
    const file = await open(`/proc/self/fd/${OUTPUT}`);
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
