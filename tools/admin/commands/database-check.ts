import type { Command } from 'commander';
import { AdminError } from '../admin-error.ts';
import type { Finding } from '../check/check.ts';
import { findFaults, hasStep, repairFaults } from '../check/check.ts';
import type { Databases } from '../databases.ts';
import { note } from '../output.ts';
import type { CommonOptions } from './command.ts';
import { change, databaseOf, show } from './command.ts';
import { confirm } from './confirm.ts';

interface CheckOptions extends CommonOptions {
  readonly repair?: true;
  readonly yes?: true;
}

/** Adds `database check`. */
export function addCheckCommand(database: Command, databases: Databases): void {
  change(
    database,
    'check',
    'look for brands that are at home in two databases or in none, as after a restore of one',
  )
    .option('--repair', 'repair what is found: the newer state of a brand wins')
    .option('--yes', 'with --repair: do not ask')
    .action(async (options: CheckOptions) => {
      const all = await databases.all(options);
      const found: Finding[] = [];
      for await (const finding of findFaults(all)) found.push(finding);
      const repairable = found.filter(hasStep);
      if (!options.repair || repairable.length === 0) {
        await showFaults(options, found, found);
        if (repairable.length > 0) note('To repair this, add --repair.');
        end(found);
        return;
      }
      if (!options.yes) {
        noteTexts(found);
        await confirm({
          text: `This repairs ${repairable.length} of ${found.length} brands in ${databaseOf(options, databases)}. Type yes to continue: `,
          answer: 'yes',
          withoutTerminal: 'Without a terminal, --repair requires --yes.',
          notDone: 'Nothing was repaired.',
        });
      }
      const left = await repairFaults(all, found);
      await showFaults(options, found, left);
      end(left);
    });
}

async function showFaults(
  options: CheckOptions,
  found: readonly Finding[],
  left: readonly Finding[],
): Promise<void> {
  const isLeft = new Set(left.map(({ brandId }) => brandId));
  const faults = found.flatMap(({ brandId, brandName, faults: all }) =>
    all.map(({ fault, databases, text }) => ({
      ...{ brandId, brandName, fault, databases, text, isRepaired: !isLeft.has(brandId) },
    })),
  );
  await show(
    options,
    { faults },
    faults.map(({ databases, text: _, isRepaired, ...row }) => ({
      ...row,
      databases: databases.join(', '),
      isRepaired: isRepaired ? 'yes' : 'no',
    })),
  );
  if (!options.json) noteTexts(found);
}

function noteTexts(found: readonly Finding[]): void {
  for (const { brandId, faults } of found) {
    for (const { text } of faults) note(`${brandId}: ${text}`);
  }
}

/** @throws AdminError if something is wrong */
function end({ length }: readonly Finding[]): void {
  if (length === 0) return;
  throw new AdminError(
    `${length} ${length === 1 ? 'brand is' : 'brands are'} not in order. See docs/many-databases.md.`,
  );
}
