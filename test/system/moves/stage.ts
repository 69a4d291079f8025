import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { getPlatformProxy } from 'wrangler';
import type { Databases } from '../../../src/env.ts';
import { localDatabases } from '../../../tools/admin/configuration.ts';
import type { LocalDatabases } from '../../../tools/admin/moves.ts';
import { WRANGLER } from '../../../tools/wrangler.ts';
import type { Finished } from '../../node/processes.ts';
import { freePort, killGroup, scriptWords } from '../../node/processes.ts';
import { withDatabases } from '../../node/several-databases.ts';
import { Project, ROOT } from '../cloudflare/project.ts';

/** How long a server may take to answer, in milliseconds. */
const PATIENCE = 60_000;

/** A copy of the project with three databases, its server, and its commands. All of them can be killed at any time. */
export class Stage {
  readonly #project: Project;
  readonly #port: number;
  readonly #inspector: number;
  #server: ChildProcess | undefined;
  #output = '';

  private constructor(project: Project, port: number, inspector: number) {
    this.#project = project;
    this.#port = port;
    this.#inspector = inspector;
  }

  /** Copies the project, and creates its databases. Nothing runs yet. */
  static async open(): Promise<Stage> {
    const project = await Project.copy({ CLOUDFLARE_CF_FETCH_ENABLED: 'false' });
    await project.write('wrangler.toml', withDatabases(await project.read('wrangler.toml'), 3));
    const stage = new Stage(project, await freePort(), await freePort());
    const migrations = await readD1Migrations(join(ROOT, 'migrations'));
    await stage.withDatabases(async ({ numbers, at }) => {
      for (const number of numbers) {
        for (const { queries } of migrations) {
          await at(number).batch(queries.map((query) => at(number).prepare(query)));
        }
      }
    });
    return stage;
  }

  /** The address of the service. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What the servers have printed. */
  get output(): string {
    return this.#output;
  }

  /** Opens the databases in this process. */
  async withDatabases<T>(work: (local: LocalDatabases) => Promise<T>): Promise<T> {
    const { env, dispose } = await getPlatformProxy<Databases>({
      configPath: join(this.#project.folder, 'wrangler.toml'),
      persist: { path: join(this.#project.folder, '.wrangler/state/v3') },
      remoteBindings: false,
    });
    try {
      return await work(localDatabases(env, dispose));
    } finally {
      await dispose();
    }
  }

  /** Starts the server, and waits until it answers. */
  async serve(): Promise<void> {
    const ports = ['--port', String(this.#port), '--inspector-port', String(this.#inspector)];
    const server = this.#spawn(process.execPath, [
      ...[WRANGLER, 'dev', ...ports],
      '--show-interactive-dev-session=false',
    ]);
    this.#server = server;
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output += chunk;
      });
    }
    const deadline = Date.now() + PATIENCE;
    while (!(await this.#answers())) {
      if (server.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The server does not answer: ${this.#output.slice(-2000)}`);
      }
      await setTimeout(100);
    }
  }

  /** Kills the server like a power failure. */
  async killServer(): Promise<void> {
    if (this.#server) await killGroup(this.#server);
    this.#server = undefined;
  }

  /** Runs a command of the admin tool until it ends, or is killed. */
  admin(...words: readonly string[]): { readonly ended: Promise<Finished>; kill: () => void } {
    const [command, ...first] = scriptWords('admin');
    const child = this.#spawn(command, [...first, ...words]);
    return {
      ended: outcomeOf(child),
      kill: () => void killGroup(child),
    };
  }

  /** Ends all that runs here, and removes the copy. */
  async close(): Promise<void> {
    await this.killServer();
    await this.#project.remove();
  }

  async #answers(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/api/brand/v1/profile`);
      await response.text();
      return response.status === 401;
    } catch {
      return false;
    }
  }

  /** Starts a program in a process group of its own, so that all its processes can be killed. */
  #spawn(command: string, words: readonly string[]): ChildProcess {
    const { folder: cwd, environment: env } = this.#project;
    return spawn(command, words, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

async function outcomeOf(child: ChildProcess): Promise<Finished> {
  const read = async (stream: ChildProcess['stdout']): Promise<string> =>
    stream === null ? '' : text(stream);
  const exit = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  await exit;
  return { code: child.exitCode, stdout, stderr };
}
