import type { SyncReport } from '../../index.ts';
import { SyncError } from '../../index.ts';
import { storedKey } from '../../stored.ts';
import type { AnyResource } from '../collections.ts';
import { collectionOf } from '../collections.ts';
import type { ConnectionOptions } from '../connection.ts';
import { connect } from '../connection.ts';
import { EXIT, sentenceOf, UsageError } from '../failure.ts';
import type { CollectionName } from '../files/fields.ts';
import { COLLECTIONS, FILE_FIELDS, MATCHES } from '../files/fields.ts';
import type { ReadOptions, StoreFile } from '../files/read-file.ts';
import { readFile } from '../files/read-file.ts';
import { readInput } from '../input.ts';
import { harmless, sayError } from '../secrets.ts';
import type { Surroundings } from '../surroundings.ts';
import { ClosedOutput, write } from '../terminal/output.ts';
import { progressBar } from '../../../../common/terminal/progress-bar.ts';
import type { FieldValue } from '../where.ts';
import { valuesByField } from '../where.ts';
import { jsonReport, textReport } from './sync-report.ts';

/** The variants of an export that become products. */
export const VARIANT_CHOICES = ['all', 'first'] as const;

/** The options of `sync`. */
export interface SyncOptions
  extends ConnectionOptions, Pick<ReadOptions, 'currency' | 'decimalComma' | 'variants'> {
  readonly collection: CollectionName;
  readonly match?: string;
  readonly delete?: boolean;
  readonly maxDelete?: number | `${number}%`;
  readonly only?: readonly FieldValue[];
  readonly readAt?: Date;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Makes the service equal to a file, and prints a report. */
export async function sync(
  around: Surroundings,
  path: string,
  options: SyncOptions,
): Promise<number> {
  checkOptions(options, around);
  const { client } = connect(around, options);
  const { bytes, time } = await readInput(path, around);
  const file = readFile(bytes, options);
  const match = matchOf(file, options);
  const ownership = new Ownership(file, match, options, around.signal);
  const bar = progressBar(COLLECTIONS[options.collection].nouns, around.stderr);
  bar.start(file.items.length, 0);
  const { report, failure } = await attempt(() =>
    collectionOf(client, options.collection).sync(file.items, {
      match,
      dryRun: options.dryRun,
      deleteMissing: options.delete === true && {
        max: file.hasUnclearRows ? 0 : options.maxDelete,
        readAt: options.readAt ?? time,
      },
      owned: (resource) => ownership.has(resource),
      onProgress: ({ done, total }) => {
        bar.setTotal(total);
        bar.update(done);
      },
    }),
  ).finally(() => {
    bar.stop();
  });
  const error = failure === undefined ? undefined : sentenceOfEnd(failure, around.signal);
  const noun = COLLECTIONS[options.collection].nouns;
  const notes = [...file.notes, ...ownership.notes(noun)];
  const outcome = { file, report, options, owned: ownership.count, noun, notes, error };
  const text = options.json ? jsonReport(outcome) : textReport(outcome);
  // Nobody has to read it: the exit code says whether all is done.
  await write(around.stdout, harmless(around, text)).catch(ignoreClosedOutput);
  if (error !== undefined) sayError(around, error);
  const isDone =
    failure === undefined &&
    !file.hasUnclearRows &&
    file.skipped.length + report.refused.length + report.withheld === 0;
  return isDone ? EXIT.done : EXIT.failed;
}

/** Says why a sync ended early. */
function sentenceOfEnd(failure: unknown, { aborted }: AbortSignal): string {
  return aborted ? 'Stopped before the end. Run it again to continue.' : sentenceOf(failure);
}

/** Options that need another one, or an export, to have an effect. */
const WITH_DELETE = [
  ['maxDelete', '--max-delete'],
  ['only', '--only'],
  ['readAt', '--read-at'],
] as const;
const FOR_EXPORTS = [
  ['currency', '--currency'],
  ['decimalComma', '--decimal-comma'],
  ['variants', '--variants'],
] as const;

/** @throws UsageError if an option has no effect, or npm kept one */
function checkOptions(options: SyncOptions, { env }: Surroundings): void {
  // Without `--` before it, npm takes the option for its own, and the command would change the service.
  if (env['npm_config_dry_run'] === 'true' && !options.dryRun) {
    throw new UsageError('npm kept --dry-run for itself. Write npx instead of npm exec.');
  }
  for (const [name, flag] of WITH_DELETE) {
    if (options[name] !== undefined && !options.delete) {
      throw new UsageError(`${flag} needs --delete: without it, nothing is deleted.`);
    }
  }
  const { collection, match } = options;
  const matches: readonly string[] = MATCHES[collection];
  if (match !== undefined && !matches.includes(match)) {
    throw new UsageError(`--match is one of ${matches.join(', ')}.`);
  }
  for (const { field } of options.only ?? []) {
    if (!FILE_FIELDS[collection].some(({ name }) => name === field)) {
      throw new UsageError(`--only ${field}: ${COLLECTIONS[collection].nouns} have no such field.`);
    }
  }
}

/** Returns the field to match by. @throws UsageError if it is not known, or an option is only for exports */
function matchOf({ source, match, format }: StoreFile, options: SyncOptions): string {
  if (source === undefined) {
    for (const [name, flag] of FOR_EXPORTS) {
      if (options[name] !== undefined) {
        const what = format === 'csv' ? 'CSV with the names of the fields' : 'JSON';
        throw new UsageError(`${flag} is for exports of stores, and this file is ${what}.`);
      }
    }
  }
  if (match !== undefined) return match;
  throw new UsageError(
    `Which field identifies ${COLLECTIONS[options.collection].nouns}? Use --match with one of ${MATCHES[options.collection].join(', ')}.`,
  );
}

/** The resources for which a file is responsible: with `--delete`, those of them that it does not have are deleted. */
class Ownership {
  readonly #match: string;
  readonly #source: string | undefined;
  readonly #only: ReadonlyMap<string, readonly string[]>;
  readonly #skipped: ReadonlySet<string>;
  readonly #signal: AbortSignal;
  /** Their ids, because a list that breaks off is read again. */
  readonly #ids = new Set<unknown>();
  /** Whether the service has resources, and some with the values of `--only`. */
  #hasAny = false;
  #hasOnly = false;

  constructor(file: StoreFile, match: string, { only }: SyncOptions, signal: AbortSignal) {
    this.#match = match;
    this.#source = file.source;
    this.#only = valuesByField(only);
    const keys = file.skipped.flatMap(({ key }) => key ?? []);
    this.#skipped = new Set(keys.map((key) => storedKey(key, match)));
    this.#signal = signal;
  }

  /** The number of resources that were found. */
  get count(): number {
    return this.#ids.size;
  }

  /** Says that `--only` finds nothing, which may be a mistake in its spelling. */
  notes(noun: string): string[] {
    if (!this.#hasAny || this.#hasOnly) return [];
    const values = [...this.#only].map(([field, each]) => `${field}=${each.join(' or ')}`);
    return [`The service has no ${noun} with ${values.join(' and ')} (--only): none is deleted.`];
  }

  /** @throws the reason of the signal: while the list is read, nothing has been done */
  has(resource: AnyResource): boolean {
    this.#signal.throwIfAborted();
    const key = resource[this.#match];
    const isOnly = [...this.#only].every(([field, values]) =>
      values.includes(String(resource[field])),
    );
    this.#hasAny = true;
    this.#hasOnly ||= isOnly;
    const isOwned =
      isOnly &&
      (this.#source === undefined || resource['source'] === this.#source) &&
      // The file has it, though it cannot be read.
      !(typeof key === 'string' && this.#skipped.has(storedKey(key, this.#match)));
    if (isOwned) this.#ids.add(resource['id']);
    return isOwned;
  }
}

/** Returns the report of a sync, and why it ended early if it did. @throws what ends it before it has done anything */
async function attempt(
  work: () => Promise<SyncReport>,
): Promise<{ readonly report: SyncReport; readonly failure?: unknown }> {
  try {
    return { report: await work() };
  } catch (error) {
    if (error instanceof SyncError) return { report: error.report, failure: error.cause };
    throw error;
  }
}

function ignoreClosedOutput(error: unknown): void {
  if (!(error instanceof ClosedOutput)) throw error;
}
