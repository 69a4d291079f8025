import type { Command } from 'commander';
import { Option } from 'commander';
import { counted } from '../../../common/counted.ts';
import { printable } from '../../../common/terminal/printable.ts';
import { parseTime } from '../arguments.ts';
import type { AuditEntry } from '../audit.ts';
import { ACTIONS, listActs } from '../audit.ts';
import type { Databases } from '../home/databases.ts';
import { note } from '../../../common/terminal/note.ts';
import { command, show } from './command.ts';
import { limitOption, partOf } from './list.ts';

export function addAuditCommand(program: Command, databases: Databases): void {
  command(program, 'audit', 'list the changes made with this tool: when, what, and by whom')
    .option('--brand <brandId>', 'only actions on this brand alone, which may have been deleted')
    .addOption(new Option('--action <name>', 'only actions of this name').choices(ACTIONS))
    .option('--since <time>', 'only actions from this time on, such as 2026-11-01 or 7d', parseTime)
    .addOption(limitOption('only so many of the newest'))
    .action(async (options) => {
      const { brand: brandId, action, since } = options;
      const all = await databases.all(options);
      const query = { brandId, action, since, ...partOf(options) };
      const { items: entries, next } = await listActs(all, query);
      const shown = entries.map(({ details, ...entry }) => ({
        ...entry,
        details: describeDetails(details),
      }));
      await show(options, { entries }, shown);
      if (options.json) return;
      note(`${counted(entries.length, 'entry', 'entries')}, the newest last.`);
      if (next !== null) note('There are older ones. For more: --limit');
    });
}

function describeDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${printable(String(value ?? 'none'))}`)
    .join('\n');
}
