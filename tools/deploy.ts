import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { bindingOf } from '../src/db/databases.ts';
import type { ConfiguredDatabase } from './admin/configuration.ts';
import { NO_ID, readConfiguration } from './admin/configuration.ts';
import { refuseOptionsKeptByNpm } from './npm-options.ts';
import { harmlessErrors, printableLines } from '../client/src/command/terminal/printable.ts';
import { runWrangler, WRANGLER } from './wrangler.ts';

/** The environment that wrangler takes for the top level, even if CLOUDFLARE_ENV names another one. */
const TOP_LEVEL = '';

/** What it means if wrangler fails. */
const NOT_DEPLOYED = 'The Worker was not deployed';

/** What wrangler prints if a database has all migrations. */
const UP_TO_DATE = 'No migrations to apply';

const program = new Command('npm run deploy --')
  .description(
    'Applies the migrations and deploys the Worker: the top level of wrangler.toml, or an environment. If a migration fails, the Worker is not deployed.',
  )
  .option('--env <name>', 'the environment in wrangler.toml (default: the top level)')
  .configureOutput(harmlessErrors)
  .showHelpAfterError('(use --help to see the options)')
  .action(run);

refuseOptionsKeptByNpm(program, 'deploy');
await program.parseAsync();

async function run({ env }: { readonly env?: string }): Promise<void> {
  try {
    const databases = await databasesOf(env);
    const flag = `--env=${env ?? TOP_LEVEL}`;
    // One after another, and all of them before the code, which needs its tables in each.
    for (const { number, name } of databases) {
      const failing = databases.length === 1 ? '' : `In database ${number} (${name}): `;
      await migrate(bindingOf(number), flag, failing);
    }
    type(NOT_DEPLOYED, 'deploy', '--minify', flag);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`error: ${printableLines(error.message)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Applies the migrations to a database.
 * @throws Error with a sentence that begins with `failing`
 */
async function migrate(binding: string, flag: string, failing: string): Promise<void> {
  type(`${failing}${NOT_DEPLOYED}`, 'd1', 'migrations', 'apply', binding, '--remote', flag);
  // wrangler asks at a terminal only. After a "no" it ends as if the migrations were applied.
  if (!process.stdin.isTTY || !process.stdout.isTTY) return;
  const { stdout } = await runWrangler(['d1', 'migrations', 'list', binding, '--remote', flag]);
  if (!stdout.includes(UP_TO_DATE)) {
    throw new Error(
      `${failing}The migrations are not all applied, so the Worker was not deployed.`,
    );
  }
}

/**
 * Returns the databases of an environment, in the order of their numbers.
 * @throws Error if `wrangler.toml` does not have the environment, or the id of one of its databases
 */
async function databasesOf(env?: string): Promise<readonly ConfiguredDatabase[]> {
  const { definedEnvironments } = await readConfiguration(TOP_LEVEL);
  if (env !== undefined && !definedEnvironments.includes(env)) {
    const names = definedEnvironments.join(' and ');
    throw new Error(`wrangler.toml has no environment "${env}". It has ${names}.`);
  }
  const { d1_databases: databases } = await readConfiguration(env ?? TOP_LEVEL);
  const missing = databases.find(({ id }) => id !== undefined && NO_ID.test(id));
  if (missing === undefined) return databases;
  throw new Error(
    `wrangler.toml has zeros in place of the id of the database ${missing.name}: create it with npx wrangler d1 create ${missing.name}, and enter the id that this prints.`,
  );
}

/**
 * Runs wrangler at the terminal of the person, whom it may ask.
 * @throws Error that begins with the consequence; wrangler has then said why
 */
function type(consequence: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, ['--no-warnings', WRANGLER, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0)
    throw new Error(`${consequence}, because this failed: npx wrangler ${args.join(' ')}`);
}
