import type { Command } from 'commander';
import { Option } from 'commander';
import { COLLECTION_OPTION } from '../service/collections.ts';
import { COLLECTIONS, matchFieldsOf } from '../../fields.ts';
import { currencyCode } from '../option-values.ts';
import { listOf } from '../../../../common/list-of.ts';
import { storeNamed } from '../../stores/stores.ts';
import type { Store } from '../../stores/store.ts';
import { UsageError } from '../../../../common/failure.ts';
import type { Content, ReadOptions } from '../../stores/source.ts';

export interface SourceFlags extends ReadOptions {
  /** The name of a store. */
  readonly from?: string;
}

/** A command on a file or a store. `Pick` makes a type of an interface, as commander requires. */
type SourceCommand = Command<[file: string | undefined], Pick<SourceFlags, keyof SourceFlags>>;

export function withSource(command: Command, stores: readonly Store[]): SourceCommand {
  // Where and who, in the words of each store.
  const environment = stores.map(
    ({ title, variables }) => `${title} by ${variables.map(({ name }) => name).join(', ')}`,
  );
  return command
    .argument('[file]', 'the file to read; - is standard input')
    .addOption(
      new Option(
        '--from <store>',
        `read the store itself, which the environment names: ${environment.join('; ')}`,
      ).choices(stores.map(({ name }) => name)),
    )
    .addOption(COLLECTION_OPTION)
    .option('--match <field>', 'the field that identifies a resource; stores have one by default')
    .option(
      '--currency <code>',
      "the currency of the prices in a store's file; by default USD",
      currencyCode,
    )
    .option(
      '--whole',
      'the file is complete though its last line has no end, or it is as long as a page',
    )
    .option('--decimal-comma', "the numbers in a store's file are written 1.299,00")
    .addOption(
      new Option(
        '--variants <which>',
        'the variants of a store that become products; `first` adds up their inventory',
      ).choices(['all', 'first']),
    );
}

/** Returns an option that needs a file. */
function forFiles({ currency, whole, decimalComma }: SourceFlags): string | undefined {
  if (currency !== undefined) return '--currency';
  if (whole !== undefined) return '--whole';
  return decimalComma === undefined ? undefined : '--decimal-comma';
}

/** Returns an option that needs products of a store. */
function forStoreProducts({ currency, variants }: SourceFlags): string | undefined {
  if (currency !== undefined) return '--currency';
  return variants === undefined ? undefined : '--variants';
}

/** @throws UsageError unless the options name one source, and each of them can have an effect */
export function checkSource(
  path: string | undefined,
  options: SourceFlags,
  stores: readonly Store[],
): void {
  const { collection, from, match } = options;
  if ((path === undefined) === (from === undefined)) {
    throw new UsageError(
      `${path === undefined ? 'What is to be read?' : 'Only one source can be read.'} Name a file, or - for standard input, or use --from with ${listOf(
        stores.map(({ name }) => name),
        'disjunction',
      )}.`,
    );
  }
  const ofFile = forFiles(options);
  if (from !== undefined && ofFile !== undefined) {
    throw new UsageError(`${ofFile} cannot be used with --from: the store says this itself.`);
  }
  const store = from === undefined ? undefined : storeNamed(stores, from);
  const { nouns } = COLLECTIONS[collection];
  if (store?.collections.includes(collection) === false) {
    const has = store.collections.map((name) => COLLECTIONS[name].nouns);
    throw new UsageError(
      `--from ${store.name} reads ${listOf(has, 'conjunction')}, and no ${nouns}.`,
    );
  }
  const flag = forStoreProducts(options);
  if (flag !== undefined && collection !== 'products') {
    throw new UsageError(`${flag} is for products, and not for ${nouns}.`);
  }
  const matches = matchFieldsOf(collection);
  if (match !== undefined && !matches.includes(match)) {
    throw new UsageError(`--match is one of ${matches.join(', ')} for ${nouns}.`);
  }
}

/** @throws UsageError if an option has no effect on what was read */
export function checkContent({ isOfStore, format, items }: Content, options: SourceFlags): void {
  const flag = forStoreProducts(options) ?? (options.decimalComma ? '--decimal-comma' : undefined);
  if (isOfStore || items.length === 0 || flag === undefined) return;
  const what = format === 'csv' ? 'CSV with the names of the fields' : 'JSON';
  throw new UsageError(`${flag} is for exports of stores, and this file is ${what}.`);
}
