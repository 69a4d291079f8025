import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { explained } from '../../../../common/terminal/reason.ts';
import { Failure } from '../../../../common/failure.ts';
import type { ReadOptions, Source } from '../../stores/source.ts';
import { fileBytes } from '../files/file-bytes.ts';
import { readFile } from '../files/read-file.ts';
import type { CommandContext } from '../context.ts';

/** The source that is a file, or standard input if its path is `-`. */
export function fileSource(
  path: string,
  options: ReadOptions,
  { openStdin, signal }: CommandContext,
): Source {
  /** What the file was before it was read; undefined for standard input. */
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
  const bytesIn = async (): Promise<Uint8Array> => {
    // Destroys the stream: an open one would keep the process alive.
    if (path === '-') return buffer(addAbortSignal(signal, openStdin()));
    before = await stat(path);
    return fileBytes(path, signal);
  };
  return {
    read: async () => {
      const now = new Date();
      const bytes = await bytesIn().catch((error: unknown) => {
        signal.throwIfAborted();
        throw new Failure(`${path === '-' ? 'Standard input' : path}: ${explained(error)}.`);
      });
      const content = readFile(bytes, options);
      await checkUnchanged();
      // A pipe has no time of its own. The clock may have been wrong when a file was written.
      const written = before?.isFile() === true ? before.mtime : now;
      return { ...content, readAt: written < now ? written : now };
    },
    confirm: async (resources) => {
      await checkUnchanged();
      return new Map(resources.map(({ id }) => [id, undefined]));
    },
  };
}
