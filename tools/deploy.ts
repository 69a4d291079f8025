import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import { bindingOf, numbersIn } from '../src/db/databases.ts';
import { refuseOptionsKeptByNpm } from './npm-options.ts';
import { harmlessErrors, printableLines } from './terminal.ts';
import { runWrangler, WRANGLER } from './wrangler.ts';

/** What stands in `wrangler.toml` for the id of a database until somebody has created it. */
const PLACEHOLDER = '00000000-0000-0000-0000-000000000000';

/** The environment that wrangler takes for the top level, even if CLOUDFLARE_ENV names another one. */
const TOP_LEVEL = '';

/** What it means if wrangler fails. */
const NOT_DEPLOYED = 'The Worker was not deployed';

/** What wrangler prints if a database has all migrations. */
const UP_TO_DATE = 'No migrations to apply';

const configuration = z.object({
  definedEnvironments: z.array(z.string()).default([]),
  d1_databases: z.array(
    z.object({
      binding: z.string(),
      database_name: z.string(),
      database_id: z.string().optional(),
    }),
  ),
});

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
    const { target, databases } = targetOf(env);
    const flag = `--env=${target}`;
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

/** What to deploy. */
interface Target {
  /** The environment, as wrangler takes it. */
  readonly target: string;
  /** Its databases of brands, in the order of their numbers. */
  readonly databases: readonly { readonly number: number; readonly name: string }[];
}

/**
 * Returns the environment to deploy, and its databases.
 * @throws Error if `wrangler.toml` does not have it, or one of its databases
 */
function targetOf(env: string | undefined): Target {
  const { definedEnvironments } = configuration.parse(unstable_readConfig({ env: TOP_LEVEL }));
  if (env !== undefined && !definedEnvironments.includes(env)) {
    const names = definedEnvironments.join(' and ');
    throw new Error(`wrangler.toml has no environment "${env}". It has ${names}.`);
  }
  const target = env ?? TOP_LEVEL;
  const { d1_databases } = configuration.parse(unstable_readConfig({ env: target }));
  for (const { database_name, database_id } of d1_databases) {
    if (database_id !== PLACEHOLDER) continue;
    throw new Error(
      `wrangler.toml has zeros in place of the id of the database ${database_name}: create it with npx wrangler d1 create ${database_name}, and enter the id that this prints.`,
    );
  }
  const databases = d1_databases.flatMap(({ binding, database_name: name }) =>
    numbersIn([binding]).map((number) => ({ number, name })),
  );
  return { target, databases: databases.sort((one, other) => one.number - other.number) };
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
