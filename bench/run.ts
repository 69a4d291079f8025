import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { refuseOptionsKeptByNpm } from '../tools/npm-options.ts';
import { durability } from './parts/durability.ts';
import { inStep } from './parts/in-step.ts';
import { layers } from './parts/layers.ts';
import { load } from './parts/load.ts';
import { scale } from './parts/scale.ts';
import { sideBySide } from './parts/side-by-side.ts';
import { startUp } from './parts/start-up.ts';
import { keep, log, print } from './report.ts';
import { ROOT } from './servers.ts';

const PARTS = {
  'side-by-side': sideBySide,
  layers,
  'start-up': startUp,
  'in-step': inStep,
  scale,
  load,
  durability,
};

async function run(names: readonly string[], quick: boolean): Promise<void> {
  const folder = quick ? await mkdtemp(join(tmpdir(), 'bench-')) : ROOT;
  for (const [name, measure] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    log(`\n${name}`);
    try {
      const outcome = await measure(quick);
      print(outcome);
      if (outcome.wrong.length > 0) process.exitCode = 1;
      else await keep(name, outcome, folder);
    } catch (error) {
      // The other parts continue.
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      process.exitCode = 1;
    }
  }
  if (quick) log(`\nThese figures mean nothing. They are in ${folder}.`);
}

const program = new Command('npm run bench --')
  .description('Measures what the service costs, and writes docs/benchmarks.md.')
  .addArgument(
    new Argument('[parts...]', 'all of them if none is named').choices(Object.keys(PARTS)),
  )
  .option('--quick', 'see that every part works: small data, one round; keeps nothing', false)
  .action((names: string[], { quick }: { quick: boolean }) => run(names, quick));

refuseOptionsKeptByNpm(program, 'bench');
await program.parseAsync();
