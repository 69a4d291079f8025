import { parentPort } from 'node:worker_threads';
import { STORES } from '../stores/stores.ts';
import { runCommand } from './command.ts';
import { fetchWithoutProxy } from './service/unused-proxies.ts';
import { standardInput, standardOutput } from './terminal/standard-streams.ts';

// The program of the thread in which the command runs. Its parent listens for signals.

const stop = new AbortController();
parentPort?.once('message', () => {
  stop.abort();
});
// It does not keep the thread alive.
parentPort?.unref();

void runCommand(process.argv.slice(2), {
  env: process.env,
  stores: STORES,
  openStdin: standardInput,
  stdout: standardOutput(1),
  stderr: standardOutput(2),
  signal: stop.signal,
  fetch: fetchWithoutProxy(process.env),
  leaveReport: (text) => parentPort?.postMessage(text),
}).then((code) => {
  process.exitCode = code;
});
