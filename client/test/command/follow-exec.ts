import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildResult } from 'esbuild';
import { build } from 'esbuild';
import type { TakenBrand } from '../../../test/node/pool.ts';

/** A program that runs, and what it has printed so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly printed: () => string;
  /** Waits until it has ended. */
  readonly exit: () => Promise<number | null>;
}

/** Starts the command as a program of its own, in a folder. */
export type Start = (words: readonly string[]) => Running;

let bundle: Promise<BuildResult<{ write: false }>> | undefined;

/** Puts the command into a folder as it is in its package, because a test starts it many times. It is bundled once. */
export async function commandIn(folder: string, brand: TakenBrand): Promise<Start> {
  const program = join(folder, 'package/bin/brand-integration.js');
  await cp('client/bin', join(folder, 'package/bin'), { recursive: true });
  await cp('client/package.json', join(folder, 'package/package.json'));
  bundle ??= build({
    entryPoints: ['client/src/command/main.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  const { outputFiles } = await bundle;
  await mkdir(join(folder, 'package/dist/command'), { recursive: true });
  await writeFile(join(folder, 'package/dist/command/main.cjs'), outputFiles[0]?.contents ?? '');
  const env = { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl };
  return (words) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    return {
      child,
      printed: () => printed,
      exit: async () => {
        await exited;
        return child.exitCode;
      },
    };
  };
}
