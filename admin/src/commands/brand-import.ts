import type { Command } from 'commander';
import { progressBar } from '../../../common/terminal/progress-bar.ts';
import { note } from '../../../common/terminal/note.ts';
import type { Databases } from '../home/databases.ts';
import { change, databaseOption, show } from './command.ts';
import type { InterruptionNotice } from './interruption.ts';

export function addBrandImportCommand(
  brand: Command,
  databases: Databases,
  interruption: InterruptionNotice,
): void {
  change(
    brand,
    'import <file>',
    'create a brand again from a file of brand export, under its own ids; its keys must be rotated',
  )
    .addOption(databaseOption(databases, 'the database for it (default: the smallest)'))
    .action(async (file, options) => {
      // Imported only here, because loading what checks the file takes as long as the rest of a command.
      const { importBrand } = await import('../export/import.ts');
      const bar = progressBar('rows');
      interruption.explainBy(() => {
        bar.stop();
        return 'A part of the brand may be there: see brand list. Delete it with brand delete, and import it again.';
      });
      try {
        const database = await databases.forNewBrand(options, options.database);
        const others = await databases.others(options, database);
        const made = await importBrand({ database, others }, file, (done, total) => {
          if (!bar.isActive) bar.start(total, 0);
          bar.update(done);
        });
        bar.stop();
        const { brandId, brandName, counts } = made;
        await show(options, made, [{ brandId, brandName, ...counts }]);
        note(
          'Its keys do not work, because a file has no hashes. For new ones: key rotate --brand.',
        );
      } finally {
        bar.stop();
      }
    });
}
