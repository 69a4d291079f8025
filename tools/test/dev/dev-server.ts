import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../../../common/wrangler/wrangler.ts';
import { freePort } from '../../../test/node/processes.ts';

/** A running `npm run dev`. */
export interface DevServer {
  /** The output up to the instructions, and what came with them. */
  readonly output: string;
  readonly curl: string;
  /** Asks npm alone to end, as a supervisor does, and waits until it has. */
  readonly stop: () => Promise<void>;
  /** Kills all that it started, like a power failure. */
  readonly kill: () => Promise<void>;
  /** Whether anything runs that it has started. */
  readonly isRunning: () => boolean;
}

/** Starts `npm run dev`, and waits for the instructions. */
export async function startDev(
  port: number,
  folder: string,
  ...flags: readonly string[]
): Promise<DevServer> {
  // Servers that start at the same time would choose the same port for the inspector.
  const ports = ['--port', String(port), '--inspector-port', String(await freePort())];
  const words = ['run', '-s', 'dev', '--', ...ports, '--persist-to', folder, ...flags];
  const child = spawn('npm', words, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('/docs\n\n')) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('exit', () => {
      reject(new Error(`npm run dev ended: ${output}`));
    });
  });
  /** Sends a signal to its process group. Returns whether there is one. */
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-Number(child.pid), name);
    } catch {
      return false;
    }
  };
  return {
    output,
    curl: /^\s*(curl (?:-k )?-H .*)\n/m.exec(output)?.[1] ?? '',
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
    kill: async () => {
      signal('SIGKILL');
      await exited;
    },
    isRunning: () => signal(0),
  };
}
