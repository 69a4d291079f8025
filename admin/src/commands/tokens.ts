import type { Command } from 'commander';
import { Option } from 'commander';
import type { Databases } from '../home/databases.ts';
import { readSize } from '../home/databases.ts';
import { note } from '../../../common/terminal/note.ts';
import { onDatabases } from '../database/on-databases.ts';
import { resetAllTokens, resetTokens } from '../brand/tokens.ts';
import type { CommonOptions } from './command.ts';
import { change, databaseOf, databaseOption, showDone } from './command.ts';
import { confirm } from './confirm.ts';

interface ResetOptions extends CommonOptions {
  readonly yes?: true;
  readonly database?: number;
}

export function addTokenCommands(program: Command, databases: Databases): void {
  const tokens = program
    .command('tokens')
    .description('reset the tokens with which clients follow changes (GET ?since=)');

  change(
    tokens,
    'reset',
    'refuse all tokens issued so far; use it after you restored the database to an earlier time',
  )
    .option('--brand <brandId>', 'the tokens of this brand')
    .addOption(new Option('--all', 'the tokens of all brands').conflicts('brand'))
    .option('--yes', 'with --all: do not ask')
    .addOption(databaseOption(databases, 'with --all: only the brands of this database'))
    .action(async (options, reset) => {
      const { brand, all } = options;
      let resetBrands = 1;
      if (brand !== undefined) await resetTokens(await databases.ofBrand(options, brand), brand);
      else if (all) resetBrands = await resetAll(databases, options);
      else reset.error('error: Give --brand <brandId>, or --all for the tokens of all brands.');
      await showDone(options, { resetBrands });
      note('Clients that send an older token get 410, and start again with since=0.');
    });
}

/** @throws Failure unless the operator confirms it */
async function resetAll(databases: Databases, options: ResetOptions): Promise<number> {
  const chosen = await databases.chosen(options, options.database);
  if (!options.yes) {
    const sizes = await onDatabases(chosen, readSize);
    const count = sizes.reduce((sum, { brands }) => sum + brands, 0);
    await confirm({
      text: `This resets the tokens of all brands (${count}) in ${databaseOf(options, databases)}: their clients have to load everything again. Type the number of brands to continue: `,
      answer: String(count),
      withoutTerminal: 'Without a terminal, --all requires --yes.',
      notDone: 'Nothing was reset.',
    });
  }
  // One after another, so that a failure leaves no others under way. It can be repeated.
  let reset = 0;
  for (const database of chosen) reset += await resetAllTokens(database);
  return reset;
}
