import type { Command } from 'commander';
import { Option } from 'commander';
import { createDatabase, nextDatabase } from '../database/add.ts';
import { Failure } from '../../../common/failure.ts';
import type { Databases } from '../home/databases.ts';
import { FULL, readSize } from '../home/databases.ts';
import { findMisplaced } from '../move/check.ts';
import { note } from '../../../common/terminal/note.ts';
import { onDatabases } from '../database/on-databases.ts';
import { command, show, showDone } from './command.ts';
import { confirm } from './confirm.ts';

export function addDatabaseCommands(program: Command, databases: Databases): void {
  const { configuration } = databases;
  const database = program
    .command('database')
    .description(
      databases.hasSeveral
        ? 'list and add databases, over which brands are spread'
        : 'show how much the database has, or add another one',
    );

  command(
    database,
    'list',
    'list the databases: their size, as a share of 8 GB, and their brands',
  ).action(async (options) => {
    const names = new Map(
      (await configuration.databases(options)).map(({ number, name }) => [number, name]),
    );
    const jurisdictions = await configuration.jurisdictions(options);
    const sizes = await onDatabases(await databases.all(options), readSize);
    const found = sizes.map(({ database: { number }, bytes, ...counts }) => ({
      number,
      name: names.get(number) ?? '',
      jurisdiction: jurisdictions.get(number) ?? null,
      bytes,
      share: Number((bytes / FULL).toFixed(4)),
      ...counts,
    }));
    const rows = found.map(({ share, movedAway, ...row }) => ({
      ...row,
      share: `${(share * 100).toFixed(1)} %`,
      ...(databases.hasSeveral && { movedAway }),
    }));
    await show(options, { databases: found }, rows);
  });

  if (databases.hasSeveral) {
    command(
      database,
      'check',
      'find brands that are at home in several databases or in none, or that are being moved',
    ).action(async (options) => {
      const misplaced = await findMisplaced(await databases.all(options));
      const rows = misplaced.flatMap(({ databases: places, ...brand }) =>
        places.map((place) => ({ ...brand, ...place })),
      );
      await show(options, { brands: misplaced }, rows);
      if (misplaced.length > 0) throw new Failure('See docs/many-databases.md for what to do.');
    });
  }

  command(
    database,
    'add',
    'create the next database at Cloudflare, bind it in wrangler.toml, and apply the migrations to it',
  )
    .addOption(
      new Option('--jurisdiction <name>', 'where its data stays for ever').choices([
        'eu',
        'us',
        'fedramp',
      ]),
    )
    .addOption(
      new Option('--location <name>', 'where its primary is')
        .choices(['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'])
        .conflicts('jurisdiction'),
    )
    .option('--yes', 'do not ask')
    .action(async (options) => {
      if (!options.remote) throw new Failure('Databases are created at Cloudflare. Add --remote.');
      const added = nextDatabase(options, await configuration.databases(options));
      const { number, name } = added;
      for (const line of ['At the end of wrangler.toml:', ...added.lines('…')]) note(line);
      if (!options.yes) {
        await confirm({
          text: `This creates the database ${name} at Cloudflare, and adds these lines. Type yes to continue: `,
          answer: 'yes',
          withoutTerminal: 'Without a terminal, adding a database requires --yes.',
          notDone: 'Nothing was created.',
        });
      }
      const databaseId = await createDatabase(options, added, options);
      await showDone(options, { number, name, databaseId });
      const target = options.env ? ` -- --env ${options.env}` : '';
      note(
        `Commit wrangler.toml, and deploy before you create a brand: npm run deploy${target}. Until then, the service does not know keys of database ${number}.`,
      );
    });
}
