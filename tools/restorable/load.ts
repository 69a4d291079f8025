import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { statementsOf } from './statements.ts';

/**
 * Loads an export of D1 into a new database in a folder: a large one does not fit into memory.
 * @throws Error if the file cannot be read, or is not such an export
 */
export async function loadExport(
  file: string,
  folder: string,
  signal: AbortSignal,
): Promise<DatabaseSync> {
  // The rows are in no order of their references.
  const options = { enableForeignKeyConstraints: false };
  const database = new DatabaseSync(join(folder, 'loaded.sqlite'), options);
  // It is thrown away if this fails.
  database.exec('pragma journal_mode = off; pragma synchronous = off');
  try {
    for await (const statement of statementsOf(textOf(file, signal))) database.exec(statement);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The text of a file, in pieces. */
async function* textOf(file: string, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  for await (const bytes of chunksOf(file, signal)) {
    // SQLite would take it for the end of a statement, and leave out what follows.
    if (bytes.includes(0)) throw new Error('it contains zero bytes');
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

/** Node's types do not say what its chunks are. */
function chunksOf(file: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return createReadStream(file, { signal });
}
