import type { Command } from 'commander';
import { note } from '../output.ts';
import { resetTokens } from '../tokens.ts';
import type { CommonOptions, Open } from './command.ts';
import { change, show } from './command.ts';

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
    .option('--brand <brandId>', 'only the tokens of this brand (default: of all brands)')
    .action(async (options: CommonOptions & { brand?: string }) => {
      const resetBrands = await resetTokens(open(options), options.brand);
      show(options, { resetBrands }, [{ resetBrands }]);
      note('Clients that send an older token get 410, and start again with since=0.');
    });
}
