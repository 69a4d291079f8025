import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Interruption } from '../../../common/terminal/interruption.ts';
import { onInterruption } from '../../../common/terminal/interruption.ts';
import { progressBar } from '../../../common/terminal/progress-bar.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { OperatorError, DatabaseFailure, Interrupted } from '../../../common/operator-error.ts';
import type { BrandExport } from '../export/export.ts';
import { exportBrand } from '../export/export.ts';
import { note } from '../../../common/terminal/note.ts';
import type { Databases } from '../databases.ts';
import type { CommonOptions } from './command.ts';
import { change, command, databaseOption, explainInterruptionBy, show } from './command.ts';

const NOT_WRITTEN = 'No file was written.';

/** The mode of a file that only its owner can read. */
const ONLY_OWNER = 0o600;

interface ExportOptions extends CommonOptions {
  readonly to?: string;
  readonly database?: number;
}

export function addBrandFileCommands(brand: Command, databases: Databases): void {
  command(
    brand,
    'export <brandId>',
    'write all that the service holds of a brand into a new file, as JSON; without the hashes of its keys',
  )
    .option('--to <file>', 'the file to write; it must not exist')
    .addOption(databaseOption(databases, 'the database to read (default: where it is at home)'))
    .action(async (brandId: string, options: ExportOptions, action: Command) => {
      const { to: file, database } = options;
      if (file === undefined) action.error('error: Give --to <file>, the file to write.');
      const execute =
        database === undefined
          ? await databases.ofBrand(options, brandId)
          : await databases.numbered(options, database);
      const exported = await exportBrand(execute, brandId);
      await write(file, exported);
      const { counts } = exported;
      await show(options, { brandId, file, counts }, [{ brandId, file, ...counts }]);
      note('Only you can read the file. Protect it: it has all data of the brand.');
    });

  change(
    brand,
    'import <file>',
    'create a brand again from a file of brand export, under its own ids; its keys must be rotated',
  )
    .addOption(databaseOption(databases, 'the database for it (default: the smallest)'))
    .action(async (file: string, options: CommonOptions & { database?: number }) => {
      // Imported only here, because loading what checks the file takes as long as the rest of a command.
      const { importBrand } = await import('../export/import.ts');
      const bar = progressBar('rows');
      explainInterruptionBy(() => {
        bar.stop();
        return 'A part of the brand may be there: see brand list. Delete it with brand delete, and import it again.';
      });
      try {
        const execute = await databases.forNewBrand(options, options.database);
        const others = await databases.others(options, execute);
        const made = await importBrand({ execute, others }, file, (done, total) => {
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

/** @throws OperatorError if the file cannot be written; it does not exist then */
async function write(file: string, { counts, pieces }: BrandExport): Promise<void> {
  const stop = new AbortController();
  let stoppedBy: Interruption | undefined;
  const forget = onInterruption((signal) => {
    stoppedBy = signal;
    stop.abort();
  });
  // It has what a database has.
  const output = await open(file, 'wx', ONLY_OWNER).catch((error: unknown) => {
    forget();
    throw new OperatorError(`${file} cannot be written: ${explained(error)}. ${NOT_WRITTEN}`);
  });
  const bar = progressBar('rows');
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  bar.start(total, 0);
  try {
    await pipeline(texts(), output.createWriteStream(), { signal: stop.signal });
  } catch (error) {
    await rm(file);
    if (stoppedBy !== undefined) throw new Interrupted(stoppedBy, NOT_WRITTEN);
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof DatabaseFailure ? error.reason : explained(error);
    throw new OperatorError(`${reason} ${NOT_WRITTEN}`);
  } finally {
    bar.stop();
    forget();
  }

  async function* texts(): AsyncGenerator<string> {
    for await (const { text, rows } of pieces) {
      bar.increment(rows);
      yield text;
    }
  }
}
