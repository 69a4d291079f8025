import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';

const PROGRAM = join(import.meta.dirname, 'server-process.ts');

const started = z.object({ port: z.number(), workerd: z.number() });

/** A server that can be killed. */
export interface ServerChild {
  readonly port: number;
  /** Ends Node and workerd at once by SIGKILL, and waits until both are gone. */
  kill(): Promise<void>;
}

/** Starts a server on the database in a folder, and waits until it listens. */
export async function startServer(folder: string): Promise<ServerChild> {
  // A process group of its own, so that one signal reaches all of it.
  const child = spawn(process.execPath, [PROGRAM, folder], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (line === undefined) throw new Error('The server ended.');
  const { port, workerd } = started.parse(JSON.parse(String(line[0])));
  const kill = async (): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, 'SIGKILL');
    await exited;
    while (await isThere(workerd)) await setTimeout(5);
  };
  return { port, kill };
}

/** Whether a process is there and no zombie: of one that ended, no file is open any more. */
async function isThere(pid: number): Promise<boolean> {
  return access(`/proc/${pid}/exe`).then(
    () => true,
    () => false,
  );
}
