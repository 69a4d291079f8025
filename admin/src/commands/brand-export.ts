import { rm, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { createFile } from '../../../common/durable-file.ts';
import { interruptible } from '../../../common/terminal/interruption.ts';
import { note } from '../../../common/terminal/note.ts';
import { ProgressBar } from '../../../common/terminal/progress-bar.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { Failure } from '../../../common/failure.ts';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import { Interrupted } from './interruption.ts';
import type { Databases } from '../home/databases.ts';
import { exportAll } from '../export/export-all.ts';
import type { BrandExport } from '../export/export.ts';
import { exportBrand } from '../export/export.ts';
import { ExportFolder } from '../export/folder.ts';
import type { LargeFile } from '../export/texts.ts';
import { isTooLarge, textsOf } from '../export/texts.ts';
import { ONLY_OWNER } from '../text-file.ts';
import type { CommonOptions } from './command.ts';
import { command, databaseOption, show } from './command.ts';
import { explainInterruption } from './interruption.ts';

const NOT_WRITTEN = 'No file was written.';

const MB = 1024 * 1024;

interface BrandExportOptions extends CommonOptions {
  readonly changedSince?: string;
  readonly withKeyHashes?: true;
  readonly database?: number;
}

export function addBrandExportCommand(brand: Command, databases: Databases): void {
  command(
    brand,
    'export [brandId]',
    'write all that the service holds of a brand into a new file, as JSON, or of all brands into a folder',
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
    .option(
      '--with-key-hashes',
      'with the hashes of keys too, so that the same keys work again after brand import',
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
        await exportInto(databases, { ...options, to });
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
  const { database, withKeyHashes = false } = options;
  const exported =
    database === undefined
      ? await exportBrand(await databases.ofBrand(options, brandId), brandId, { withKeyHashes })
      : await exportBrand(await databases.numbered(options, database), brandId, {
          evenIfMoved: true,
          withKeyHashes,
        });
  const bytes = await writeExport(file, exported);
  const { counts } = exported;
  await show(options, { brandId, file, counts }, [{ brandId, file, ...counts }]);
  note(
    `Only you can read the file. Protect it: it has all data of the brand.${aboutHashes(options)}`,
  );
  noteTooLarge([{ file, bytes }].filter(isTooLarge));
}

/** Exports all brands. @throws Failure if one could not be exported */
async function exportInto(
  databases: Databases,
  options: BrandExportOptions & { readonly to: string },
): Promise<void> {
  const { to: path, changedSince, withKeyHashes = false } = options;
  const since = changedSince === undefined ? undefined : await ExportFolder.find(changedSince);
  const folder = await ExportFolder.create(path);
  const bar = new ProgressBar('brands');
  explainInterruption(() => {
    bar.stop();
    return 'Run the same command again: it goes on.';
  });
  try {
    const all = await databases.all(options);
    const report = await exportAll(all, { folder, since, withKeyHashes }, (done, total) => {
      bar.show(done, total);
    });
    bar.stop();
    const { exported, unchanged, failed, tooLarge, deleted } = report;
    const files = tooLarge.map(({ file }) => file);
    await show(options, { folder: path, ...report, tooLarge: files }, [
      { folder: path, exported, unchanged, failed: failed.length, deleted: deleted.length },
    ]);
    note(
      `Only you can read the files. Protect them: they have all data of the brands.${aboutHashes(options)}`,
    );
    noteTooLarge(tooLarge);
    for (const file of deleted) note(`${file}: the service no longer has this brand.`);
    for (const { error } of failed) note(error);
    const count = exported + unchanged + failed.length;
    if (failed.length > 0)
      throw new Failure(`${failed.length} of ${count} brands could not be exported.`);
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

/** What to know of a file with the hashes of keys. */
function aboutHashes({ withKeyHashes }: BrandExportOptions): string {
  return withKeyHashes
    ? ' brand import makes its keys work again: delete the files of a brand with the brand.'
    : '';
}

/**
 * @returns the length of the file in bytes
 * @throws Failure if the file cannot be written; it does not exist then
 */
async function writeExport(file: string, exported: BrandExport): Promise<number> {
  const bar = new ProgressBar('rows');
  const total = Object.values(exported.counts).reduce((sum, count) => sum + count, 0);
  let done = 0;
  const texts = textsOf(exported, (rows) => {
    done += rows;
    bar.show(done, total);
  });
  return interruptible(async (signal, interruption) => {
    try {
      await createFile(file, texts, { mode: ONLY_OWNER, signal });
      return (await stat(file)).size;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EEXIST') await rm(file, { force: true });
      const stoppedBy = interruption();
      if (stoppedBy !== undefined) throw new Interrupted(stoppedBy, NOT_WRITTEN);
      if (error instanceof DatabaseFailure) throw new Failure(`${error.reason} ${NOT_WRITTEN}`);
      if (error instanceof Failure) throw new Failure(`${error.message} ${NOT_WRITTEN}`);
      if (code === undefined) throw error;
      throw new Failure(`${file} cannot be written: ${explained(error)}. ${NOT_WRITTEN}`);
    } finally {
      bar.stop();
    }
  });
}
