import type { Command } from 'commander';
import { Option } from 'commander';
import { AdminError } from '../admin-error.ts';
import { parseDays } from '../arguments.ts';
import { note } from '../output.ts';
import type { Databases } from '../databases.ts';
import type { CommonOptions } from './command.ts';
import { command, show } from './command.ts';

/** Adds `usage`. */
export function addUsageCommand(program: Command, databases: Databases): void {
  command(program, 'usage', 'show requests, errors, refusals and D1 rows by key, from Workers Logs')
    .addOption(
      new Option(
        '--days <number>',
        'how many days to look back; Cloudflare keeps 7 (3 on the free plan)',
      )
        .argParser(parseDays)
        .default(7),
    )
    .action(async (options: CommonOptions & { days: number }) => {
      if (!options.remote) {
        throw new AdminError('Cloudflare logs only the deployed service. Add --remote.');
      }
      // Imported only here, because loading wrangler takes longer than the rest of a command.
      const { readUsage } = await import('../usage.ts');
      const { usage, caveat } = await readUsage(await databases.all(options), options);
      await show(
        options,
        { days: options.days, usage },
        usage.map(({ brandId: _, keyId, label, ...row }) => ({ ...row, keyId, label })),
      );
      if (caveat !== undefined) note(caveat);
    });
}
