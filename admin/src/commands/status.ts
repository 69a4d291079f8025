import type { Command } from 'commander';
import { note } from '../../../common/terminal/note.ts';
import { Failure } from '../../../common/failure.ts';
import type { Databases } from '../home/databases.ts';
import type { ShownRecord } from './output.ts';
import type { DatabaseStatus, Status } from '../status.ts';
import { needs, readStatus } from '../status.ts';
import { unfinishedText } from '../home/unfinished.ts';
import type { CommonOptions } from './command.ts';
import { command, show } from './command.ts';

/** The status could not be read, or not to its end. A monitor tells this from what it has found. */
class CouldNotLook extends Failure {
  override readonly exitCode = 3;
}

export function addStatusCommand(program: Command, databases: Databases): void {
  command(
    program,
    'status',
    'show what is not as usual: brands, keys that expire soon, databases, the daily job; the exit code is 1 if something needs somebody, and 3 if it could not look',
  ).action(async (options: CommonOptions) => {
    const found = await looking(async () => {
      const status = await readStatus(await databases.all(options), options.remote === true);
      await show(options, status, statusRows(status, options));
      return needs(status);
    });
    if (found.length > 0) throw new Failure(`Somebody must look: ${found.join(', ')}.`);
    note('Nothing needs anybody.');
  });
}

/** @throws CouldNotLook if it fails, because of a bug too */
async function looking<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const reason =
      error instanceof Failure ? error.message : `This is a bug of the tool: ${stackOf(error)}`;
    throw new CouldNotLook(reason, { cause: error });
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns a row for each brand, key and database, and for the syncs that need a look. */
function statusRows(
  { brands, expiringKeys, syncs, databases }: Status,
  { remote }: CommonOptions,
): ShownRecord[] {
  return [
    ...(brands ?? []).map(({ brandId, brandName, suspendedAt, ...state }) => ({
      what: 'brand',
      which: `${brandId} ${brandName}`,
      state:
        unfinishedText(state) ?? (suspendedAt === null ? null : `suspended since ${suspendedAt}`),
    })),
    ...(expiringKeys ?? []).map(({ keyId, brandName, label, expiresAt }) => ({
      what: 'key',
      which: `${keyId} ${label} (${brandName})`,
      state: `expires ${String(expiresAt)}`,
    })),
    ...syncRows(syncs),
    ...databases.map((database) => ({
      what: 'database',
      which: String(database.number),
      state: stateOf(database, remote === true),
    })),
  ];
}

function syncRows(syncs: Status['syncs']): ShownRecord[] {
  if (syncs === null) return [];
  const { brands, notSynced, withError } = syncs;
  const counts = { 'more than 2 days ago': notSynced, 'ended with an error': withError };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([which, count]) => ({
      what: 'last sync',
      which,
      state: `${count} of ${brands} brands that have synced`,
    }));
}

function stateOf(database: DatabaseStatus, isDeployed: boolean): string {
  const { bytes, brands, dailyJobAt, hasWorkLeft, pendingMigrations, unknownMigrations } = database;
  if (unknownMigrations.length > 0) return `has unknown ${unknownMigrations.join(', ')}`;
  if (pendingMigrations.length > 0) return `lacks ${pendingMigrations.join(', ')}`;
  const size = `${(Number(bytes) / 1e9).toFixed(2)} GB, ${Number(brands)} brands`;
  if (!isDeployed) return size;
  return `${size}, daily job ${dailyJobAt ?? 'never'}${hasWorkLeft ? ', with work left over' : ''}`;
}
