import { getHeapStatistics } from 'node:v8';
import { ProgressBar } from '../../../../common/terminal/progress-bar.ts';
import { contentOf } from '../../stores/content.ts';
import type { Source } from '../../stores/source.ts';
import { A_GIGABYTE } from '../../stores/memory.ts';
import { storeNamed } from '../../stores/stores.ts';
import type { CommandContext } from '../context.ts';
import { fileSource } from './file-source.ts';
import type { SourceFlags } from './source-flags.ts';

/**
 * Returns the source that the options name: a file, or a store.
 * @throws UsageError if the environment lacks what a store needs
 */
export function sourceOf(
  path: string | undefined,
  options: SourceFlags,
  context: CommandContext,
): Source {
  if (options.from === undefined) return fileSource(path ?? '-', options, context);
  const store = storeNamed(context.stores, options.from);
  const { env, fetch, secrets, signal, stderr } = context;
  const bar = new ProgressBar(`read from ${store.name}`, stderr);
  const connected = store.connect({
    ...options,
    env,
    fetch,
    secrets,
    signal,
    memory: memoryLimit(context),
    onProgress: (done, total = done) => {
      bar.show(done, total);
    },
    onPause: (pause) => {
      const seconds = Math.round(pause / 1000);
      // Whoever looks on would take a longer one for the end.
      if (seconds < 2 || Reflect.get(stderr, 'isTTY') !== true) return;
      bar.stop();
      stderr.write(`Waiting ${seconds} seconds before the store is asked again.\n`);
    },
  });
  return {
    confirm: (resources) => connected.confirm(resources),
    read: async () => {
      try {
        const readAt = new Date();
        const content = await connected.read();
        return { ...contentOf({ store, content }, options), readAt, domains: content.domains };
      } finally {
        bar.stop();
      }
    },
  };
}

/** Returns how much memory what a store sends may take, in bytes: a gigabyte, or half of Node's limit if somebody has raised it. */
function memoryLimit({ env }: Pick<CommandContext, 'env'>): number {
  const options = [env['NODE_OPTIONS'], ...process.execArgv].join(' ');
  if (!/--max[-_]old[-_]space[-_]size/.test(options)) return A_GIGABYTE;
  return Math.max(A_GIGABYTE, getHeapStatistics().heap_size_limit / 2);
}
