import type { Command } from 'commander';
import { printable } from '../../../common/terminal/printable.ts';
import { Failure } from '../../../common/failure.ts';
import { parseDuration } from '../arguments.ts';
import type { BrandDetails } from '../brand/details.ts';
import { describeBrand } from '../brand/details.ts';
import type { BrandQuery, BrandSummary } from '../brand/list.ts';
import { listBrands } from '../brand/list.ts';
import { deleteBrand, deleteRest } from '../brand/brands.ts';
import type { Databases } from '../home/databases.ts';
import type { ShownRecord } from './output.ts';
import { note } from '../../../common/terminal/note.ts';
import { resumeBrand, suspendBrand } from '../brand/suspension.ts';
import { brandName } from '../home/home.ts';
import { unfinishedText } from '../home/unfinished.ts';
import { change, command, databaseOf, databaseOption, show, showDone } from './command.ts';
import { confirm } from './confirm.ts';
import { addBrandCreateCommand } from './brand-create.ts';
import { addBrandExportCommand } from './brand-export.ts';
import { addBrandImportCommand } from './brand-import.ts';
import { addBrandMoveCommand } from './brand-move.ts';
import { afterOption, limitOption, showList } from './list.ts';

export function addBrandCommands(program: Command, databases: Databases): void {
  const brand = program
    .command('brand')
    .description('create, list, suspend, export, import and delete brands');

  addBrandCreateCommand(brand, databases);

  command(brand, 'list', 'list brands, newest first, with the number of their live keys')
    .option('--search <text>', 'only brands with this in their name, whatever its case')
    .option(
      '--not-synced <time>',
      'only brands whose last sync of products or of coupon codes is longer ago than this, such as 2d; not those that never synced',
      parseDuration,
    )
    .option('--with-sync-error', 'only brands whose last sync failed')
    .option('--suspended', 'only brands that are suspended')
    .addOption(limitOption())
    .addOption(afterOption('brandId'))
    .addOption(databaseOption(databases, 'only the brands of this database'))
    .action(async (options) => {
      const all = await databases.chosen(options, options.database);
      await showList(options, {
        list: (part) => listBrands(all, { ...options, ...part }),
        name: 'brands',
        head: ({ total }) => ({ total }),
        describe: (summary) => describeSummary(summary, options),
        summary: ({ items, total }) => `${items.length} of ${total} brands.`,
      });
    });

  command(
    brand,
    'show <brandId>',
    'show a brand: its keys, how much it has of each collection, and its last change',
  ).action(async (brandId, options) => {
    const details = await describeBrand(await databases.ofBrand(options, brandId), brandId);
    await show(options, details, describeParts(details));
  });

  change(brand, 'suspend <brandId>', 'refuse all requests of a brand with 403; nothing is deleted')
    .option('--reason <text>', 'why, for the audit trail')
    .action(async (brandId, options) => {
      await suspendBrand(await databases.ofBrand(options, brandId), brandId, options.reason);
      await showDone(options, { suspendedBrandId: brandId });
      note('Its keys get 403 from the next request on. brand resume ends that.');
    });

  change(brand, 'resume <brandId>', 'end the suspension of a brand: its keys work again').action(
    async (brandId, options) => {
      await resumeBrand(await databases.ofBrand(options, brandId), brandId);
      await showDone(options, { resumedBrandId: brandId });
    },
  );

  addBrandExportCommand(brand, databases);
  addBrandImportCommand(brand, databases);

  if (databases.hasSeveral) addBrandMoveCommand(brand, databases);

  change(
    brand,
    'delete <brandId>',
    'delete a brand with its keys and all that it has (this cannot be undone; brand export keeps a copy)',
  )
    .option('--yes', "do not ask for the brand's name")
    .action(async (brandId, options) => {
      const { home, others } = await databases.placesOf(options, brandId);
      const first = home ?? others[0];
      if (first === undefined) throw new Failure(`There is no brand ${brandId}.`);
      const name = await brandName(first, brandId);
      if (!options.yes) {
        await confirm({
          text: `This deletes ${printable(name)} with its keys and all that it has from ${databaseOf(options, databases)}. It cannot be undone; to keep a copy, run brand export first. Type the brand's name to continue: `,
          answer: name,
          withoutTerminal: 'Without a terminal, deleting a brand requires --yes.',
          notDone: 'Nothing was deleted.',
        });
      }
      if (home !== undefined) await deleteBrand(home, brandId);
      for (const other of others) await deleteRest(other, brandId);
      await show(options, { deletedBrandId: brandId }, [
        { deletedBrandId: brandId, brandName: name },
      ]);
    });
}

/** Returns a row of the table of brands, with the syncs if the operator asks about these. */
function describeSummary(
  { lastProductsSyncAt, lastDiscountsSyncAt, lastSyncError, ...brand }: BrandSummary,
  { notSynced, withSyncError }: BrandQuery,
): ShownRecord {
  const { unfinished, frozenAt, ...summary } = brand;
  const isAboutSyncs = notSynced !== undefined || withSyncError === true;
  return {
    ...summary,
    unfinished: unfinishedText({ unfinished, frozenAt }),
    ...(isAboutSyncs && { lastProductsSyncAt, lastDiscountsSyncAt, lastSyncError }),
  };
}

/** Returns a row for each part of a brand. */
function describeParts({ collections, frozenAt, ...brand }: BrandDetails): ShownRecord[] {
  const unfinished = unfinishedText({ unfinished: brand.unfinished, frozenAt });
  const details = { ...brand, unfinished };
  const counts = Object.entries(collections).map(([name, { count, bytes, lastChange }]) => ({
    what: name,
    value: `${count} (${bytes} bytes${lastChange === null ? '' : `, last change ${lastChange}`})`,
  }));
  const parts = Object.entries(details).map(([what, value]) => ({ what, value: value ?? 'none' }));
  return [...parts, ...counts];
}
