import { Argument, Command } from 'commander';
import { EXIT } from '../common/failure.ts';
import { nightly } from './parts/nightly.ts';
import { sideBySide } from './parts/side-by-side.ts';
import { log, print, publish } from './report.ts';

const PARTS = { 'side-by-side': sideBySide, nightly };

async function run(names: readonly string[], quick: boolean): Promise<void> {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    log(`\n${name}`);
    const outcome = await measure(quick);
    await print(outcome);
    if (outcome.wrong.length > 0) process.exitCode = 1;
    else if (!quick) await publish(name, outcome);
  }
  if (quick) log('\nThese figures mean nothing: they show that the benchmark works.');
}

const program = new Command('npm run bench --')
  .description('Measures what the service costs, and writes the figures into the documents.')
  .addArgument(
    new Argument('[parts...]', 'all of them if none is named').choices(Object.keys(PARTS)),
  )
  .option('--quick', 'see that it works: small data, one round; writes no figures', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage))
  .action((names: string[], { quick }: { quick: boolean }) => run(names, quick));

await program.parseAsync();
