import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
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

/** Returns what starts the command in a folder, with the key of a brand. */
export function commandIn(folder: string, brand: TakenBrand): Start {
  const env = { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl };
  return (words) => {
    const child = spawn(process.execPath, [inject('command'), ...words], {
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
