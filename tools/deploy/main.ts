import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { readConfiguration } from '../../admin/src/index.ts';
import { EXIT } from '../../common/failure.ts';
import { harmlessErrors, printableLines } from '../../common/terminal/printable.ts';
import { runWrangler, WRANGLER } from '../../common/wrangler/wrangler.ts';
import type { Environment, Wrangler } from './deploy.ts';
import { deploy, tryBundle } from './deploy.ts';

const program = new Command('npm run deploy --')
  .description(
    'Applies the migrations and deploys the Worker: the top level of wrangler.toml, or an environment. If a migration fails, the Worker is not deployed.',
  )
  .option('--env <name>', 'the environment in wrangler.toml (default: the top level)')
  .option(
    '--dry-run',
    'only bundle the Worker, and print its size: no login, no migrations, no deployment',
  )
  .configureOutput(harmlessErrors)
  .showHelpAfterError('(use --help to see the options)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage))
  .action(run);

await program.parseAsync();

interface Options {
  readonly env?: string;
  readonly dryRun?: true;
}

async function run({ env, dryRun }: Options): Promise<void> {
  const wrangler: Wrangler = {
    type: (args) =>
      spawnSync(process.execPath, ['--no-warnings', WRANGLER, ...args], { stdio: 'inherit' })
        .status ?? 1,
    mayAsk: process.stdin.isTTY && process.stdout.isTTY,
    read: async (args) => (await runWrangler(args)).stdout,
  };
  try {
    const environment = await readEnvironment(env);
    if (dryRun) tryBundle(environment, wrangler);
    else await deploy(environment, wrangler);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`error: ${printableLines(error.message)}\n`);
    process.exitCode = EXIT.failed;
  }
}

async function readEnvironment(name: string | undefined): Promise<Environment> {
  const { definedEnvironments: known } = await readConfiguration('');
  const isKnown = name === undefined || known.includes(name);
  const { d1_databases: databases } = await readConfiguration(isKnown ? (name ?? '') : '');
  return { name, databases, known };
}
