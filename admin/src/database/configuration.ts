import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import { numbersIn } from '../../../src/operator.ts';
import { explained } from '../../../common/terminal/reason.ts';
import { ROOT, runWrangler } from '../../../common/wrangler/wrangler.ts';
import { Failure } from '../../../common/failure.ts';
import type { DatabaseTarget } from './target.ts';
import { explain } from './failures.ts';

/** The file that says which databases there are. */
export const CONFIGURATION = join(ROOT, 'wrangler.toml');

/** What stands in it for the id of a database that Cloudflare does not have yet. */
export const NO_ID = /^[0-]*$/;

export interface ConfiguredDatabase {
  readonly number: number;
  readonly name: string;
  /** Undefined, or zeros, until somebody has created it. */
  readonly id: string | undefined;
}

/** The jurisdictions in which databases must stay, by their numbers. A database without one, or on this machine, has none. */
export type Jurisdictions = ReadonlyMap<number, string>;

/** What the admin tool knows of the databases. */
export interface Configuration {
  /** Whether any environment has several: then commands have options for them. */
  readonly hasSeveral: () => boolean;
  /** Returns the numbers of the databases of an environment, in ascending order. */
  readonly numbers: (target: DatabaseTarget) => Promise<readonly number[]>;
  /** Returns the databases of an environment, in the order of their numbers. */
  readonly databases: (target: DatabaseTarget) => Promise<readonly ConfiguredDatabase[]>;
  readonly jurisdictions: (target: DatabaseTarget) => Promise<Jurisdictions>;
}

/** The configuration in `wrangler.toml`. */
export const configured: Configuration = {
  hasSeveral: () => declaresSeveral(configurationText()),
  numbers: async (target) => {
    await access(CONFIGURATION).catch((error: unknown) => {
      throw new Failure(`${CONFIGURATION} cannot be read: ${explained(error)}.`);
    });
    // Loading wrangler, which understands the file, takes longer than the rest of a command.
    if (!configured.hasSeveral()) return [0];
    return (await configured.databases(target)).map(({ number }) => number);
  },
  databases: async ({ env = '' }) => (await readConfiguration(env)).d1_databases,
  jurisdictions: readJurisdictions,
};

/** Without the file, there is help all the same; what needs a database says that it is missing. */
function configurationText(): string {
  try {
    return readFileSync(CONFIGURATION, 'utf8');
  } catch {
    return '';
  }
}

const declared = z.object({ d1_databases: z.array(z.object({ binding: z.string() })).default([]) });
const declaredByAll = declared.extend({ env: z.record(z.string(), declared).default({}) });

/**
 * Whether any environment of a configuration has several databases. One that is no TOML has one: wrangler, which reads it
 * before anything is done, says what is wrong.
 */
export function declaresSeveral(toml: string): boolean {
  try {
    const { env, ...topLevel } = declaredByAll.parse(parse(toml));
    const bindings = [topLevel, ...Object.values(env)].flatMap(({ d1_databases: all }) => all);
    return numbersIn(bindings.map(({ binding }) => binding)).some((number) => number > 0);
  } catch (error) {
    if (error instanceof TomlError || error instanceof z.ZodError) return false;
    throw error;
  }
}

// The types of wrangler need packages that are not installed.
const schema = z.object({
  definedEnvironments: z.array(z.string()).default([]),
  dev: z.object({ ip: z.string(), port: z.number() }),
  d1_databases: z
    .array(
      z.object({
        binding: z.string(),
        database_name: z.string().default(''),
        database_id: z.string().optional(),
      }),
    )
    .transform((all): ConfiguredDatabase[] =>
      all
        .flatMap(({ binding, database_name: name, database_id: id }) =>
          numbersIn([binding]).map((number) => ({ number, name, id })),
        )
        .sort((one, other) => one.number - other.number),
    ),
});

/**
 * Reads `wrangler.toml`, or another configuration, as an environment has it; the empty one is the top level.
 * @throws Failure if wrangler refuses it
 */
export async function readConfiguration(
  env: string | undefined,
  config = CONFIGURATION,
): Promise<z.infer<typeof schema>> {
  const { unstable_readConfig } = await import('wrangler');
  try {
    return schema.parse(unstable_readConfig({ config, env }, { hideWarnings: true }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Failure(`wrangler refuses ${basename(config)}: ${reasonOnOneLine(error)}`);
  }
}

/** The heading of wrangler's report, which names the file. */
const HEADING = /^Processing [^\n]* configuration:\n/;

function reasonOnOneLine({ message }: Error): string {
  const lines = message.replace(HEADING, '').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** `wrangler d1 info` would say it too, but needs a permission for analytics, and a call for each database. */
const listedDatabases = z.array(
  z.object({ uuid: z.string(), jurisdiction: z.nullish(z.string()) }),
);

/** @throws Failure if wrangler fails */
async function readJurisdictions(target: DatabaseTarget): Promise<Jurisdictions> {
  const { env = '', remote } = target;
  if (!remote) return new Map();
  const { code, stdout, stderr } = await runWrangler(['d1', 'list', '--json', `--env=${env}`]);
  if (code !== 0) {
    throw new Failure(explain(stderr + stdout, { flags: '--remote', env }).reason);
  }
  const byId = new Map(
    listedDatabases.parse(JSON.parse(stdout)).map(({ uuid, jurisdiction }) => [uuid, jurisdiction]),
  );
  const databases = await configured.databases(target);
  return new Map(
    databases.flatMap(({ number, id = '' }) => {
      const jurisdiction = byId.get(id) ?? undefined;
      return jurisdiction === undefined ? [] : [[number, jurisdiction] as const];
    }),
  );
}
