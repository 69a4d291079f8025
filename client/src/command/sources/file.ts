import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { explained } from '../../../../common/terminal/reason.ts';
import { contentOf } from '../../stores/content.ts';
import { Failure } from '../../stores/failure.ts';
import type { Content, ReadOptions, Source } from '../../stores/source.ts';
import { confirmationOf } from '../../stores/source.ts';
import type { ContentOfStore } from '../../stores/store.ts';
import { readFile } from '../files/read-file.ts';
import type { Surroundings } from '../surroundings.ts';

/** The source that is a file, or standard input if its path is `-`. */
export function fileSource(path: string, options: ReadOptions, around: Surroundings): Source {
  let before: Stats | undefined;
  /** @throws Failure if the file has changed: it may not have been complete when it was read */
  const checkUnchanged = async (): Promise<void> => {
    if (before?.isFile() !== true) return;
    const now = await stat(path).catch(() => undefined);
    if (now?.mtimeMs === before.mtimeMs && now.size === before.size) return;
    throw new Failure(
      `${path} has changed since it was read, so it may not have been complete. Run it again when all of it is written.`,
    );
  };
  return {
    read: async () => {
      const read = await readBytes(path, around);
      before = read.stats;
      const content = contentIn(readFile(read.bytes, options), options);
      await checkUnchanged();
      return { content, readAt: read.time };
    },
    confirm: async (resources) => {
      await checkUnchanged();
      return confirmationOf(resources.map(({ id }) => [String(id), undefined]));
    },
  };
}

/** Returns the items of what was read: this API's own, or those that are made of a store's. */
export function contentIn(found: Content | ContentOfStore, options: ReadOptions): Content {
  return 'items' in found ? found : contentOf(found, options);
}

/** What a file contains, and when that was. */
interface FileBytes {
  readonly bytes: Uint8Array;
  readonly time: Date;
  /** What the file was before it was read; undefined for standard input. */
  readonly stats?: Stats;
}

/** @throws Failure if it cannot be read */
async function readBytes(path: string, { openStdin, signal }: Surroundings): Promise<FileBytes> {
  const now = new Date();
  try {
    if (path === '-') {
      // Destroys the stream: an open one would keep the process alive.
      return { bytes: await buffer(addAbortSignal(signal, openStdin())), time: now };
    }
    const file = await open(path);
    try {
      const stats = await file.stat();
      const { mtime } = stats;
      // A clock may have been wrong when it was written.
      return { bytes: await file.readFile(), time: mtime < now ? mtime : now, stats };
    } finally {
      await file.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Failure(`${path === '-' ? 'Standard input' : path}: ${explained(error)}.`);
  }
}
