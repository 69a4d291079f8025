import { open, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Interruption } from '../../../common/terminal/interruption.ts';
import { onInterruption } from '../../../common/terminal/interruption.ts';
import { note } from '../../../common/terminal/note.ts';
import { progressBar } from '../../../common/terminal/progress-bar.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { OperatorError, DatabaseFailure, Interrupted } from '../../../common/operator-error.ts';
import type { Databases } from '../home/databases.ts';
import { exportAll } from '../export/export-all.ts';
import type { BrandExport } from '../export/export.ts';
import { exportBrand } from '../export/export.ts';
import { ExportFolder } from '../export/folder.ts';
import type { LargeFile } from '../export/write-pieces.ts';
import { isTooLarge, writePieces } from '../export/write-pieces.ts';
import { ONLY_OWNER } from '../text-file.ts';
import type { CommonOptions } from './command.ts';
import { command, databaseOption, show } from './command.ts';
import type { InterruptionNotice } from './interruption.ts';

const NOT_WRITTEN = 'No file was written.';

const MB = 1024 * 1024;

interface BrandExportOptions extends CommonOptions {
  readonly changedSince?: string;
  readonly database?: number;
}

export function addBrandExportCommand(
  brand: Command,
  databases: Databases,
  interruption: InterruptionNotice,
): void {
  command(
    brand,
    'export [brandId]',
    'write all that the service holds of a brand into a new file, as JSON, or of all brands into a folder; without the hashes of keys',
  )
    .option('--to <path>', 'the file to write, which must not exist; with --all: the folder')
    .option(
      '--all',
      'all brands, each into a file of its own, which replaces an older one; again, to go on',
    )
    .option(
      '--changed-since <folder>',
      'with --all: only brands that have changed since they were exported into this folder',
    )
    .addOption(
      databaseOption(databases, 'the database to read (default: where it is at home)').conflicts(
        'all',
      ),
    )
    .action(async (brandId, options, action) => {
      const { to, all, changedSince } = options;
      if (to === undefined) {
        action.error('error: Give --to <path>, the file to write, or with --all the folder.');
      } else if (brandId === undefined && all) {
        await exportInto(databases, interruption, { ...options, to });
      } else if (brandId !== undefined && !all && changedSince === undefined) {
        await exportOne(databases, brandId, to, options);
      } else {
        action.error('error: Give a brandId, or --all, with --changed-since or without.');
      }
    });
}

async function exportOne(
  databases: Databases,
  brandId: string,
  file: string,
  options: BrandExportOptions,
): Promise<void> {
  const { database } = options;
  const exported =
    database === undefined
      ? await exportBrand(await databases.ofBrand(options, brandId), brandId)
      : await exportBrand(await databases.numbered(options, database), brandId, {
          evenIfMoved: true,
        });
  const bytes = await writeExport(file, exported);
  const { counts } = exported;
  await show(options, { brandId, file, counts }, [{ brandId, file, ...counts }]);
  note('Only you can read the file. Protect it: it has all data of the brand.');
  noteTooLarge([{ file, bytes }].filter(isTooLarge));
}

/** Exports all brands. @throws OperatorError if one could not be exported */
async function exportInto(
  databases: Databases,
  interruption: InterruptionNotice,
  options: BrandExportOptions & { readonly to: string },
): Promise<void> {
  const { to: path, changedSince } = options;
  const since = changedSince === undefined ? undefined : await ExportFolder.find(changedSince);
  const folder = await ExportFolder.create(path);
  const bar = progressBar('brands');
  interruption.explainBy(() => {
    bar.stop();
    return 'Run the same command again: it goes on.';
  });
  try {
    const all = await databases.all(options);
    const report = await exportAll(all, { folder, since }, (done, total) => {
      if (!bar.isActive) bar.start(total, 0);
      bar.update(done);
    });
    bar.stop();
    const { exported, unchanged, failed, tooLarge, deleted } = report;
    const files = tooLarge.map(({ file }) => file);
    await show(options, { folder: path, ...report, tooLarge: files }, [
      { folder: path, exported, unchanged, failed: failed.length, deleted: deleted.length },
    ]);
    note('Only you can read the files. Protect them: they have all data of the brands.');
    noteTooLarge(tooLarge);
    for (const file of deleted) note(`${file}: the service no longer has this brand.`);
    for (const { error } of failed) note(error);
    const count = exported + unchanged + failed.length;
    if (failed.length > 0)
      throw new OperatorError(`${failed.length} of ${count} brands could not be exported.`);
  } finally {
    bar.stop();
    await folder.close();
  }
}

function noteTooLarge(files: readonly LargeFile[]): void {
  for (const { file, bytes } of files) {
    note(`${file} has ${Math.ceil(bytes / MB)} MB: brand import reads files up to 512 MB.`);
  }
}

/**
 * @returns the length of the file in bytes
 * @throws OperatorError if the file cannot be written; it does not exist then
 */
async function writeExport(file: string, exported: BrandExport): Promise<number> {
  const stop = new AbortController();
  let stoppedBy: Interruption | undefined;
  const forget = onInterruption((signal) => {
    stoppedBy = signal;
    stop.abort();
  });
  const output = await open(file, 'wx', ONLY_OWNER).catch((error: unknown) => {
    forget();
    throw new OperatorError(`${file} cannot be written: ${explained(error)}. ${NOT_WRITTEN}`);
  });
  const bar = progressBar('rows');
  const total = Object.values(exported.counts).reduce((sum, count) => sum + count, 0);
  bar.start(total, 0);
  try {
    return await writePieces(output, exported, {
      signal: stop.signal,
      onRows: (rows) => {
        bar.increment(rows);
      },
    });
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
}
