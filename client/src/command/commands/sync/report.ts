import { largestLoss } from '../../../sync/options.ts';
import { printable } from '../../../../../common/terminal/printable.ts';
import { COLLECTIONS } from '../../../stores/fields.ts';
import { changeLines } from './changes.ts';
import { firstLines } from './first-lines.ts';
import type { SyncReport } from '../../../index.ts';
import type { Outcome } from './outcome.ts';
import { onlyNote } from './responsibility.ts';
import { hasAccepted, named, skippedOf } from './outcome.ts';
import type { Content } from '../../../stores/source.ts';

/** Returns the outcome as lines for a person: what was not done and why, and the counts. Empty if nothing was begun. */
export function textReport(outcome: Outcome): string {
  const { reading, plan, report, options } = outcome;
  if (reading === undefined || report === undefined) return '';
  const { content } = reading;
  const { problems, unsupported } = skippedOf(content);
  const { kept, refused } = report;
  const isVerbose = options.verbose ?? false;
  const listed: readonly (readonly [kind: string, all: readonly Omission[]])[] = [
    ['unsupported', unsupported],
    ['skipped', problems],
    ['refused', refused.map(({ key, error }) => ({ key, reason: error }))],
    ['kept', kept],
  ];
  const lines = [
    ...changeLines(report.changes ?? [], isVerbose),
    ...listed.flatMap(([kind, all]) =>
      firstLines(kind, all, isVerbose, ({ key, reason }) => [`${kind}: ${named(key)}${reason}`]),
    ),
    ...content.notes,
    ...currencyNote(content, options),
    ...(plan === undefined ? [] : onlyNote(plan, content, options)),
    ...(report.withheld === 0 ? doubtLines(content, options) : []),
    ...warnings(outcome),
    // What failed says itself what to do.
    ...(outcome.error === undefined ? unmatchedSentence(report, content, options.collection) : []),
    `${options.dryRun ? 'Would be: ' : ''}${counts(outcome, report).join(', ')}.`,
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** Something that was not done, and why. */
interface Omission {
  readonly key: string | null;
  readonly reason: string;
}

function doubtLines({ doubts }: Content, { verbose }: Outcome['options']): string[] {
  return firstLines('doubtful', doubts, verbose === true, (doubt) => [doubt]);
}

function counts({ reading, options }: Outcome, report: SyncReport): string[] {
  const { problems, unsupported } = skippedOf(reading?.content);
  const { created, updated, unchanged, deleted, kept, refused } = report;
  const others = [
    [kept.length, 'kept'],
    [unsupported.length, 'unsupported'],
    [problems.length, 'skipped'],
    [refused.length, 'refused'],
  ] as const;
  return [
    `${created} created`,
    `${updated} updated`,
    `${unchanged} unchanged`,
    ...(options.delete ? [`${deleted} deleted`] : []),
    ...others.flatMap(([count, name]) => (count === 0 ? [] : `${count} ${name}`)),
  ];
}

/** Says that nothing was accepted, or why nothing was deleted, and what to do about it. Empty if all is well. */
export function warnings(outcome: Outcome): string[] {
  const { reading, report, options, plan, error } = outcome;
  if (reading === undefined || report === undefined) return [];
  // What has no key can match no item.
  const owned = plan === undefined ? 0 : plan.found.owned - plan.found.unmatched;
  const { withheld } = report;
  const { items, skipped, doubts } = reading.content;
  const { nouns } = COLLECTIONS[options.collection];
  const source = options.from === undefined ? 'file' : 'store';
  if (error === undefined && !hasAccepted(outcome)) {
    const what = items.length + skipped.length === 0 ? nouns : `${nouns} that the service accepts`;
    const place = source === 'file' ? 'where it comes from' : 'the store';
    return [
      withheld === 0
        ? `The ${source} has no ${what}. If that is right, leave out this sync until there are some.`
        : `The ${source} has no ${what}, so nothing was deleted. Check ${place}.`,
    ];
  }
  if (withheld === 0) return [];
  const missing = `${withheld} of ${owned} ${nouns} are missing from the ${source}`;
  if (doubts.length > 0) {
    return [
      ...doubtLines(reading.content, options),
      `${missing}, but the ${source} may be incomplete or unclear: nothing was deleted.`,
    ];
  }
  const { maxDelete } = options;
  if (withheld <= largestLoss({ max: maxDelete }, owned)) {
    return [
      `${missing}, but some of its items may mean them: nothing was deleted. Correct the items, and run it again.`,
    ];
  }
  const byDefault = withheld > owned / 2 ? 'more than half' : 'more than 10, and more than 10%';
  const limit = maxDelete === undefined ? byDefault : `more than --max-delete ${maxDelete}`;
  return [
    `${missing}, ${limit}: nothing was deleted. Check the ${source}; if it is right, run it again with --max-delete ${withheld}.`,
  ];
}

/** A store's file does not name its currency. Prices in another one would be wrong without a word. */
function currencyNote(
  { source, items }: Content,
  { from, currency, collection }: Outcome['options'],
): string[] {
  const isUnsaid = source !== undefined && from === undefined && currency === undefined;
  return isUnsaid && collection === 'products' && items.length > 0
    ? [
        'The file does not name its currency, so its prices are read as USD. --currency sets another.',
      ]
    : [];
}

/** Says what is never deleted, because no item can match it, and what to do about it. */
function unmatchedSentence(
  { unmatched }: SyncReport,
  { match = 'key', source }: Content,
  collection: keyof typeof COLLECTIONS,
): string[] {
  if (unmatched === 0) return [];
  const advice =
    source !== undefined && match.startsWith('store')
      ? 'Run it once with --match handle or --match sku, which gives products their ids. What has none afterwards is not in the list of the store: look at it, and delete it if nobody needs it.'
      : `This sync leaves ${unmatched === 1 ? 'it' : 'them'} alone.`;
  const { nouns } = COLLECTIONS[collection];
  const of = `${unmatched} of the ${nouns} in the service`;
  return [`${of} ${unmatched === 1 ? 'has' : 'have'} no ${match}, so no item matches. ${advice}`];
}
