import { progressBar } from '../../../../../common/terminal/progress-bar.ts';
import type { Pushed, SyncProgress } from '../../../index.ts';
import type { SyncCollection } from '../../../sync/collection.ts';
import type { Execution } from '../../../sync/execute.ts';
import { executeSync } from '../../../sync/execute.ts';
import { planSync } from '../../../sync/plan.ts';
import { collectionOf } from '../../service/collections.ts';
import { readProfile } from '../../service/profile.ts';
import { connect } from '../../service/connection.ts';
import { COLLECTIONS } from '../../../stores/fields.ts';
import { afterGrace } from '../../grace.ts';
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
import { record } from './record.ts';
import { checkCurrency, checkStore } from './same-shop.ts';
import { checkIds, ownedBy } from './responsibility.ts';
import { jsonReport } from './json-report.ts';
import { textReport, warnings } from './report.ts';
import type { AnyResource, Source, SourceReading } from '../../../stores/source.ts';
import { sentenceOf } from '../../failure.ts';
import { UsageError } from '../../../stores/failure.ts';

const STOPPED = 'Stopped before the end.';

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
  if (options.json) {
    const stopped = jsonReport({ options, error: STOPPED }, (text) => text);
    around.leaveReport?.([...stopped].join(''));
  }
  const later = afterGrace(around.signal);
  const synced = await syncOnce(around, path, options);
  const isRecorded = options.record && !options.dryRun && !synced.isMisused;
  const failure = isRecorded ? await record(synced, { ...around, signal: later }) : undefined;
  const error = [synced.error, failure].filter(Boolean).join(' ') || undefined;
  const outcome = { ...synced, error };
  await print(outcome, around);
  return exitCodeOf(outcome);
}

/** Reads, plans, and executes the plan. An error ends it; then the outcome has what the steps before it returned. */
async function syncOnce(
  around: Surroundings,
  path: string | undefined,
  options: SyncFlags,
): Promise<Outcome> {
  const { signal } = around;
  let known: Outcome = { options };
  try {
    const { client } = connect(around, options);
    const source = sourceOf(path, options, around);
    const read = await source.read();
    const reading = { ...read, readAt: options.readAt ?? read.readAt };
    known = { options, reading };
    checkAge(reading.readAt, path, options);
    if (reading.domains !== undefined) {
      const profile = await readProfile(client, { signal });
      known = { options, reading, profile };
      checkStore(profile.data.connection, reading.domains, options);
    }
    const collection = collectionOf(client, options.collection);
    const { error, ...executed } = await syncRead(reading, { collection, source, around, options });
    known = { ...known, ...executed };
    if (error !== undefined) throw error.cause;
    return known;
  } catch (error) {
    const again = known.report === undefined ? '' : ' Run it again to continue.';
    return {
      ...known,
      isMisused: error instanceof UsageError,
      error: signal.aborted ? `${STOPPED}${again}` : sentenceOf(error),
    };
  }
}

/** Its fields come from a person or a file, and the service checks them. */
type Resource = AnyResource & Pushed;

/** What a sync of something that was read needs. */
interface Target {
  readonly collection: SyncCollection;
  readonly source: Source;
  readonly around: Surroundings;
  readonly options: SyncFlags;
}

/** What became known after the reading, and why it ended before everything was done. */
type Executed = Pick<Outcome, 'reading' | 'plan' | 'report'> & Pick<Execution, 'error'>;

async function syncRead(
  reading: SourceReading,
  { collection, source, around, options }: Target,
): Promise<Executed> {
  const { content, readAt } = reading;
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
  const mender = new Mender(match);
  bar.start(content.items.length, 0);
  try {
    // While nothing is written, a signal ends it at once.
    const plan = await planSync<Resource>(collection, content.items, {
      ...how,
      signal: around.signal,
    });
    checkIds(plan, content, match, options);
    checkCurrency(plan, content, options);
    const mend = isOfStore ? mender.mend : undefined;
    const { report, error } = await executeSync<Resource>(collection, plan, how, mend);
    const whole = skipIncomplete(report, content, mender.leftOut);
    return {
      reading: { ...reading, content: whole.content },
      plan,
      report: readableReport(whole.report, content, match, reasons),
      error,
    };
  } finally {
    bar.stop();
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
  around.leaveReport?.('');
  const hide = (text: string): string => harmless(around, text);
  const texts = options.json ? jsonReport(outcome, hide) : [hide(textReport(outcome))];
  await writeAll(around.stdout, texts).catch((failure: unknown) => {
    if (!(failure instanceof ClosedOutput)) throw failure;
  });
  // The document has counts, and no place for the reason.
  for (const sentence of options.json ? warnings(outcome) : []) sayError(around, sentence);
  if (error !== undefined) sayError(around, error);
}
