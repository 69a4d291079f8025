import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { Option } from 'commander';
import { countRows } from '../../../mover/index.ts';
import { parseDatabase } from '../arguments.ts';
import type { Configuration } from '../configuration.ts';
import { actorOf } from '../database.ts';
import { Databases } from '../databases.ts';
import { executeOn } from '../execute.ts';
import { refuseOtherJurisdiction } from '../jurisdictions.ts';
import type { Mover, Report, ShownMove } from '../moves.ts';
import { abortNewestMove, localMover, moveBrand, showNewestMove } from '../moves.ts';
import { note } from '../output.ts';
import { remoteMover } from '../remote-moves.ts';
import type { CommonOptions } from './command.ts';
import { change, explainInterruptionBy, show } from './command.ts';

interface MoveOptions extends CommonOptions {
  readonly to?: number;
  readonly status?: true;
  readonly abort?: true;
  readonly toOtherJurisdiction?: true;
}

/** Adds `brand move`, if there are several databases. */
export function addBrandMoveCommand(
  brand: Command,
  databases: Databases,
  configuration: Configuration,
): void {
  if (!configuration.hasSeveral()) return;
  change(
    brand,
    'move <brandId>',
    'move a brand to another database, while its clients go on working; run it again to watch, or if it broke off',
  )
    .addOption(new Option('--to <number>', 'the database to move it to').argParser(parseDatabase))
    .option('--to-other-jurisdiction', "if the brand's data may move to another jurisdiction")
    .addOption(new Option('--status', 'show where its newest move is').conflicts('to'))
    .addOption(
      new Option('--abort', 'give its move up, unless it is committed').conflicts(['to', 'status']),
    )
    .action(async (brandId: string, options: MoveOptions, action: Command) => {
      const { to, status, abort } = options;
      if (to === undefined && !status && !abort) {
        action.error('error: Give --to <number>, --status or --abort.');
      }
      const { mover, findHome, close } = await open(databases, configuration, options);
      const bar = progressBar();
      explainInterruptionBy(() => {
        bar.stop();
        return stopped(options);
      });
      try {
        const report = reporter(mover, bar);
        const moved =
          to !== undefined
            ? await moveBrand(
                mover,
                {
                  ...{ brandId, to, actor: actorOf(options) },
                  findHome: async (id) => {
                    const from = await findHome(id);
                    const jurisdictions = await configuration.jurisdictions(options);
                    refuseOtherJurisdiction(
                      jurisdictions,
                      { from, to },
                      options.toOtherJurisdiction,
                    );
                    return from;
                  },
                },
                report,
              )
            : await (status
                ? showNewestMove(mover, brandId)
                : abortNewestMove(mover, brandId, report));
        bar.stop();
        await showMove(options, brandId, moved);
      } finally {
        bar.stop();
        await close();
      }
    });
}

/** The databases of a command, and what moves brands between them. */
interface Opened {
  readonly mover: Mover;
  /** Finds the database where a brand is at home. */
  readonly findHome: (brandId: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

async function open(
  databases: Databases,
  configuration: Configuration,
  options: MoveOptions,
): Promise<Opened> {
  const homeIn = async (all: Databases, brandId: string): Promise<number> =>
    (await all.ofBrand(options, brandId)).database;
  if (options.remote) {
    const mover = remoteMover(
      await databases.all(options),
      await configuration.worker(options),
      options,
    );
    const close = (): Promise<void> => Promise.resolve();
    return { mover, findHome: (brandId) => homeIn(databases, brandId), close };
  }
  const local = await configuration.openLocal(options);
  const here = new Databases(
    ({ number = 0 }) => executeOn(local.at(number), actorOf(options), number),
    configuration,
  );
  const mover = localMover(local);
  return { mover, findHome: (brandId) => homeIn(here, brandId), close: local.close };
}

/** What an interruption says. */
function stopped({ remote }: MoveOptions): string {
  return remote
    ? 'If the move has begun, it goes on: run the command again to watch it, or give it up with --abort.'
    : 'Run the command again: the move goes on where it was.';
}

async function showMove(
  options: MoveOptions,
  brandId: string,
  moved: ShownMove | undefined,
): Promise<void> {
  const { to = 0 } = options;
  if (moved === undefined) {
    await show(options, { brandId, to }, [{ brandId, to }]);
    note(`The brand is in database ${to} already.`);
    return;
  }
  await show(options, moved, [{ ...moved }]);
  if (moved.state === 'settled') {
    note('Its keys stay valid. Each costs one call more until it is rotated.');
  }
}

function progressBar(): SingleBar {
  return new SingleBar({
    format: '{bar} {value} of {total} rows',
    stream: process.stderr,
    noTTYOutput: false,
    // The command itself says what an interruption means.
    gracefulExit: false,
  });
}

/** Returns what shows how far a move is. */
function reporter(mover: Mover, bar: SingleBar): Report {
  return async ({ brandId, source }, copiedRows) => {
    if (!bar.isActive) bar.start(await countRows(mover.at(source), brandId), 0);
    // What changes meanwhile is copied again.
    bar.setTotal(Math.max(bar.getTotal(), copiedRows));
    bar.update(copiedRows);
  };
}
