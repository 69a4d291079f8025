import { ProgressBar } from '../../../../../common/terminal/progress-bar.ts';
import type { SyncProgress } from '../../../index.ts';
import { executeSteps } from '../../../sync/execute-steps.ts';
import { planSteps } from '../../../sync/plan-steps.ts';
import { readList } from '../../../sync/sync.ts';
import { collectionOf } from '../../service/collections.ts';
import { connect, readProfile } from '../../service/connection.ts';
import { COLLECTIONS } from '../../../fields.ts';
import { sourceOf } from '../../sources/choose-source.ts';
import { sayBug, sayError, sentenceOf, STOPPED } from '../../messages.ts';
import type { CommandContext } from '../../context.ts';
import { afterGrace } from '../../context.ts';
import { ClosedOutput, writeAll } from '../../terminal/output.ts';
import {
  checkAge,
  checkCatalogue,
  checkCurrency,
  checkIds,
  checkStore,
  withoutDuplicates,
} from './guards.ts';
import { jsonReport } from './json-report.ts';
import { mender } from './mend.ts';
import type { SyncFlags } from './flags.ts';
import { checkSyncFlags, checkedMatch } from './flags.ts';
import type { Outcome } from './outcome.ts';
import { complaintOf } from './outcome.ts';
import { record } from './record.ts';
import { ownedBy } from './responsibility.ts';
import { readableReport, skipIncomplete } from './readable-report.ts';
import { textReport, warnings } from './text-report.ts';
import type { AnyResource, SkippedPart, Source, SourceReading } from '../../../stores/source.ts';
import { EXIT, UsageError } from '../../../../../common/failure.ts';

/**
 * Makes the service equal to a file or a store, and prints a report.
 * @throws UsageError if the options cannot be understood; whatever happens then is in the report
 */
export async function sync(
  context: CommandContext,
  path: string | undefined,
  options: SyncFlags,
): Promise<number> {
  checkSyncFlags(path, options, context);
  if (options.json) {
    // Whoever prints it adds why it is printed.
    context.leaveReport?.([...jsonReport({ options }, (text) => text)].join(''));
  }
  const later = afterGrace(context.signal);
  const synced = await syncOnce(context, path, options);
  const isRecorded = options.record && !options.dryRun && !synced.isMisused;
  const failure = isRecorded ? await record(synced, { ...context, signal: later }) : undefined;
  const error = [synced.error, failure].filter(Boolean).join(' ') || undefined;
  const outcome = { ...synced, error };
  await print(outcome, context);
  if (outcome.isMisused) return EXIT.usage;
  return complaintOf(outcome) === undefined ? EXIT.done : EXIT.failed;
}

/** Reads, compares, and executes what is to be done. An error ends it; then the outcome has what the steps before it returned. */
async function syncOnce(
  context: CommandContext,
  path: string | undefined,
  options: SyncFlags,
): Promise<Outcome> {
  let known: Outcome = { options };
  const bar = new ProgressBar(COLLECTIONS[options.collection].nouns, context.stderr);
  try {
    const { client } = connect(context, options);
    const source = sourceOf(path, options, context);
    const read = await source.read();
    const reading = { ...read, readAt: options.readAt ?? read.readAt };
    const { items, domains, readAt } = reading;
    known = { ...known, reading };
    checkAge(readAt, path, options);
    if (domains !== undefined) {
      const profile = await readProfile(client);
      known = { ...known, profile };
      checkStore(profile.data.connection, domains, options);
    }
    const { rules, reasons } = rulesOf(reading, source, options, bar);
    const { match } = rules;
    bar.show(0, items.length);
    const collection = collectionOf(client, options.collection);
    const list = await readList<AnyResource>(collection, items, rules);
    const planned = await planSteps<AnyResource>(collection, list, rules);
    checkIds(planned, reading, match, options);
    checkCatalogue(planned, match, options);
    checkCurrency(planned, reading, options);
    const steps = withoutDuplicates(planned, reading, match, options);
    const leftOut: SkippedPart[] = [];
    const mend = reading.isOfStore ? mender(match, leftOut) : undefined;
    const executed = await executeSteps<AnyResource>(collection, steps, rules, mend);
    const { report, hasAccepted, error } = executed;
    const shown = skipIncomplete(readableReport(report, reading, reasons), reading, leftOut);
    known = { ...known, executed: { steps, hasAccepted, ...shown } };
    if (error !== undefined) throw error.cause;
    return known;
  } catch (error) {
    const again = known.executed === undefined ? '' : ' Run it again to continue.';
    if (!context.signal.aborted) sayBug(context, error);
    return {
      ...known,
      isMisused: error instanceof UsageError,
      error: context.signal.aborted ? `${STOPPED}${again}` : sentenceOf(error),
    };
  } finally {
    bar.stop();
  }
}

/** Returns what is synced how, and why resources are kept, by their ids. */
function rulesOf(reading: SourceReading, source: Source, options: SyncFlags, bar: ProgressBar) {
  const match = checkedMatch(reading, options);
  const reasons = new Map<string, string | undefined>();
  const rules = {
    match,
    keep: options.keep,
    // The case of a code says nothing in a store.
    keepSpelling: reading.isOfStore,
    dryRun: options.dryRun,
    deleteMissing: options.delete === true && {
      max: options.maxDelete,
      doubts: reading.doubts.map(({ sentence }) => sentence),
      readAt: reading.readAt,
      // The last word about deletions.
      confirm: async (resources: readonly AnyResource[]): Promise<readonly string[]> => {
        const confirmed = await source.confirm(resources);
        for (const [id, why] of confirmed) reasons.set(id, why);
        return [...confirmed].flatMap(([id, why]) => (why === undefined ? id : []));
      },
    },
    owned: ownedBy(reading, match, options),
    onProgress: ({ done, total }: SyncProgress): void => {
      bar.show(done, total);
    },
  };
  return { rules, reasons };
}

/** Prints the report. Nobody has to read it: the exit code says whether all is done. */
async function print(outcome: Outcome, context: CommandContext): Promise<void> {
  const { options, error } = outcome;
  context.leaveReport?.('');
  const hide = (text: string): string => context.secrets.hide(text);
  const texts = options.json ? jsonReport(outcome, hide) : [textReport(outcome, hide)];
  await writeAll(context.stdout, texts).catch((failure: unknown) => {
    if (!(failure instanceof ClosedOutput)) throw failure;
  });
  // The document has no sentences of what to do.
  for (const sentence of options.json ? warnings(outcome) : []) sayError(context, sentence);
  if (error !== undefined) sayError(context, error);
}
