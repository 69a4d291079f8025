import type { Command } from 'commander';
import { note } from '../../../common/terminal/note.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import type { Databases } from '../databases.ts';
import type { Shown } from '../output.ts';
import type { Status } from '../status.ts';
import { needs, readStatus } from '../status.ts';
import { unfinishedText } from '../unfinished.ts';
import type { CommonOptions } from './command.ts';
import { command, show } from './command.ts';

export function addStatusCommand(program: Command, databases: Databases): void {
  command(
    program,
    'status',
    'show what is not as usual: brands, keys that expire soon, databases; the exit code is 1 if something needs somebody',
  ).action(async (options: CommonOptions) => {
    const status = await readStatus(await databases.all(options));
    await show(options, status, rowsOf(status));
    const found = needs(status);
    if (found.length > 0) throw new OperatorError(`Somebody must look: ${found.join(', ')}.`);
    note('Nothing needs anybody.');
  });
}

/** Returns a row for each brand, key and database. */
function rowsOf({ brands, expiringKeys, databases }: Status): Shown[] {
  return [
    ...brands.map(({ brandId, brandName, suspendedAt, ...state }) => ({
      what: 'brand',
      which: `${brandId} ${brandName}`,
      state:
        unfinishedText(state) ?? (suspendedAt === null ? null : `suspended since ${suspendedAt}`),
    })),
    ...expiringKeys.map(({ keyId, brandName, label, expiresAt }) => ({
      what: 'key',
      which: `${keyId} ${label} (${brandName})`,
      state: `expires ${String(expiresAt)}`,
    })),
    ...databases.map(({ number, bytes, brands: count, pendingMigrations, unknownMigrations }) => ({
      what: 'database',
      which: String(number),
      state:
        unknownMigrations.length > 0
          ? `has unknown ${unknownMigrations.join(', ')}`
          : pendingMigrations.length > 0
            ? `lacks ${pendingMigrations.join(', ')}`
            : `${(bytes / 1e9).toFixed(2)} GB, ${count} brands`,
    })),
  ];
}
