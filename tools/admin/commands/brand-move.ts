import type { Command } from 'commander';
import type { Progress } from '../../../mover/index.ts';
import { AdminError } from '../admin-error.ts';
import { parseDatabase } from '../arguments.ts';
import type { Configuration } from '../configuration.ts';
import { actorOf } from '../database.ts';
import { Databases } from '../databases.ts';
import { executeOn } from '../execute.ts';
import { continueMoves, moveBrand, patiently } from '../moves.ts';
import { note } from '../output.ts';
import type { CommonOptions } from './command.ts';
import { change, show } from './command.ts';

interface MoveOptions extends CommonOptions {
  readonly to: number;
}

/** How often a move says how far it is, in milliseconds. */
const REPORT_EVERY = 2000;

/** Adds `brand move`, if there are several databases. */
export function addBrandMoveCommand(brand: Command, configuration: Configuration): void {
  if (!configuration.hasSeveral()) return;
  change(
    brand,
    'move <brandId>',
    'move a brand to another local database, while its clients go on working; run it again if it broke off',
  )
    .requiredOption('--to <number>', 'the database to move it to', parseDatabase)
    .action(async (brandId: string, options: MoveOptions) => {
      const { to, remote } = options;
      if (remote) {
        throw new AdminError('Only brands of local databases can be moved. Leave out --remote.');
      }
      const local = await configuration.openLocal(options);
      try {
        local.at(to);
        const actor = actorOf(options);
        const databases = new Databases(
          ({ number = 0 }) => executeOn(local.at(number), actor, number),
          configuration,
        );
        const report = reporter(options);
        await continueMoves(local, brandId, report);
        const { database: source } = await patiently(() => databases.ofBrand(options, brandId));
        if (source === to) {
          await show(options, { brandId, to }, [{ brandId, to }]);
          note(`The brand is in database ${to} already.`);
          return;
        }
        const moved = await moveBrand(local, { brandId, source, target: to, actor }, report);
        await show(options, moved, [{ ...moved }]);
        note('Its keys stay valid. Each costs one call more until it is rotated.');
      } finally {
        await local.close();
      }
    });
}

/** Returns what says, from time to time, how far a move is. */
function reporter({ json }: CommonOptions): (progress: Progress) => void {
  let next = Date.now() + REPORT_EVERY;
  return ({ copiedRows }) => {
    if (json || Date.now() < next) return;
    next = Date.now() + REPORT_EVERY;
    note(`${copiedRows} rows are copied.`);
  };
}
