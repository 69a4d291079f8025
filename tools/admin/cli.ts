import { createInterface } from 'node:readline/promises';
import { Command, Option } from 'commander';
import { AdminError } from './admin-error.ts';
import { brandName, createBrand, deleteBrand, listBrands } from './brands.ts';
import type { DatabaseTarget } from './database.ts';
import { openDatabase } from './database.ts';
import { parseDuration } from './duration.ts';
import type { KeyOptions } from './keys.ts';
import { issueKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import type { Shown } from './output.ts';
import { note, printJson, printTable } from './output.ts';

interface CommonOptions extends DatabaseTarget {
  readonly json?: true;
}

const program = new Command('npm run admin --')
  .description(
    'Makes brands and issues their API keys, on the local database or, with --remote, on the deployed one: with --env, on that of an environment in wrangler.toml.',
  )
  .showHelpAfterError('(add --help for what there is)');

const brand = program.command('brand').description('make, list and delete brands');
const key = program.command('key').description('issue, list, rotate and revoke API keys');

command(brand, 'create <name>', 'make a brand and its first API key, and show the key: this once')
  .option('--label <text>', "a name for the key, for the operator's own use")
  .action(async (name: string, options: CommonOptions & { label?: string }) => {
    const { expiresAt: _, ...made } = await createBrand(openDatabase(options), name, options);
    showNewKey(options, made);
  });

command(brand, 'list', 'list all brands').action(async (options: CommonOptions) => {
  const brands = await listBrands(openDatabase(options));
  show(
    options,
    { brands },
    brands.map((summary) => ({ ...summary })),
  );
});

command(
  brand,
  'delete <brandId>',
  'delete a brand with its keys, products and coupon codes, for good',
)
  .option('--yes', 'do not ask for the name of the brand')
  .action(async (brandId: string, options: CommonOptions & { yes?: true }) => {
    const name = await brandName(openDatabase(options), brandId);
    if (!options.yes) await confirm(name);
    await deleteBrand(openDatabase(options), brandId);
    show(options, { deletedBrandId: brandId }, [{ deletedBrandId: brandId, brandName: name }]);
  });

command(key, 'issue <brandId>', 'issue a further API key, and show it: this once')
  .option('--label <text>', "a name for the key, for the operator's own use")
  .addOption(scopeOption().default('write'))
  .addOption(expiryOption())
  .action(async (brandId: string, options: CommonOptions & KeyOptions) => {
    showNewKey(options, { ...(await issueKey(openDatabase(options), brandId, options)) });
  });

command(key, 'list <brandId>', 'list the API keys of a brand, by their first characters').action(
  async (brandId: string, options: CommonOptions) => {
    const keys = await listKeys(openDatabase(options), brandId);
    show(
      options,
      { brandId, keys },
      keys.map((summary) => ({ ...summary })),
    );
  },
);

command(key, 'rotate <keyId>', 'issue a key in the place of another, which stays good for a while')
  .option(
    '--overlap <time>',
    'how long the old key stays good',
    parseDuration,
    parseDuration('24h'),
  )
  .option('--label <text>', "a name for the new key (default: the old key's)")
  .addOption(scopeOption())
  .addOption(expiryOption())
  .action(async (keyId: string, options: CommonOptions & KeyOptions & { overlap: number }) => {
    showNewKey(options, {
      ...(await rotateKey(openDatabase(options), keyId, options.overlap, options)),
    });
  });

command(key, 'revoke <keyId>', 'end an API key, from its next request on').action(
  async (keyId: string, options: CommonOptions) => {
    await revokeKey(openDatabase(options), keyId);
    show(options, { revokedKeyId: keyId }, [{ revokedKeyId: keyId }]);
  },
);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof AdminError)) throw error;
  note(`error: ${error.message}`);
  process.exitCode = 1;
}

/** A command with the options that all of them have. */
function command(group: Command, usage: string, description: string): Command {
  return group
    .command(usage)
    .description(description)
    .option('--remote', "work on the deployed database, with wrangler's login")
    .option('--env <name>', 'the environment in wrangler.toml, staging say, whose database it is')
    .addOption(
      new Option('--persist-to <dir>', 'the folder of the local database').conflicts('remote'),
    )
    .option('--json', 'print one JSON document and nothing else on standard output');
}

function scopeOption(): Option {
  return new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']);
}

function expiryOption(): Option {
  return new Option('--expires-in <time>', 'when the key ends, 90d say (default: never)').argParser(
    parseDuration,
  );
}

function show(options: CommonOptions, document: unknown, records: readonly Shown[]): void {
  if (options.json) printJson(document);
  else printTable(records);
}

function showNewKey(options: CommonOptions, made: Shown): void {
  show(options, made, [made]);
  note('Keep the key now: only its hash is stored, and it cannot be shown again.');
}

/** @throws AdminError unless the operator types the name of the brand */
async function confirm(name: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new AdminError('Deleting a brand needs --yes where nobody can be asked.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    `This deletes ${name} with its keys, products and coupon codes, for good. Type its name to go on: `,
  );
  terminal.close();
  if (answer.trim() !== name) throw new AdminError('That is not its name. Nothing was deleted.');
}
