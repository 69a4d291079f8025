import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Finished } from '../../../test/node/processes.ts';
import { run, temporaryFolder } from '../../../test/node/processes.ts';

const packed = z.tuple([
  z.object({
    filename: z.string(),
    unpackedSize: z.number(),
    /** Of the file. */
    size: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

/** The packed client, in a folder that was set up as client/README.md says. */
export interface InstalledClient {
  /** The folder of the reader's program. */
  readonly path: string;
  /** What is in the file of the package. */
  readonly contents: z.infer<typeof packed>[0];
  /** The commands of the README that set the folder up. */
  readonly commands: readonly string[];
  readonly remove: () => Promise<void>;
}

/** Packs the client, and installs the file in a new folder, by the commands of client/README.md. */
export async function installClient(): Promise<InstalledClient> {
  const folder = await temporaryFolder();
  const pack = ['pack', './client', '--json', '--silent', '--pack-destination', folder.path];
  const [contents] = packed.parse(JSON.parse((await succeed('npm', ...pack)).stdout));
  const archive = join(folder.path, contents.filename);
  const readme = await readFile('client/README.md', 'utf8');
  const [, text = ''] = /empty folder.*?```text\n(.*?)```/s.exec(readme) ?? [];
  const commands = text.trim().split('\n');
  const path = join(folder.path, 'user');
  await mkdir(path);
  const here = within(path);
  for (const command of commands) {
    const [program = '', ...words] = command.split(' ');
    if (command.startsWith('npm install ./')) {
      await succeed(...here, 'npm', 'install', '--offline', '--no-audit', archive);
    } else if (program === 'npm' && words[0] !== 'install') {
      await succeed(...here, program, ...words);
    } else if (program === 'npx') await succeed(...here, ...words);
  }
  const types = join(path, 'node_modules/@types');
  await mkdir(types);
  await symlink(resolve('node_modules/@types/node'), join(types, 'node'));
  return { path, contents, commands, remove: () => folder.remove() };
}

/** The words that run a command in a folder. npm would find the project in the variable that it sets for its scripts. */
export function within(path: string): readonly ['env', ...string[]] {
  return ['env', '-u', 'npm_config_local_prefix', '--chdir', path];
}

/** Runs a program, which must exit with 0. */
export async function succeed(...command: readonly [string, ...string[]]): Promise<Finished> {
  const finished = await run(...command);
  expect(finished.code, finished.stdout + finished.stderr).toBe(0);
  return finished;
}

/** Returns the programs of the Node versions on the PATH from 20 on, by version. */
export async function nodes(): Promise<Map<number, string>> {
  const { stdout } = await run('which', '-a', 'node');
  const found = new Map<number, string>();
  for (const path of stdout.trim().split('\n')) {
    const major = Number(/^v(\d+)/.exec((await run(path, '--version')).stdout)?.[1]);
    if (major >= 20) found.set(major, path);
  }
  return found;
}
