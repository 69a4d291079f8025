import { bindingOf } from '../../src/operator.ts';
import type { ConfiguredDatabase } from '../../admin/src/index.ts';
import { NO_ID } from '../../admin/src/index.ts';

/** What a deployment uses of wrangler. */
export interface Wrangler {
  /** Runs a command at the terminal of the person, whom it may ask. Returns the exit code. */
  readonly type: (args: readonly string[]) => number;
  /** Whether wrangler may ask. After a "no" to the migrations it ends as if they were applied. */
  readonly mayAsk: boolean;
  /** Returns what a command prints. */
  readonly read: (args: readonly string[]) => Promise<string>;
}

/** What `wrangler.toml` says of an environment. */
export interface Environment {
  /** Undefined for the top level. */
  readonly name: string | undefined;
  /** In the order of their numbers. */
  readonly databases: readonly ConfiguredDatabase[];
  /** The names of all environments. */
  readonly known: readonly string[];
}

/** What it means if wrangler fails. */
const NOT_DEPLOYED = 'The Worker was not deployed';

/** What wrangler prints if a database has all migrations. */
const UP_TO_DATE = 'No migrations to apply';

/**
 * Applies the migrations to all databases of an environment, one after another, and then deploys the Worker, which needs
 * its tables in each.
 * @throws Error with a sentence, if anything fails; the Worker is then as it was
 */
export async function deploy(environment: Environment, wrangler: Wrangler): Promise<void> {
  const flag = flagOf(environment);
  const { databases } = environment;
  const missing = databases.find(({ id }) => id !== undefined && NO_ID.test(id));
  if (missing !== undefined) {
    throw new Error(
      `wrangler.toml has zeros in place of the id of the database ${missing.name}: create it with npx wrangler d1 create ${missing.name}, and enter the id that this prints.`,
    );
  }
  for (const { number, name } of databases) {
    const failing = databases.length === 1 ? '' : `In database ${number} (${name}): `;
    const migrations = ['d1', 'migrations'];
    const where = [bindingOf(number), '--remote', flag];
    type(wrangler, `${failing}${NOT_DEPLOYED}`, [...migrations, 'apply', ...where]);
    if (!wrangler.mayAsk) continue;
    const left = await wrangler.read([...migrations, 'list', ...where]);
    if (!left.includes(UP_TO_DATE)) {
      throw new Error(
        `${failing}The migrations are not all applied, so the Worker was not deployed.`,
      );
    }
  }
  type(wrangler, NOT_DEPLOYED, ['deploy', flag]);
}

/**
 * Bundles the Worker, and prints its size.
 * @throws Error with a sentence
 */
export function tryBundle(environment: Environment, wrangler: Wrangler): void {
  type(wrangler, 'The Worker was not bundled', ['deploy', '--dry-run', flagOf(environment)]);
}

/**
 * Returns the option that names the environment to wrangler. The empty name is the top level, even if CLOUDFLARE_ENV
 * names another one.
 * @throws Error if there is no such environment: wrangler would only warn, and take the top level
 */
function flagOf({ name, known }: Environment): string {
  if (name === undefined || known.includes(name)) return `--env=${name ?? ''}`;
  throw new Error(`wrangler.toml has no environment "${name}". It has ${known.join(' and ')}.`);
}

/** @throws Error that begins with the consequence; wrangler has then said why */
function type(wrangler: Wrangler, consequence: string, args: readonly string[]): void {
  if (wrangler.type(args) !== 0)
    throw new Error(`${consequence}, because this failed: npx wrangler ${args.join(' ')}`);
}
