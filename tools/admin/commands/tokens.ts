import type { Command } from 'commander';
import { Option } from 'commander';
import { countBrands } from '../brand-list.ts';
import { note } from '../output.ts';
import { resetAllTokens, resetTokens } from '../tokens.ts';
import type { CommonOptions, Open } from './command.ts';
import { change, databaseOf, show } from './command.ts';
import { confirm } from './confirm.ts';

interface ResetOptions extends CommonOptions {
  readonly brand?: string;
  readonly all?: true;
  readonly yes?: true;
}

/** Adds `tokens reset`. */
export function addTokenCommands(program: Command, open: Open): void {
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
    .action(async (options: ResetOptions, reset: Command) => {
      const { brand, all } = options;
      if (brand === undefined && !all) {
        reset.error('error: Give --brand <brandId>, or --all for the tokens of all brands.');
      }
      const resetBrands =
        brand === undefined ? await resetAll(open, options) : await resetOne(open, options, brand);
      await show(options, { resetBrands }, [{ resetBrands }]);
      note('Clients that send an older token get 410, and start again with since=0.');
    });
}

async function resetOne(open: Open, options: ResetOptions, brandId: string): Promise<number> {
  await resetTokens(open(options), brandId);
  return 1;
}

/** @throws AdminError unless the operator confirms it */
async function resetAll(open: Open, options: ResetOptions): Promise<number> {
  if (!options.yes) {
    const count = await countBrands(open(options));
    await confirm({
      text: `This resets the tokens of all brands (${count}) in ${databaseOf(options)}: their clients have to load everything again. Type the number of brands to continue: `,
      answer: String(count),
      withoutTerminal: 'Without a terminal, --all requires --yes.',
      notDone: 'Nothing was reset.',
    });
  }
  return resetAllTokens(open(options));
}
