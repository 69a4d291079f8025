import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { durability } from './durability/durability.ts';
import { load } from './load/load.ts';
import { writePlots } from './plots.ts';
import { writeReadme } from './readme.ts';
import { keep } from './results.ts';
import { brokenPromises, scale } from './scale/scale.ts';
import { sideBySide } from './side-by-side/side-by-side.ts';
import { startUp } from './start-up/start-up.ts';
import type { Table } from './tables.ts';
import {
  durabilityTables,
  loadTables,
  scaleTables,
  sideBySideTables,
  startUpTables,
} from './tables.ts';
import { printTable } from './terminal.ts';

// npm run bench: every part in turn, or the one that is named. Then the plots and the README's tables are made anew.

const ROUNDS = { sideBySide: 15, startUp: 9, scale: 5 };
const LOAD = { seconds: 120, connections: 64 };
const KILLS = 20;

const log = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Shows what a part measured, and keeps it where nothing was wrong. */
async function finish(
  part: Parameters<typeof keep>[0],
  figures: unknown,
  tables: readonly Table[],
  wrong: readonly string[] = [],
): Promise<void> {
  for (const table of tables) printTable(table);
  for (const text of wrong) log(text);
  if (wrong.length > 0) {
    process.exitCode = 1;
    return;
  }
  await keep(part, figures);
  await writePlots();
  await writeReadme();
}

async function runSideBySide(rounds: number): Promise<void> {
  const lines = await sideBySide(rounds, log);
  await finish('side-by-side', lines, sideBySideTables(lines));
}

async function runStartUp(rounds: number): Promise<void> {
  const figures = await startUp(rounds, log);
  await finish('start-up', figures, startUpTables(figures));
}

async function runScale(rounds: number): Promise<void> {
  const figures = await scale(rounds, log);
  await finish('scale', figures, scaleTables(figures), brokenPromises(figures));
}

async function runLoad(options: typeof LOAD): Promise<void> {
  const { figures, wrong } = await load(options, log);
  await finish('load', figures, loadTables(figures), wrong);
}

async function runDurability(kills: number, seed: number): Promise<void> {
  log(`seed ${seed}`);
  const { figures, wrong } = await durability({ kills, seed }, log);
  await finish('durability', figures, durabilityTables(figures), wrong);
}

const newSeed = (): number => randomInt(1, 1_000_000);

const program = new Command('bench')
  .description('measures what the service costs: all parts in turn, or one of them')
  .action(async () => {
    await runSideBySide(ROUNDS.sideBySide);
    await runStartUp(ROUNDS.startUp);
    await runScale(ROUNDS.scale);
    await runLoad(LOAD);
    await runDurability(KILLS, newSeed());
  });

const ROUNDS_OPTION = ['--rounds <number>', 'in each of which everything has its turn'] as const;

program
  .command('side-by-side')
  .description('this service beside a bare Worker, the usual design and chanfana')
  .option(...ROUNDS_OPTION, Number, ROUNDS.sideBySide)
  .action(({ rounds }: { rounds: number }) => runSideBySide(rounds));

program
  .command('start-up')
  .description('the size of each of these Workers, and what loading and starting it takes')
  .option(...ROUNDS_OPTION, Number, ROUNDS.startUp)
  .action(({ rounds }: { rounds: number }) => runStartUp(rounds));

program
  .command('scale')
  .description('the same operations on 1,000 to 100,000 products, and on 1,000 brands')
  .option(...ROUNDS_OPTION, Number, ROUNDS.scale)
  .action(({ rounds }: { rounds: number }) => runScale(rounds));

program
  .command('load')
  .description('mixed reads and writes, every answer checked')
  .option('--seconds <number>', 'how long', Number, LOAD.seconds)
  .option('--connections <number>', 'how many', Number, LOAD.connections)
  .action((options: typeof LOAD) => runLoad(options));

program
  .command('durability')
  .description('kill -9 of the server in the middle of writes')
  .option('--kills <number>', 'how often', Number, KILLS)
  .option('--seed <number>', 'of the writes and the moments, to do it again', Number)
  .action(({ kills, seed }: { kills: number; seed?: number }) =>
    runDurability(kills, seed ?? newSeed()),
  );

await program.parseAsync();
