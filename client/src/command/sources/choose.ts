import type { Surroundings } from '../surroundings.ts';
import { progressBar } from '../../../../common/terminal/progress-bar.ts';
import { fileSource } from './file.ts';
import type { SourceOptions } from './source-options.ts';
import { STORES } from './stores.ts';
import type { Source } from '../../stores/source.ts';

/**
 * Returns the source that the options name: a file, or a store.
 * @throws UsageError if the environment lacks what a store needs
 */
export function sourceOf(
  path: string | undefined,
  options: SourceOptions,
  around: Surroundings,
): Source {
  const { collection, from, match, variants } = options;
  if (from === undefined) return fileSource(path ?? '-', options, around);
  const { env, fetch, signal, stderr } = around;
  const bar = progressBar(`read from ${from}`, stderr);
  const store = STORES[from]({
    collection,
    match,
    variants,
    env,
    fetch,
    signal,
    onProgress: (done, total = done) => {
      if (!bar.isActive) bar.start(total, done);
      bar.setTotal(total);
      bar.update(done);
    },
  });
  return {
    ...(store.confirm !== undefined && { confirm: store.confirm.bind(store) }),
    read: async () => {
      try {
        return await store.read();
      } finally {
        bar.stop();
      }
    },
  };
}
