import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../src/command/command.ts';
import type { CommandContext } from '../../src/command/context.ts';
import { TESTED_STORES } from '../fixtures/stores.ts';
import type { TakenBrand } from '../../../test/node/pool.ts';
import type { Finished } from '../../../test/node/processes.ts';

/** What is special about a run of the command. */
export interface Special extends Partial<
  Pick<CommandContext, 'fetch' | 'signal' | 'openStdin' | 'stores'>
> {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What it reads from standard input. */
  readonly stdin?: string;
  /** Whether standard error is a terminal. */
  readonly hasTerminal?: boolean;
}

/** Returns a function that runs the command in this process, with the key of a brand. */
export function commandOf({
  apiKey,
  baseUrl,
}: Pick<TakenBrand, 'apiKey' | 'baseUrl'>): (
  words: readonly string[],
  special?: Special,
) => Promise<Finished> {
  return async (words, { env, stdin = '', hasTerminal = false, ...special } = {}) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    if (hasTerminal) Object.assign(stderr, { isTTY: true, columns: 80 });
    const printed = Promise.all([text(stdout), text(stderr)]);
    const code = await runCommand(words, {
      env: { BRAND_API_KEY: apiKey, BRAND_API_URL: baseUrl, ...env },
      stores: TESTED_STORES,
      openStdin: () => Readable.from([new TextEncoder().encode(stdin)]),
      stdout,
      stderr,
      signal: new AbortController().signal,
      ...special,
    });
    for (const stream of [stdout, stderr]) stream.end();
    const [out, err] = await printed;
    return { code, stdout: out, stderr: err };
  };
}
