import { Command, CommanderError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { BrandApiError } from '../index.ts';
import { allNouns, COLLECTION_OPTION } from './service/collections.ts';
import { follow } from './follow/follow.ts';
import { list, LIST_FORMATS } from './commands/list.ts';
import { read } from './commands/read.ts';
import { asSync } from './commands/sync/flags.ts';
import { sync } from './commands/sync/sync.ts';
import { whoami } from './commands/whoami.ts';
import { DEBUG_OPTION, URL_OPTION } from './service/connection.ts';
import { withSource } from './sources/source-flags.ts';
import { sayBug, sayError, secretsIn, sentenceOf, STOPPED } from './messages.ts';
import type { Run, CommandContext } from './context.ts';
import { ClosedOutput } from './terminal/output.ts';
import { refuseOptionAsValue } from '../../../common/terminal/option-as-value.ts';
import { harmlessErrors, withoutKeys } from '../../../common/terminal/printable.ts';
import { fieldValues, seconds } from './option-values.ts';
import { EXIT, UsageError } from '../../../common/failure.ts';
import { storesWithFiles } from '../stores/stores.ts';

const ABOUT = `
Set BRAND_API_URL to the address of the service and BRAND_API_KEY to your API key.
The exit code is 0 if all is done, 1 if something is not, and 2 after a mistake in the options.`;

const FILES = `A file is recognized by its content: this API's fields as JSON, NDJSON or CSV, or what ${storesWithFiles()} exports.`;

/** Runs the command to its end. @returns the exit code */
export async function runCommand(
  words: readonly string[],
  given: Omit<CommandContext, 'secrets'>,
): Promise<number> {
  const context = { ...given, secrets: secretsIn(given) };
  const { stdout, stderr, signal } = context;
  // A failed write is reported to the one who writes.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const fail = (sentence: string, code: number): number => {
    sayError(context, sentence);
    return code;
  };
  let code: number = EXIT.done;
  const program = programOf(context, (work) => async (...options) => {
    code = await work(context, ...options);
  });
  try {
    refuseKeys(words);
    refuseOptionAsValue(program, words);
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof UsageError) return fail(error.message, error.exitCode);
    // The reader has what it wants.
    if (error instanceof ClosedOutput) return EXIT.done;
    const isStopped = signal.aborted && !(error instanceof BrandApiError);
    if (!isStopped) sayBug(context, error);
    return fail(isStopped ? STOPPED : sentenceOf(error), EXIT.failed);
  }
}

/** The name of an option that somebody might expect to take a key. */
const KEY_OPTION = /^--?(?:api-?)?key(?:=|$)/i;

/** @throws UsageError, which does not repeat the key, if a key is on the command line */
function refuseKeys(words: readonly string[]): void {
  if (words.some((word) => KEY_OPTION.test(word) || withoutKeys(word) !== word)) {
    throw new UsageError(
      'Set the environment variable BRAND_API_KEY to the key, and leave it out of the command: other users of a machine see its commands.',
    );
  }
}

function programOf(context: CommandContext, run: Run): Command {
  const program = new Command('brand-integration')
    .description(
      `Keeps a brand's ${allNouns('conjunction')} in step with the Brand Integration API.`,
    )
    .version(manifest.version)
    .addHelpText('after', ABOUT)
    .configureOutput({
      ...harmlessErrors,
      writeOut: (text) => void context.stdout.write(text),
      // Commander repeats what somebody wrote.
      writeErr: (text) => void context.stderr.write(context.secrets.hide(text)),
    })
    .showHelpAfterError('(add --help to see the options)')
    .exitOverride();

  program
    .command('whoami')
    .description('Print the brand of the key, and its connection to a store.')
    .addOption(URL_OPTION)
    .addOption(DEBUG_OPTION)
    .option('--json', 'print one JSON document')
    .action(run(whoami));

  program
    .command('list')
    .description(`Print the ${allNouns('disjunction')} that the service has.`)
    .addOption(URL_OPTION)
    .addOption(DEBUG_OPTION)
    .addOption(COLLECTION_OPTION)
    .option(
      '--where <FIELD=VALUE>',
      'only those with this value; several of one field mean any of them',
      fieldValues,
    )
    .addOption(
      new Option('--format <format>', 'how to print them').choices(LIST_FORMATS).default('ndjson'),
    )
    .action(run(list));

  asSync(
    program.command('sync').description(`Make the service equal to a file or a store. ${FILES}`),
    context.stores,
    run(sync),
  );

  withSource(program.command('read'), context.stores)
    .description(
      `Print the items that a sync would take, one JSON object a line, and on standard error what it would skip. ${FILES}`,
    )
    .action(run(read));

  program
    .command('follow')
    .description(
      'Print what changed since the last run, one JSON object a line: {"changed": {…}} or {"deleted": "<id>"}, or give it to a program. A line may come twice, and none is lost.',
    )
    .addOption(URL_OPTION)
    .addOption(DEBUG_OPTION)
    .addOption(COLLECTION_OPTION)
    .requiredOption('--state <file>', 'the file that keeps the place between two runs')
    .option(
      '--exec <command>',
      'give each page of lines to the standard input of a program, which the shell runs; unless it exits with 0, they come again',
    )
    .option('--every <seconds>', 'go on, with this pause, until it is interrupted', seconds)
    .option('--reset', 'start again with all resources')
    .action(run(follow));

  return program;
}
