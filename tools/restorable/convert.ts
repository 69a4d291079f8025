import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFile, explained, PRIVATE } from '../new-file.ts';
import { loadExport } from './load.ts';
import { restorableSql } from './restorable.ts';

/**
 * Converts an export of D1 into a file that can be restored.
 * @param signal stops it
 * @throws Error with a sentence for the operator; the target is then not written
 */
export async function convert(file: string, target: string, signal: AbortSignal): Promise<void> {
  const from = await open(file).catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${explained(error)}.`);
  });
  await from.close();
  await createFile(target, async (folder) => {
    try {
      return await write(file, folder, signal);
    } catch (cause) {
      if (signal.aborted) throw new Error('Stopped. No file was written.', { cause });
      throw new Error(
        `${file} cannot be converted: ${explained(cause)}. Is it a complete export?`,
        {
          cause,
        },
      );
    }
  });
}

async function write(file: string, folder: string, signal: AbortSignal): Promise<string> {
  const written = join(folder, 'restore.sql');
  const database = await loadExport(file, folder, signal);
  try {
    const output = createWriteStream(written, { mode: PRIVATE });
    await pipeline(linesOf(restorableSql(database)), output, { signal });
  } finally {
    database.close();
  }
  return written;
}

function* linesOf(statements: Iterable<string>): Generator<string> {
  for (const statement of statements) yield `${statement};\n`;
}
