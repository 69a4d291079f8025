import type { Command } from 'commander';
import { Option } from 'commander';
import type { ConnectionFlags } from '../../service/connection.ts';
import { urlOption } from '../../service/connection.ts';
import { COLLECTIONS, FILE_FIELDS, MATCHES } from '../../../stores/fields.ts';
import type { SourceCommand, SourceFlags } from '../../sources/source-options.ts';
import { checkContent, checkSource, withSource } from '../../sources/source-options.ts';
import type { Surroundings } from '../../surroundings.ts';
import type { MaxAge } from '../../values.ts';
import { fieldNames, maxAge, maximum, pastTime } from '../../values.ts';
import type { FieldValue } from '../../where.ts';
import { fieldValues } from '../../where.ts';
import { Failure, UsageError } from '../../../stores/failure.ts';
import type { Content } from '../../../stores/source.ts';

export interface SyncFlags extends ConnectionFlags, SourceFlags {
  readonly keep?: readonly string[];
  readonly delete?: true;
  readonly maxDelete?: number | `${number}%`;
  readonly only?: readonly FieldValue[];
  readonly readAt?: Date;
  readonly maxAge?: MaxAge;
  readonly record?: true;
  readonly newStore?: true;
  readonly newCurrency?: true;
  readonly dryRun?: true;
  readonly verbose?: true;
  readonly json?: true;
}

export function withSyncFlags(command: Command): SourceCommand<SyncFlags> {
  return withSource(command)
    .addOption(urlOption())
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
    .addOption(
      new Option(
        '--new-store',
        "with --record: the brand's store is another one from now on",
      ).conflicts('delete'),
    )
    .option('--new-currency', 'the prices of the store are in another currency from now on')
    .option('--dry-run', 'print each creation, change and deletion, and change nothing')
    .option('--verbose', 'print all of a kind in the report, and not twenty')
    .option('--json', 'print one JSON document, whatever happens');
}

/** @throws UsageError if an option has no effect without another one */
function checkNeeds(options: SyncFlags): void {
  const { maxDelete, only, newStore, readAt, maxAge, record, delete: deletes } = options;
  const expect = (isMet: boolean, flag: string, needed: string): void => {
    if (!isMet) throw new UsageError(`${flag} needs ${needed}.`);
  };
  const deletion = '--delete: without it, nothing is deleted';
  expect(maxDelete === undefined || deletes === true, '--max-delete', deletion);
  expect(only === undefined || deletes === true, '--only', deletion);
  expect(!newStore || record === true, '--new-store', '--record, which writes its name');
  const hasUse = deletes ?? record ?? maxAge;
  expect(!readAt || hasUse !== undefined, '--read-at', '--delete, --max-age or --record');
}

/** @throws UsageError if an option cannot be used, or has no effect, or npm kept one */
export function checkSyncFlags(
  path: string | undefined,
  options: SyncFlags,
  { env }: Surroundings,
): void {
  // Without `--` before it, npm takes the option for its own, and the command would change the service.
  if (env['npm_config_dry_run'] === 'true' && !options.dryRun) {
    throw new UsageError('npm kept --dry-run for itself. Write npx instead of npm exec.');
  }
  checkSource(path, options);
  checkNeeds(options);
  if (options.newStore && options.from === undefined) {
    throw new UsageError('--new-store needs --from: a file names no store.');
  }
  if (options.newCurrency && options.collection !== 'products') {
    throw new UsageError('--new-currency is for products, and not for coupon codes.');
  }
  const hasTime = options.readAt !== undefined || (path !== undefined && path !== '-');
  if (options.maxAge !== undefined && !hasTime) {
    const what = path === '-' ? 'standard input' : 'a store';
    throw new UsageError(`--max-age needs --read-at: ${what} has no time of its own.`);
  }
  const { collection, match, keep = [], only = [] } = options;
  const fields = FILE_FIELDS[collection];
  const expectIn = (known: typeof fields, flag: string, name: string): void => {
    if (known.some((field) => field.name === name)) return;
    throw new UsageError(`${flag} ${name}: ${COLLECTIONS[collection].nouns} have no such field.`);
  };
  for (const { field } of only) expectIn(fields, '--only', field);
  // What only the service writes never changes.
  const writable = fields.filter(({ kind }) => kind !== 'readOnly');
  for (const name of keep) expectIn(writable, '--keep', name);
  if (keep.includes('currencyCode') && !keep.includes('priceCents')) {
    throw new UsageError(
      '--keep currencyCode needs priceCents too: a number in another currency is another price.',
    );
  }
  if (match !== undefined) checkKept(match, options);
}

/**
 * Returns the field to match by.
 * @throws UsageError if it is not known, or an option does not suit the content; Failure if the file has nothing
 */
export function checkedMatch(content: Content, options: SyncFlags): string {
  const { match, items, skipped } = content;
  checkContent(content, options);
  if (match === undefined) {
    if (items.length + skipped.length === 0) {
      const { nouns } = COLLECTIONS[options.collection];
      throw new Failure(
        `The file has no ${nouns}: nothing was changed. Check where it comes from.`,
      );
    }
    throw new UsageError(
      `Which field identifies ${COLLECTIONS[options.collection].nouns}? Use --match with one of ${MATCHES[options.collection].join(', ')}.`,
    );
  }
  checkKept(match, options);
  if (options.newCurrency && !content.isOfStore) {
    throw new UsageError('--new-currency is for stores and their files, and this file is none.');
  }
  return match;
}

function checkKept(match: string, { keep = [] }: SyncFlags): void {
  if (keep.includes(match)) {
    throw new UsageError(`--keep ${match}: it is the field to match by, so it never changes.`);
  }
}
