import type { Command } from 'commander';
import { ProgressBar } from '../../../common/terminal/progress-bar.ts';
import { parseDatabase } from '../arguments.ts';
import type { Databases } from '../home/databases.ts';
import { keepBrand } from '../move/keep.ts';
import type { MoveReport } from '../move/move.ts';
import { abortMove, moveBrand } from '../move/move.ts';
import { note } from '../../../common/terminal/note.ts';
import { change, showDone } from './command.ts';
import { explainInterruption } from './interruption.ts';

export function addBrandMoveCommand(brand: Command, databases: Databases): void {
  change(
    brand,
    'move <brandId>',
    'move a brand to another database; its writes are refused meanwhile',
  )
    .option(
      '--to <number>',
      'the database to move it to; again, after the command was stopped',
      parseDatabase,
    )
    .option('--abort', 'give up a move that broke off, and delete the copy')
    .option('--keep <number>', 'make this database its home, if several or none are', parseDatabase)
    .action(async (brandId, options, action) => {
      const { to, keep, abort } = options;
      const chosen = [to, keep, abort].filter((option) => option !== undefined);
      if (chosen.length !== 1) action.error('error: Give one of --to, --abort and --keep.');
      const all = await databases.all(options);
      const bar = new ProgressBar('rows');
      explainInterruption(() => {
        bar.stop();
        return `See with database check where the brand is. To go on, run the same command again; to give a move up: brand move ${brandId} --abort`;
      });
      if (keep !== undefined) {
        await keepBrand(all, brandId, keep);
        await showDone(options, { brandId, keptIn: keep });
      } else if (to === undefined) {
        await showDone(options, { brandId, staysIn: await abortMove(all, brandId) });
      } else {
        const jurisdictions = await databases.configuration.jurisdictions(options);
        const onProgress = (done: number, total: number): void => {
          bar.show(done, total);
        };
        const order = { to, jurisdictions, onProgress };
        const moved = await moveBrand(all, brandId, order).finally(() => {
          bar.stop();
        });
        await showDone(options, { ...moved });
        note(summary(moved));
      }
    });
}

function summary({ to, rows, bytes, seconds }: MoveReport): string {
  return rows === null || bytes === null || seconds === null
    ? `An earlier run has moved the brand to database ${to}, and this one has tidied.`
    : `${rows} rows, ${bytes} bytes. Writes were refused for ${seconds.toFixed(1)} seconds.`;
}
