import type { Command } from 'commander';
import { ProgressBar } from '../../../common/terminal/progress-bar.ts';
import { note } from '../../../common/terminal/note.ts';
import type { Databases } from '../home/databases.ts';
import { change, databaseOption, show } from './command.ts';
import { explainInterruption } from './interruption.ts';

export function addBrandImportCommand(brand: Command, databases: Databases): void {
  change(
    brand,
    'import <file>',
    'create a brand again from a file of brand export, under its own ids; its keys work again if the file has their hashes',
  )
    .addOption(databaseOption(databases, 'the database for it (default: the smallest)'))
    .action(async (file, options) => {
      // Imported only here, because loading what checks the file takes as long as the rest of a command.
      const { importBrand } = await import('../export/import.ts');
      const bar = new ProgressBar('rows');
      explainInterruption(() => {
        bar.stop();
        return 'A part of the brand may be there: see brand list. Delete it with brand delete, and import it again.';
      });
      try {
        const database = await databases.forNewBrand(options, options.database);
        const others = await databases.others(options, database);
        const made = await importBrand({ database, others }, file, (done, total) => {
          bar.show(done, total);
        });
        bar.stop();
        const { brandId, brandName, counts, exportedAt, keysWithoutHash } = made;
        await show(options, made, [{ brandId, brandName, ...counts, exportedAt }]);
        const { keys = 0 } = counts;
        const working = keys - keysWithoutHash;
        if (exportedAt !== null && working > 0) {
          const which = keysWithoutHash === 0 ? 'Its keys' : `${working} of its ${keys} keys`;
          note(
            `${which} work again. The file is of ${exportedAt}: what was revoked, suspended or deleted since then, revoke, suspend or delete again.`,
          );
        }
        if (keysWithoutHash > 0) {
          note(
            working > 0
              ? 'The others do not, because their hashes were never exported. For new ones, rotate those that key list shows as imported.'
              : 'Its keys do not work, because the file has no hashes of them. For new ones: key rotate --brand.',
          );
        }
        note(
          `If the brand has changed since the file was made, reset the tokens with which its clients follow changes: tokens reset --brand ${brandId}`,
        );
      } finally {
        bar.stop();
      }
    });
}
