import { createInterface } from 'node:readline/promises';
import { Command, Option } from 'commander';
import { refuseOptionsKeptByNpm } from '../npm-options.ts';
import { AdminError } from './admin-error.ts';
import { listActs } from './audit.ts';
import { brandName, createBrand, deleteBrand, listBrands } from './brands.ts';
import type { DatabaseTarget } from './database.ts';
import { openDatabase } from './database.ts';
import { parseDays, parseDuration } from './duration.ts';
import type { KeyOptions } from './keys.ts';
import { issueKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import { describeKeys } from './key-table.ts';
import type { Shown } from './output.ts';
import { note, printJson, printTable } from './output.ts';
import { resetTokens } from './tokens.ts';
import { printable } from '../terminal.ts';

interface CommonOptions extends DatabaseTarget {
  readonly json?: true;
}

const program = new Command('npm run admin --')
  .description(
    'Creates brands and issues their API keys. Uses the local database; with --remote, the deployed one; with --env, that of an environment in wrangler.toml.',
  )
  .showHelpAfterError('(add --help to see the commands and options)');

const brand = program.command('brand').description('create, list and delete brands');
const key = program.command('key').description('issue, list, rotate and revoke API keys');
const tokens = program
  .command('tokens')
  .description('reset the tokens with which clients follow changes (GET ?since=)');

change(brand, 'create <name>', 'create a brand and its first API key (the key is shown only once)')
  .option('--label <text>', 'a name for the key, shown in key list')
  .action(async (name: string, options: CommonOptions & { label?: string }) => {
    const { expiresAt: _, ...made } = await createBrand(openDatabase(options), name, options);
    showNewKey(options, made);
  });

command(brand, 'list', 'list all brands, with the number of their live keys').action(
  async (options: CommonOptions) => {
    const brands = await listBrands(openDatabase(options));
    show(
      options,
      { brands },
      brands.map((summary) => ({ ...summary })),
    );
  },
);

change(
  brand,
  'delete <brandId>',
  'delete a brand with its keys and all that it has (this cannot be undone)',
)
  .option('--yes', "do not ask for the brand's name")
  .action(async (brandId: string, options: CommonOptions & { yes?: true }) => {
    const name = await brandName(openDatabase(options), brandId);
    if (!options.yes) await confirm(name, databaseOf(options));
    await deleteBrand(openDatabase(options), brandId);
    show(options, { deletedBrandId: brandId }, [{ deletedBrandId: brandId, brandName: name }]);
  });

change(key, 'issue <brandId>', 'issue another API key of a brand (the key is shown only once)')
  .option('--label <text>', 'a name for the key, shown in key list')
  .addOption(scopeOption().default('write'))
  .addOption(expiryOption())
  .action(async (brandId: string, options: CommonOptions & KeyOptions) => {
    showNewKey(options, { ...(await issueKey(openDatabase(options), brandId, options)) });
  });

command(
  key,
  'list <brandId>',
  'list the API keys of a brand: which are live, and until when',
).action(async (brandId: string, options: CommonOptions) => {
  const keys = await listKeys(openDatabase(options), brandId);
  show(options, { brandId, keys }, describeKeys(keys));
  const live = keys.filter(({ status }) => status === 'live').length;
  note(`${live} of ${keys.length} keys ${live === 1 ? 'is' : 'are'} live.`);
});

change(
  key,
  'rotate <keyId>',
  'replace an API key with a new one; the old key stays valid for a while (the new key is shown only once)',
)
  .addOption(
    new Option('--overlap <time>', 'how long the old key stays valid, such as 7d or 0s')
      .argParser(parseDuration)
      .default(parseDuration('24h'), '24h'),
  )
  .option('--label <text>', "a name for the new key (default: the old key's)")
  .addOption(scopeOption())
  .addOption(expiryOption())
  .action(async (keyId: string, options: CommonOptions & KeyOptions & { overlap: number }) => {
    const { replacedUntil, ...made } = await rotateKey(
      openDatabase(options),
      keyId,
      options.overlap,
      options,
    );
    showNewKey(options, made);
    note(`The old key is valid until ${replacedUntil}.`);
  });

change(key, 'revoke <keyId>', 'revoke an API key: its next request is refused').action(
  async (keyId: string, options: CommonOptions) => {
    await revokeKey(openDatabase(options), keyId);
    show(options, { revokedKeyId: keyId }, [{ revokedKeyId: keyId }]);
  },
);

change(
  tokens,
  'reset',
  'refuse all tokens issued so far; use it after you restored the database to an earlier time',
)
  .option('--brand <brandId>', 'only the tokens of this brand (default: of all brands)')
  .action(async (options: CommonOptions & { brand?: string }) => {
    const resetBrands = await resetTokens(openDatabase(options), options.brand);
    show(options, { resetBrands }, [{ resetBrands }]);
    note('Clients that send an older token get 410, and start again with since=0.');
  });

command(program, 'audit', 'list the changes made with this tool: when, what, and by whom')
  .option('--brand <brandId>', 'only actions on this brand alone, which may have been deleted')
  .action(async (options: CommonOptions & { brand?: string }) => {
    const entries = await listActs(openDatabase(options), options.brand);
    show(
      options,
      { entries },
      entries.map(({ details, ...entry }) => ({ ...entry, details: describeDetails(details) })),
    );
  });

command(program, 'usage', 'show requests, errors, refusals and D1 rows by key, from Workers Logs')
  .addOption(
    new Option(
      '--days <number>',
      'how many days to look back; Cloudflare keeps 7 (3 on the free plan)',
    )
      .argParser(parseDays)
      .default(7),
  )
  .action(async (options: CommonOptions & { days: number }) => {
    if (!options.remote) {
      throw new AdminError('Cloudflare logs only the deployed service. Add --remote.');
    }
    // Imported only here, because loading wrangler takes longer than the rest of a command.
    const { readUsage } = await import('./usage.ts');
    const { usage, caveat } = await readUsage(openDatabase(options), options);
    show(
      options,
      { days: options.days, usage },
      usage.map(({ brandId: _, keyId, label, ...row }) => ({ ...row, keyId, label })),
    );
    if (caveat !== undefined) note(caveat);
  });

refuseOptionsKeptByNpm('admin', ['remote', 'env']);

let target: CommonOptions = {};
program.hook('preAction', (_, action) => {
  target = action.opts<CommonOptions>();
});
try {
  await program.parseAsync();
  if (!target.json) note(usedDatabase(target));
} catch (error) {
  if (!(error instanceof AdminError)) throw error;
  note(`error: ${error.message}`);
  note(usedDatabase(target));
  process.exitCode = 1;
}

/** Names the database of a command, because the same command without an option uses another one. */
function databaseOf({ remote, env }: CommonOptions): string {
  const place = env ? ` of the environment ${env}` : remote ? " of wrangler.toml's top level" : '';
  return `the ${remote ? 'deployed' : 'local'} database${place}`;
}

/** The line that ends a command. */
function usedDatabase(options: CommonOptions): string {
  const hint = options.remote ? '' : ' Add --remote to use the deployed one.';
  return `This was ${databaseOf(options)}.${hint}`;
}

/** Adds a command that changes something, with the option `--actor`. */
function change(group: Command, usage: string, description: string): Command {
  return command(group, usage, description)
    .option(
      '--actor <name>',
      'who you are, for the audit trail (default: your account on this machine)',
    )
    .hook('preAction', explainInterruption);
}

/** Says what an interruption leaves open: a key that was made, but not shown, or an old one that expires. */
function explainInterruption(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      note(
        'Stopped. See with the list commands whether the change was made: a new key that you have not seen should be revoked, and an old one may expire.',
      );
      process.exit(code);
    });
  }
}

/** Adds a command with the options that all commands share. */
function command(group: Command, usage: string, description: string): Command {
  return group
    .command(usage)
    .description(description)
    .option('--remote', "use the deployed database, with wrangler's login")
    .addOption(
      // wrangler reads the variable too.
      new Option('--env <name>', 'use the database of this environment in wrangler.toml').env(
        'CLOUDFLARE_ENV',
      ),
    )
    .addOption(
      new Option('--persist-to <dir>', 'the folder of the local database').conflicts('remote'),
    )
    .option('--json', 'print one JSON document and nothing else on standard output');
}

function scopeOption(): Option {
  return new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']);
}

function expiryOption(): Option {
  return new Option(
    '--expires-in <time>',
    'how long the key is valid, such as 90d (default: it does not expire)',
  ).argParser(parseDuration);
}

function show(options: CommonOptions, document: unknown, records: readonly Shown[]): void {
  if (options.json) printJson(document);
  else printTable(records);
}

function showNewKey(options: CommonOptions, made: Shown): void {
  show(options, made, [made]);
  note('Store the key now: only its hash is stored, and it cannot be shown again.');
}

function describeDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${printable(String(value))}`)
    .join('\n');
}

/** @throws AdminError unless the operator types the name of the brand; if they press Ctrl+C or Ctrl+D too */
async function confirm(name: string, database: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new AdminError('Without a terminal, deleting a brand requires --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = terminal.question(
    `This deletes ${printable(name)} with its keys and all that it has from ${database}. It cannot be undone. Type the brand's name to continue: `,
  );
  const answer = await question.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  });
  terminal.close();
  if (answer === undefined) throw new AdminError('Nothing was deleted.');
  if (answer.trim() !== name) throw new AdminError('The name does not match. Nothing was deleted.');
}
