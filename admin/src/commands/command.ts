import type { Command, CommandUnknownOpts, InferCommandArguments } from 'commander';
import { Option } from 'commander';
import { Failure } from '../../../common/failure.ts';
import { parseDatabase, parseFolder, parseLifetime } from '../arguments.ts';
import type { Databases } from '../home/databases.ts';
import type { IssuedKey } from '../key/keys.ts';
import type { ShownRecord } from './output.ts';
import { printJson, printTable } from './output.ts';
import { note } from '../../../common/terminal/note.ts';

export interface CommonOptions {
  readonly remote?: true;
  readonly env?: string;
  readonly persistTo?: string;
  readonly json?: true;
}

interface ChangeOptions extends CommonOptions {
  readonly actor?: string;
}

/** A command with the arguments that its usage names. `Pick` makes a type of an interface, as commander requires. */
type CommandOf<Usage extends string, Options extends CommonOptions> = Command<
  [...InferCommandArguments<Usage>],
  Pick<Options, keyof Options>
>;

/** Adds a command with the options that all commands share. */
export function command<Usage extends string>(
  group: Command,
  usage: Usage,
  description: string,
): CommandOf<Usage, CommonOptions> {
  return group
    .command(usage)
    .description(description)
    .option('--remote', "use the deployed database, with wrangler's login")
    .addOption(
      // wrangler reads the variable too.
      new Option(
        '--env <name>',
        'with --remote: the database of this environment in wrangler.toml',
      ).env('CLOUDFLARE_ENV'),
    )
    .addOption(
      new Option('--persist-to <dir>', 'the folder of the local database')
        .argParser(parseFolder)
        .conflicts('remote'),
    )
    .option('--json', 'print one JSON document and nothing else on standard output')
    .hook('preAction', (action) => {
      const { env, remote } = action.opts();
      // The variable is of the whole shell: `npm run dev` uses the same local database.
      if (!env || remote || action.getOptionValueSource('env') !== 'cli') return;
      action.error(
        'error: --env names a deployed database. Add --remote, or leave out --env to use the local one.',
      );
    });
}

/** Whether a command has the options that all commands on databases share. */
export function usesDatabase({ options }: CommandUnknownOpts): boolean {
  return options.some(({ long }) => long === '--remote');
}

/** Whether a command changes something. */
export function isChange({ options }: CommandUnknownOpts): boolean {
  return options.some(({ long }) => long === '--actor');
}

/** Adds a command that changes something, with the option `--actor`. */
export function change<Usage extends string>(
  group: Command,
  usage: Usage,
  description: string,
): CommandOf<Usage, ChangeOptions> {
  return command(group, usage, description).option(
    '--actor <name>',
    'who you are, for the audit trail (default: your account on this machine)',
  );
}

/** The option `--database`, which the help names if there are several. */
export function databaseOption(
  { hasSeveral }: Databases,
  description: string,
): Option<'--database <number>', undefined, undefined, number> {
  return new Option('--database <number>', description)
    .argParser(parseDatabase)
    .hideHelp(!hasSeveral);
}

export function scopeOption(): Option<
  '--scope <scope>',
  undefined,
  undefined,
  undefined,
  false,
  'read' | 'write'
> {
  return new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']);
}

/** The option `--expires-in`, in seconds; the parameter says what holds without it. */
export function expiryOption(
  otherwise: string,
): Option<'--expires-in <time>', undefined, undefined, number> {
  return new Option(
    '--expires-in <time>',
    `how long the key is valid, such as 90d (default: ${otherwise})`,
  ).argParser(parseLifetime);
}

/**
 * Prints what a command found or did: a JSON document, or a table of records.
 * @returns whether it could be written
 */
export function show(
  options: CommonOptions,
  document: unknown,
  records: readonly ShownRecord[],
): Promise<boolean> {
  return options.json ? printJson(document) : printTable(records);
}

/** Prints what a command did: a JSON document, or a table of one row. */
export async function showDone(options: CommonOptions, done: ShownRecord): Promise<void> {
  await show(options, done, [done]);
}

/**
 * Prints new keys.
 * @throws Failure if they could not be written, because then nobody has them
 */
export async function showNewKeys(
  options: CommonOptions,
  document: unknown,
  keys: readonly (ShownRecord & Pick<IssuedKey, 'keyId'>)[],
): Promise<void> {
  if (!(await show(options, document, keys))) {
    const ids = keys.map(({ keyId }) => keyId).join(', ');
    throw new Failure(
      `The change was made, but nobody has read the text of the new key. Rotate or revoke this keyId: ${ids}`,
    );
  }
  if (keys.length === 0) return;
  note(
    keys.length === 1
      ? 'Store the key now: only its hash is stored, and it cannot be shown again.'
      : 'Store the keys now: only their hashes are stored, and they cannot be shown again.',
  );
}

/**
 * Names the database of a command, because the same command without an option uses another one.
 * @param used the numbers of the databases that it used, if there are several
 */
export function databaseOf(
  { remote, env }: CommonOptions,
  { used }: Pick<Databases, 'used'>,
): string {
  const place = env ? ` of the environment ${env}` : remote ? " of wrangler.toml's top level" : '';
  const numbers = used.length === 0 ? '' : ` ${used.join(', ')}`;
  return `the ${remote ? 'deployed' : 'local'} database${used.length > 1 ? 's' : ''}${numbers}${place}`;
}
