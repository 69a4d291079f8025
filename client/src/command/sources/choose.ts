import { progressBar } from '../../../../common/terminal/progress-bar.ts';
import { contentOf } from '../../stores/content.ts';
import { UsageError } from '../../stores/failure.ts';
import type { Content, Source } from '../../stores/source.ts';
import type { ContentOfStore } from '../../stores/store.ts';
import { storeNamed } from '../../stores/stores.ts';
import { readFile } from '../files/read-file.ts';
import type { ReadOptions } from '../files/read-options.ts';
import { readInput } from '../input.ts';
import type { Surroundings } from '../surroundings.ts';
import type { SourceFlags } from './source-options.ts';

/**
 * Returns the source that the options name: a file, or a store.
 * @throws UsageError if the environment lacks what a store needs
 */
export function sourceOf(
  path: string | undefined,
  options: SourceFlags,
  around: Surroundings,
): Source {
  const { from } = options;
  return from === undefined
    ? fileSource(path ?? '-', options, around)
    : storeSource(from, options, around);
}

/** Returns the items of what was read: this API's own, or those that are made of a store's. */
export function contentIn(found: Content | ContentOfStore, options: ReadOptions): Content {
  return 'items' in found ? found : contentOf(found, options);
}

/** The source that is a file, or standard input if its path is `-`. */
function fileSource(path: string, options: SourceFlags, around: Surroundings): Source {
  return {
    read: async () => {
      const { bytes, time } = await readInput(path, around);
      return { content: contentIn(readFile(bytes, options), options), readAt: time };
    },
  };
}

function storeSource(name: string, options: SourceFlags, around: Surroundings): Source {
  const store = storeNamed(name);
  if (store === undefined) throw new UsageError(`There is no store ${name}.`);
  const { collection, match, variants } = options;
  const { env, fetch, signal, stderr } = around;
  const bar = progressBar(`read from ${name}`, stderr);
  const connected = store.connect({
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
        const { content, ...reading } = await connected.read();
        return { ...reading, content: contentIn({ store, content }, options) };
      } finally {
        bar.stop();
      }
    },
  };
}
