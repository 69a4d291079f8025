import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { bindingOf } from '../src/db/databases.ts';
import type { ConfiguredDatabase } from '../admin/src/index.ts';
import { NO_ID, readConfiguration } from '../admin/src/index.ts';
import { harmlessErrors, printableLines } from '../common/terminal/printable.ts';
import { runWrangler, WRANGLER } from '../common/wrangler/wrangler.ts';

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
  .option(
    '--dry-run',
    'only bundle the Worker, and print its size: no login, no migrations, no deployment',
  )
  .configureOutput(harmlessErrors)
  .showHelpAfterError('(use --help to see the options)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(run);

await program.parseAsync();

interface Options {
  readonly env?: string;
  readonly dryRun?: true;
}

async function run({ env, dryRun }: Options): Promise<void> {
  const flag = `--env=${env ?? TOP_LEVEL}`;
  try {
    if (dryRun) {
      await requireEnvironment(env);
      type('The Worker was not bundled', 'deploy', '--dry-run', flag);
      return;
    }
    const databases = await databasesOf(env);
    // One after another, and all of them before the code, which needs its tables in each.
    for (const { number, name } of databases) {
      const failing = databases.length === 1 ? '' : `In database ${number} (${name}): `;
      await migrate(bindingOf(number), flag, failing);
    }
    type(NOT_DEPLOYED, 'deploy', flag);
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
  await requireEnvironment(env);
  const { d1_databases: databases } = await readConfiguration(env ?? TOP_LEVEL);
  const missing = databases.find(({ id }) => id !== undefined && NO_ID.test(id));
  if (missing === undefined) return databases;
  throw new Error(
    `wrangler.toml has zeros in place of the id of the database ${missing.name}: create it with npx wrangler d1 create ${missing.name}, and enter the id that this prints.`,
  );
}

/** @throws Error if `wrangler.toml` does not have the environment: wrangler would only warn, and take the top level */
async function requireEnvironment(env?: string): Promise<void> {
  const { definedEnvironments } = await readConfiguration(TOP_LEVEL);
  if (env === undefined || definedEnvironments.includes(env)) return;
  const names = definedEnvironments.join(' and ');
  throw new Error(`wrangler.toml has no environment "${env}". It has ${names}.`);
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
