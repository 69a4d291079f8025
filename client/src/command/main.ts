import { createWriteStream, fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { runCommand } from './command.ts';
import { onInterruption } from '../../../common/terminal/interruption.ts';
import { EXIT } from './failure.ts';

/** How long the command may take to end after a signal, in milliseconds: longer than what it waits for itself. */
const PATIENCE = 1900;

const stop = new AbortController();
const forget = onInterruption(() => {
  stop.abort();
  // Nobody may read its output, for example.
  setTimeout(() => process.exit(EXIT.failed), PATIENCE).unref();
});

void runCommand(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: standardOutput(),
  stderr: process.stderr,
  signal: stop.signal,
}).then((code) => {
  process.exitCode = code;
  forget();
});

/**
 * Returns the standard output. For a file, Node's own loses what a full disk does not take, without an error; this stream
 * tries again, and fails.
 */
function standardOutput(): Writable {
  const { fd } = process.stdout;
  return fstatSync(fd).isFile() ? createWriteStream('', { fd, autoClose: false }) : process.stdout;
}
