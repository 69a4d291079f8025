import { join } from 'node:path';
import type { OpenDatabase } from '../../admin/src/index.ts';
import { readMigrations, THROW_AWAY } from '../../admin/src/index.ts';
import { Failure } from '../../common/failure.ts';
import { shellWord } from '../../common/terminal/shell-word.ts';

/** A local database has migrations that this checkout does not have. */
export class UnknownMigrations extends Failure {}

/**
 * @param folder the folder of the local databases
 * @throws UnknownMigrations
 */
export async function refuseUnknownMigrations(
  database: OpenDatabase,
  folder: string,
): Promise<void> {
  const { unknown } = await readMigrations(database);
  const [first] = unknown;
  if (first === undefined) return;
  const others = unknown.length === 1 ? '' : ` and ${unknown.length - 1} more`;
  throw new UnknownMigrations(
    `The local database has migrations that are unknown here: ${first}${others}. ${THROW_AWAY}. To throw it away: rm -r ${shellWord(join(folder, 'v3', 'd1'))}`,
  );
}
