import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Project } from './project.ts';

/** How long a follower may take to show its first line, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Types a command that shows what happens until it is stopped, and makes things happen until it shows the first line.
 * @param provoke makes something happen
 * @returns that line
 */
export async function firstLine(
  command: string,
  { folder, environment }: Project,
  provoke: () => Promise<void>,
): Promise<string> {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that the whole pipe can be ended.
    detached: true,
  });
  const ended = once(child, 'exit');
  let shown = '';
  let complaints = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  try {
    for (const deadline = Date.now() + PATIENCE; Date.now() < deadline;) {
      const [line] = shown.split('\n', shown.includes('\n') ? 1 : 0);
      if (line !== undefined) return line;
      if (child.exitCode !== null) throw new Error(`${command} ended: ${complaints}`);
      await provoke();
      await setTimeout(250);
    }
    throw new Error(`${command} showed nothing: ${complaints}`);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}
