import { Command, CommanderError } from 'commander';
import { note } from '../../common/terminal/note.ts';
import { refuseOptionAsValue } from '../../common/terminal/option-as-value.ts';
import { harmlessErrors } from '../../common/terminal/printable.ts';
import { EXIT, Failure } from '../../common/failure.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBrandCommands } from './commands/brand.ts';
import type { CommonOptions } from './commands/command.ts';
import { databaseOf, isChange, usesDatabase } from './commands/command.ts';
import { addDatabaseCommands } from './commands/database.ts';
import { beginInterruptionNotice, endInterruptionNotice } from './commands/interruption.ts';
import { addKeyCommands } from './commands/key.ts';
import { addStatusCommand } from './commands/status.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { configured } from './database/configuration.ts';
import type { DatabaseOpener } from './home/databases.ts';
import { Databases } from './home/databases.ts';

/** Creates the admin tool with all its commands. */
export function adminProgram(databases: Databases): Command {
  const program = new Command('brand-admin')
    .description(
      'Creates brands and issues their API keys, and looks after the service. Uses the local database; with --remote, the deployed one; with --remote --env, that of an environment in wrangler.toml.',
    )
    .showHelpAfterError('(add --help to see the commands and options)')
    .configureOutput(harmlessErrors)
    .exitOverride();
  addBrandCommands(program, databases);
  addKeyCommands(program, databases);
  addTokenCommands(program, databases);
  addAuditCommand(program, databases);
  addDatabaseCommands(program, databases);
  addStatusCommand(program, databases);
  addVerifyCommand(program);
  return program;
}

/**
 * Runs one command of the admin tool. It prints what the command did or found, and why it failed.
 * @param words the command with its arguments and options
 * @param open opens the database that the options name
 * @param configuration which databases there are
 * @returns the exit code
 * @throws every error that is no Failure: a bug
 */
export async function runAdmin(
  words: readonly string[],
  open: DatabaseOpener,
  configuration = configured,
): Promise<number> {
  let target: CommonOptions | undefined;
  const databases = new Databases(open, configuration);
  const program = adminProgram(databases).hook('preAction', (_, action) => {
    if (usesDatabase(action)) target = action.opts();
    if (isChange(action)) beginInterruptionNotice();
  });
  try {
    refuseOptionAsValue(program, words);
    await program.parseAsync(words, { from: 'user' });
    if (target !== undefined && !target.json) note(usedDatabase(target, databases));
    return EXIT.done;
  } catch (error) {
    // It has already said what is wrong, or shown its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof Failure)) throw error;
    note(`error: ${error.message}`);
    if (target !== undefined) note(usedDatabase(target, databases));
    return error.exitCode;
  } finally {
    endInterruptionNotice();
  }
}

/** The line that ends a command. */
function usedDatabase(options: CommonOptions, databases: Databases): string {
  const isOne = databases.used.length < 2;
  const hint = options.remote ? '' : ` Add --remote to use the deployed ${isOne ? 'one' : 'ones'}.`;
  return `${isOne ? 'This was' : 'These were'} ${databaseOf(options, databases)}.${hint}`;
}
