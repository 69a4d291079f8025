import { progressBar } from '../../../../../common/terminal/progress-bar.ts';
import type { SyncProgress } from '../../../index.ts';
import { SyncError } from '../../../index.ts';
import { collectionOf } from '../../service/collections.ts';
import { readProfile } from '../../service/profile.ts';
import { connect } from '../../service/connection.ts';
import { COLLECTIONS } from '../../../stores/fields.ts';
import { harmless, sayError } from '../../secrets.ts';
import { sourceOf } from '../../sources/choose.ts';
import type { Surroundings } from '../../surroundings.ts';
import { ClosedOutput, writeAll } from '../../terminal/output.ts';
import { checkAge } from './age.ts';
import { skipIncomplete } from './incomplete.ts';
import type { SyncFlags } from './options.ts';
import { checkSyncFlags, checkedMatch } from './options.ts';
import type { Outcome } from './outcome.ts';
import { exitCodeOf } from './outcome.ts';
import { Mender } from './mend.ts';
import { readableReport } from './places.ts';
import { laterThan, record } from './record.ts';
import { checkCurrency, checkStore } from './same-shop.ts';
import { checkIds, onlyNote, ownedBy } from './responsibility.ts';
import { jsonReport } from './json-report.ts';
import { textReport, warnings } from './report.ts';
import type { AnyResource, Source, SourceReading } from '../../../stores/source.ts';
import type { AnyCollection } from '../../service/collections.ts';
import { sentenceOf } from '../../failure.ts';
import { UsageError } from '../../../stores/failure.ts';

/**
 * Makes the service equal to a file or a store, and prints a report.
 * @param path the file, unless the options name a store
 * @throws UsageError if the options cannot be understood; whatever happens then is in the report
 */
export async function sync(
  around: Surroundings,
  path: string | undefined,
  options: SyncFlags,
): Promise<number> {
  checkSyncFlags(path, options, around);
  const later = laterThan(around.signal);
  const outcome: Outcome = { options, notes: [] };
  try {
    await readAndSync(outcome, path, around);
  } catch (error) {
    outcome.isMisused = error instanceof UsageError;
    outcome.error = around.signal.aborted
      ? `Stopped before the end.${outcome.report === undefined ? '' : ' Run it again to continue.'}`
      : sentenceOf(error);
  }
  if (options.record && !options.dryRun && !outcome.isMisused) {
    const failure = await record(outcome, { ...around, signal: later });
    if (failure !== undefined) outcome.error = [outcome.error, failure].filter(Boolean).join(' ');
  }
  await print(outcome, around);
  return exitCodeOf(outcome);
}

/** Adds what becomes known to an outcome. @throws what ends the sync early */
async function readAndSync(
  outcome: Outcome,
  path: string | undefined,
  around: Surroundings,
): Promise<void> {
  const { options } = outcome;
  const { client } = connect(around, options);
  const source = sourceOf(path, options, around);
  const reading = await source.read();
  outcome.reading = { ...reading, readAt: options.readAt ?? reading.readAt };
  checkAge(outcome.reading.readAt, path, options);
  if (reading.domains !== undefined) {
    outcome.profile = await readProfile(client, { signal: around.signal });
    checkStore(outcome.profile.data.connection, reading.domains, options);
  }
  await syncRead(outcome, outcome.reading, {
    collection: collectionOf(client, options.collection),
    source,
    around,
  });
}

/** What a sync of something that was read needs. */
interface Target {
  readonly collection: AnyCollection;
  readonly source: Source;
  readonly around: Surroundings;
}

async function syncRead(
  outcome: Outcome,
  { content, readAt }: SourceReading,
  { collection, source, around }: Target,
): Promise<void> {
  const { options } = outcome;
  const { nouns } = COLLECTIONS[options.collection];
  const match = checkedMatch(content, options);
  const { confirm, reasons } = confirming(source);
  const { isOfStore } = content;
  const bar = progressBar(nouns, around.stderr);
  const how = {
    match,
    keep: options.keep,
    // The case of a code says nothing in a store.
    keepSpelling: isOfStore,
    dryRun: options.dryRun,
    deleteMissing: options.delete === true && {
      max: content.doubts.length > 0 ? 0 : options.maxDelete,
      readAt,
      confirm,
    },
    owned: ownedBy(content, match, options.only),
    onProgress: ({ done, total }: SyncProgress) => {
      bar.setTotal(total);
      bar.update(done);
    },
  };
  const mending = new Mender(match);
  bar.start(content.items.length, 0);
  try {
    // While nothing is written, a signal ends it at once.
    const plan = await collection.planSync(content.items, { ...how, signal: around.signal });
    outcome.plan = plan;
    outcome.notes = onlyNote(plan, content, options.only, nouns);
    if (options.match === undefined && content.source !== undefined) checkIds(plan, match, nouns);
    checkCurrency(plan, content, options);
    outcome.report = await collection.executeSync(plan, how, isOfStore ? mending.mend : undefined);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    outcome.report = error.report;
    throw error.cause;
  } finally {
    bar.stop();
    if (outcome.report !== undefined) {
      const skipped = [...content.skipped, ...mending.leftOut];
      const settled = skipIncomplete(outcome.report, { ...content, skipped });
      outcome.report = readableReport(settled.report, content, match, reasons);
      outcome.reading = { ...outcome.reading, content: settled.content, readAt };
    }
  }
}

/** How a source has the last word about deletions, and why it keeps resources, by their ids. */
function confirming(source: Source): {
  readonly confirm: ((resources: readonly AnyResource[]) => Promise<readonly string[]>) | undefined;
  readonly reasons: ReadonlyMap<string, string>;
} {
  const all = new Map<string, string>();
  const confirm = source.confirm?.bind(source);
  return {
    reasons: all,
    confirm:
      confirm &&
      (async (resources) => {
        const { gone, reasons } = await confirm(resources);
        for (const [id, reason] of reasons) all.set(id, reason);
        return gone;
      }),
  };
}

/** Prints the report. Nobody has to read it: the exit code says whether all is done. */
async function print(outcome: Outcome, around: Surroundings): Promise<void> {
  const { options, error } = outcome;
  const hide = (text: string): string => harmless(around, text);
  const texts = options.json ? jsonReport(outcome, hide) : [hide(textReport(outcome))];
  await writeAll(around.stdout, texts).catch((failure: unknown) => {
    if (!(failure instanceof ClosedOutput)) throw failure;
  });
  // The document has counts, and no place for the reason.
  for (const sentence of options.json ? warnings(outcome) : []) sayError(around, sentence);
  if (error !== undefined) sayError(around, error);
}
