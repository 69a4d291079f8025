import { createReadStream, createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { isatty, ReadStream, WriteStream } from 'node:tty';

// The streams of the process. Those that Node gives to a thread go through its parent, and hide from it whether they are a
// terminal, closed or full.

const INPUT = 0;

export function standardInput(): Readable {
  if (isatty(INPUT)) return new ReadStream(INPUT);
  return isPipe(INPUT)
    ? new Socket({ fd: INPUT, readable: true, writable: false })
    : createReadStream('', { fd: INPUT, autoClose: false });
}

/** @param fd 1 or 2 */
export function standardOutput(fd: number): Writable {
  if (isatty(fd)) return new WriteStream(fd);
  // For a file, Node's own loses what a full disk does not take, without an error. This stream tries again, and fails.
  return isPipe(fd)
    ? new Socket({ fd, readable: false, writable: true })
    : createWriteStream('', { fd, autoClose: false });
}

function isPipe(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFIFO() || stats.isSocket();
}
