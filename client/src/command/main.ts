import { runCommand } from './command.ts';
import { onInterruption } from './terminal/interruption.ts';

const stop = new AbortController();
const forget = onInterruption(() => {
  stop.abort();
});

void runCommand(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
}).then((code) => {
  process.exitCode = code;
  forget();
});
