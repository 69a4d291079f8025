import type { Command } from 'commander';
import { DEBUG_OPTION, URL_OPTION } from '../../service/connection.ts';
import { COLLECTIONS, matchFieldsOf } from '../../../fields.ts';
import { FIELDS } from '../../../fields.ts';
import { checkContent, checkSource, withSource } from '../../sources/source-flags.ts';
import type { CommandContext } from '../../context.ts';
import { fieldNames, fieldValues, maxAge, maximum, pastTime } from '../../option-values.ts';
import { Failure, UsageError } from '../../../../../common/failure.ts';
import type { Content } from '../../../stores/source.ts';
import type { Store } from '../../../stores/store.ts';

export type SyncFlags = ReturnType<ReturnType<typeof withFlags>['opts']>;

export function asSync(
  command: Command,
  stores: readonly Store[],
  run: (path: string | undefined, options: SyncFlags) => Promise<void>,
): void {
  withFlags(command, stores).action(run);
}

// Its type is that of the declarations.
function withFlags(command: Command, stores: readonly Store[]) {
  return withSource(command, stores)
    .addOption(URL_OPTION)
    .addOption(DEBUG_OPTION)
    .option(
      '--keep <FIELD,…>',
      'fields that a resource keeps if it exists; a new one gets them from the source',
      fieldNames,
    )
    .option('--delete', 'delete what the source lacks, unless it is more than --max-delete')
    .option(
      '--max-delete <N|N%>',
      'with --delete: at most so many, or this share; by default 10 or 10%, whichever is more, but never more than half',
      maximum,
    )
    .option(
      '--only <FIELD=VALUE>',
      'with --delete: delete only resources with this value; several of one field mean any of them',
      fieldValues,
    )
    .option(
      '--read-at <time>',
      'when the file was read from the store: what was changed after it is not deleted; by default the time of the file',
      pastTime,
    )
    .option(
      '--max-age <age>',
      'change nothing if the file is older, such as 26h (s, m, h, d): the export may have stopped',
      maxAge,
    )
    .option('--record', "write to the brand's connection when it was synced, or what went wrong")
    .option('--new-store', "with --record, for once: the brand's store has moved, or was rebuilt")
    .option('--new-currency', 'the prices of the store are in another currency from now on')
    .option('--dry-run', 'print each creation, change and deletion, and change nothing')
    .option('--verbose', 'print all of a kind in the report, and not twenty')
    .option('--json', 'print one JSON document, whatever happens');
}

/** @throws UsageError if an option cannot be used, or has no effect, or npm took one for itself */
export function checkSyncFlags(
  path: string | undefined,
  options: SyncFlags,
  { env, stores }: CommandContext,
): void {
  const { collection, from, match, keep = [], maxAge: most, newStore, only, readAt } = options;
  const { nouns } = COLLECTIONS[collection];
  const refuse = (isWrong: boolean | undefined, sentence: string): void => {
    if (isWrong) throw new UsageError(sentence);
  };
  // Without `--` before it, npm takes the option for its own, and the command would change the service.
  const isTakenByNpm = env['npm_config_dry_run'] === 'true' && !options.dryRun;
  refuse(isTakenByNpm, 'npm kept --dry-run for itself. Write npx instead of npm exec.');
  checkSource(path, options, stores);
  const needsDeletion = 'needs --delete: without it, nothing is deleted.';
  refuse(!options.delete && options.maxDelete !== undefined, `--max-delete ${needsDeletion}`);
  refuse(!options.delete && only !== undefined, `--only ${needsDeletion}`);
  refuse(newStore && !options.record, '--new-store needs --record, which writes its name.');
  refuse(
    newStore && options.delete,
    '--new-store cannot be used with --delete: look at what the new store brings first.',
  );
  refuse(newStore && from === undefined, '--new-store needs --from: a file names no store.');
  const usesTime = options.delete ?? options.record ?? most !== undefined;
  refuse(readAt && !usesTime, '--read-at needs --delete, --max-age or --record.');
  const hasTime = readAt !== undefined || (path !== undefined && path !== '-');
  const what = path === '-' ? 'standard input' : 'a store';
  refuse(most && !hasTime, `--max-age needs --read-at: ${what} has no time of its own.`);
  refuse(
    options.newCurrency && collection !== 'products',
    '--new-currency is for products, and not for coupon codes.',
  );
  const fields = FIELDS[collection];
  const expectIn = (known: typeof fields, flag: string, name: string): void => {
    const isKnown = known.some((field) => field.name === name);
    refuse(!isKnown, `${flag} ${name}: ${nouns} have no such field.`);
  };
  for (const field of only?.keys() ?? []) expectIn(fields, '--only', field);
  // What only the service writes never changes.
  const writable = fields.filter(({ kind }) => kind !== 'readOnly');
  for (const name of keep) expectIn(writable, '--keep', name);
  refuse(
    keep.includes('currencyCode') && !keep.includes('priceCents'),
    '--keep currencyCode needs priceCents too: a number in another currency is another price.',
  );
  if (match !== undefined) checkKeep(match, options);
}

/**
 * Returns the field to match by.
 * @throws UsageError if it is not known, or an option does not suit the content; Failure if the file has nothing
 */
export function checkedMatch(content: Content, options: SyncFlags): string {
  const { match, items, skipped } = content;
  const { nouns } = COLLECTIONS[options.collection];
  checkContent(content, options);
  if (match === undefined && items.length + skipped.length === 0) {
    throw new Failure(`The file has no ${nouns}: nothing was changed. Check where it comes from.`);
  }
  if (match === undefined) {
    const fields = matchFieldsOf(options.collection).join(', ');
    throw new UsageError(`Which field identifies ${nouns}? Use --match with one of ${fields}.`);
  }
  checkKeep(match, options);
  if (options.newCurrency && !content.isOfStore) {
    throw new UsageError('--new-currency is for stores and their files, and this file is none.');
  }
  return match;
}

function checkKeep(match: string, { keep = [] }: SyncFlags): void {
  if (keep.includes(match)) {
    throw new UsageError(`--keep ${match}: it is the field to match by, so it never changes.`);
  }
}
