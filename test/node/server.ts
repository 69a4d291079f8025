import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WRANGLER } from '../../common/wrangler/wrangler.ts';
import { freePort } from './processes.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url).href);
const PATIENCE = 60_000;
const options = { cwd: ROOT, env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' } };

/** The service under `wrangler dev`, on a separate database. */
export interface OwnServer {
  readonly port: number;
  /** A key of the first brand. */
  readonly apiKey: string;
  readonly stop: () => Promise<void>;
  /** The process group in which it runs. */
  readonly group: number;
  /** Returns its log so far. */
  readonly log: () => string;
}

/** Serves the database in a folder; `stop` deletes the folder. */
export async function serve(
  folder: string,
  ...main: readonly string[]
): Promise<Omit<OwnServer, 'apiKey'>> {
  const [port, inspector] = [await freePort(), await freePort()];
  const ports = ['--port', String(port), '--inspector-port', String(inspector)];
  const server = spawn(
    process.execPath,
    [
      WRANGLER,
      'dev',
      ...main,
      ...ports,
      '--show-interactive-dev-session=false',
      '--persist-to',
      folder,
    ],
    // A separate process group, so that all its processes can be killed.
    { ...options, stdio: ['ignore', 'pipe', 'ignore'], detached: true },
  );
  let log = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const stop = async (): Promise<void> => {
    await end(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await answers(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, group: server.pid ?? 0, log: () => log, stop };
}

async function answers(port: number): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (Date.now() < deadline) {
    try {
      if ((await fetch(`http://127.0.0.1:${port}/api/brand/v1/profile`)).status === 401) return;
    } catch {
      // The server does not listen yet.
    }
    await setTimeout(200);
  }
  throw new Error('The server does not answer.');
}

async function end(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  process.kill(-server.pid, 'SIGTERM');
  await ended;
}
