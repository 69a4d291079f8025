import type { Command } from 'commander';
import { printable } from '../../terminal.ts';
import { listActs } from '../audit.ts';
import type { CommonOptions, Open } from './command.ts';
import { command, show } from './command.ts';

/** Adds `audit`. */
export function addAuditCommand(program: Command, open: Open): void {
  command(program, 'audit', 'list the changes made with this tool: when, what, and by whom')
    .option('--brand <brandId>', 'only actions on this brand alone, which may have been deleted')
    .action(async (options: CommonOptions & { brand?: string }) => {
      const entries = await listActs(open(options), options.brand);
      show(
        options,
        { entries },
        entries.map(({ details, ...entry }) => ({ ...entry, details: describeDetails(details) })),
      );
    });
}

function describeDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${printable(String(value))}`)
    .join('\n');
}
