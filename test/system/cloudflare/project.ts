import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Finished } from '../../node/processes.ts';
import { temporaryFolder } from '../../node/processes.ts';

const execute = promisify(execFile);

/** Where the project lies whose tests run. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url).href);

/** A copy of the project, in which a person may type commands and change files as the runbook says. */
export class Project {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly #children = new Set<ChildProcess>();

  private constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.environment = environment;
  }

  /** Copies the project as it stands, changes that are not committed included. */
  static async copy(environment: Readonly<Record<string, string>>): Promise<Project> {
    const path = await emptyFolder();
    const { stdout } = await execute('git', ['ls-files', '-coz', '--exclude-standard'], {
      cwd: ROOT,
    });
    for (const file of stdout.split('\0').filter((name) => name !== '')) {
      await mkdir(dirname(join(path, file)), { recursive: true });
      // One that is deleted and not yet committed is listed too.
      await cp(join(ROOT, file), join(path, file)).catch(() => undefined);
    }
    return Project.#equip(path, environment);
  }

  static async #equip(
    folder: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<Project> {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return new Project(folder, {
      ...process.env,
      // Nobody can be asked: where wrangler would, it takes its default.
      CI: 'true',
      NO_COLOR: '1',
      WRANGLER_SEND_METRICS: 'false',
      // No look-up of newer versions.
      WRANGLER_HIDE_BANNER: 'true',
      // No login and no logs of the person whose machine this is.
      XDG_CONFIG_HOME: join(dirname(folder), 'config'),
      ...environment,
    });
  }

  /** Types a line into a shell, with nobody to answer questions. */
  async type(line: string, variables: Readonly<Record<string, string>> = {}): Promise<Finished> {
    const child = spawn('sh', ['-c', line], {
      cwd: this.folder,
      env: { ...this.environment, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that all that it started can be ended.
      detached: true,
    });
    this.#children.add(child);
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.on('exit', resolve)),
    ]);
    this.#children.delete(child);
    return { code, stdout, stderr };
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  write(file: string, content: string): Promise<void> {
    return writeFile(join(this.folder, file), content);
  }

  /** Ends what still runs here, and removes the copy. */
  async remove(): Promise<void> {
    for (const { pid } of this.#children) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    await rm(dirname(this.folder), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An empty folder in a folder of its own: what the runbook puts beside the project stays there too. */
async function emptyFolder(): Promise<string> {
  const folder = join((await temporaryFolder()).path, 'project');
  await mkdir(folder);
  return folder;
}
