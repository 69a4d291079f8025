import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { printable } from '../../terminal.ts';
import { AdminError } from '../admin-error.ts';
import { brandName, createBrand, deleteBrand, listBrands } from '../brands.ts';
import type { CommonOptions, Open } from './command.ts';
import { change, command, databaseOf, show, showNewKey } from './command.ts';

/** Adds `brand create`, `brand list` and `brand delete`. */
export function addBrandCommands(program: Command, open: Open): void {
  const brand = program.command('brand').description('create, list and delete brands');

  change(
    brand,
    'create <name>',
    'create a brand and its first API key (the key is shown only once)',
  )
    .option('--label <text>', 'a name for the key, shown in key list')
    .action(async (name: string, options: CommonOptions & { label?: string }) => {
      const { expiresAt: _, ...made } = await createBrand(open(options), name, options);
      showNewKey(options, made);
    });

  command(brand, 'list', 'list all brands, with the number of their live keys').action(
    async (options: CommonOptions) => {
      const brands = await listBrands(open(options));
      show(
        options,
        { brands },
        brands.map((summary) => ({ ...summary })),
      );
    },
  );

  change(
    brand,
    'delete <brandId>',
    'delete a brand with its keys and all that it has (this cannot be undone)',
  )
    .option('--yes', "do not ask for the brand's name")
    .action(async (brandId: string, options: CommonOptions & { yes?: true }) => {
      const name = await brandName(open(options), brandId);
      if (!options.yes) await confirm(name, databaseOf(options));
      await deleteBrand(open(options), brandId);
      show(options, { deletedBrandId: brandId }, [{ deletedBrandId: brandId, brandName: name }]);
    });
}

/** @throws AdminError unless the operator types the name of the brand; if they press Ctrl+C or Ctrl+D too */
async function confirm(name: string, database: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new AdminError('Without a terminal, deleting a brand requires --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = terminal.question(
    `This deletes ${printable(name)} with its keys and all that it has from ${database}. It cannot be undone. Type the brand's name to continue: `,
  );
  const answer = await question.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  });
  terminal.close();
  if (answer === undefined) throw new AdminError('Nothing was deleted.');
  if (answer.trim() !== name) throw new AdminError('The name does not match. Nothing was deleted.');
}
