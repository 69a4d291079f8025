import { printable } from '../../../../../common/terminal/printable.ts';
import type { SyncChange } from '../../../index.ts';
import { COLLECTIONS } from '../../../fields.ts';
import type { SyncFlags } from './flags.ts';
import type { Executed, Outcome } from './outcome.ts';
import { omissionsOf } from './outcome.ts';
import { onlyNote } from './responsibility.ts';

/** How many of a kind are named, unless all are asked for. */
const SHOWN = 20;

/** The longest value that is printed whole, in UTF-16 units. */
const LONGEST_VALUE = 120;

/** How much of what two values share is printed before their difference. */
const SHARED = 20;

/**
 * Returns the outcome as lines for a person: what was not done and why, and the counts. Empty if nothing was begun.
 * @param hide returns a text without secrets
 */
export function textReport(outcome: Outcome, hide: (text: string) => string): string {
  return [...linesOf(outcome, hide)].map((line) => `${printable(hide(line))}\n`).join('');
}

function* linesOf(outcome: Outcome, hide: (text: string) => string): Generator<string, void> {
  const { executed, options, error } = outcome;
  if (executed === undefined) return;
  const { steps, report, content } = executed;
  const { created, updated, unchanged, deleted, withheld, unmatched, changes = [] } = report;
  for (const action of ['create', 'update', 'delete', 'withhold'] as const) {
    const all = changes.filter((change) => change.action === action);
    yield* firstLines(action, all, options, (change) => linesOfChange(change, hide));
  }
  const counts = [`${created} created`, `${updated} updated`, `${unchanged} unchanged`];
  if (options.delete) counts.push(`${deleted} deleted`);
  for (const [kind, all] of omissionsOf(executed)) {
    yield* firstLines(kind, all, options, (line) => [`${kind}: ${line}`]);
    if (all.length > 0) counts.push(`${all.length} ${kind}`);
  }
  yield* content.notes;
  // Prices in another currency would be wrong without a word.
  const isUnsaid = content.source !== undefined && (options.from ?? options.currency) === undefined;
  if (isUnsaid && content.items.length > 0) {
    yield 'The file does not name its currency, so its prices are read as USD. --currency sets another.';
  }
  yield* onlyNote(steps, content, options);
  if (withheld === 0) yield* doubtLines(executed, options);
  yield* warnings(outcome);
  // What failed says itself what to do.
  if (error === undefined && unmatched > 0) yield unmatchedSentence(executed, options);
  yield `${options.dryRun ? 'Would be: ' : ''}${counts.join(', ')}.`;
}

/** Returns the lines of the first of a kind, and one that counts the others. */
function firstLines<T>(
  kind: string,
  all: readonly T[],
  { verbose }: SyncFlags,
  linesOf: (one: T) => readonly string[],
): string[] {
  const shown = verbose ? all : all.slice(0, SHOWN);
  const lines = shown.flatMap(linesOf);
  const left = all.length - shown.length;
  return left === 0 ? lines : [...lines, `${kind}: ${left} more (--verbose prints them all)`];
}

function linesOfChange(
  { action, key, title, fields = {} }: SyncChange,
  hide: (text: string) => string,
): string[] {
  const line = `${action}: ${key}${title === key || title === '' ? '' : `: ${title}`}`;
  if (action !== 'update') return [line];
  const values = Object.entries(fields).map(
    ([name, values]) =>
      `  ${name}: ${difference(values.map((value) => hide(JSON.stringify(value ?? null))))}`,
  );
  return [line, ...values];
}

/** Returns two texts as one. Of long ones it is where they differ. */
function difference(texts: readonly string[]): string {
  const [one = '', other = ''] = texts;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const isShort = texts.every(({ length }) => length <= LONGEST_VALUE);
  const start = isShort ? 0 : Math.max(0, same - SHARED);
  const parts = texts.map((text) => {
    const shown = text.slice(start, start + LONGEST_VALUE).toWellFormed();
    return `${start > 0 ? '…' : ''}${shown}${start + LONGEST_VALUE < text.length ? '…' : ''}`;
  });
  return parts.join(' → ');
}

function doubtLines({ content: { doubts } }: Executed, options: SyncFlags): string[] {
  return firstLines('doubtful', doubts, options, ({ sentence }) => [sentence]);
}

/** Says that nothing was accepted, or why nothing was deleted, and what to do about it. Empty if all is well. */
export function warnings(outcome: Outcome): string[] {
  const { executed, options, error } = outcome;
  if (executed === undefined) return [];
  const { withheld, withheldBecause } = executed.report;
  if (withheldBecause === undefined) {
    return error === undefined && !executed.hasAccepted
      ? [
          `${nothingAccepted(executed, options)}. If that is right, leave out this sync until there are some.`,
        ]
      : [];
  }
  const { comparison, deletions } = executed.steps;
  const source = sourceNoun(options);
  // What has no key can match no item.
  const missing = `${withheld} of ${comparison.owned - comparison.unmatched} ${COLLECTIONS[options.collection].nouns} are missing from the ${source}`;
  switch (withheldBecause) {
    case 'doubts':
      return [
        ...doubtLines(executed, options),
        `${missing}, but the ${source} may be incomplete or unclear: nothing was deleted.`,
      ];
    case 'unclear':
      return [
        `${missing}, but some of its items may mean them: nothing was deleted. Correct the items, and run it again.`,
      ];
    case 'nothing-accepted':
      return [
        `${nothingAccepted(executed, options)}, so nothing was deleted. Check ${source === 'file' ? 'where it comes from' : 'the store'}.`,
      ];
    case 'limit': {
      const most = Math.floor(deletions?.most ?? 0);
      const whose = options.maxDelete === undefined ? '' : ` (--max-delete ${options.maxDelete})`;
      return [
        `${missing}, and at most ${most} may be deleted at once${whose}: nothing was deleted. Check the ${source}; if it is right, run it again with --max-delete ${withheld}.`,
      ];
    }
  }
}

function sourceNoun({ from }: SyncFlags): 'file' | 'store' {
  return from === undefined ? 'file' : 'store';
}

function nothingAccepted({ content }: Executed, options: SyncFlags): string {
  const isEmpty = content.items.length + content.skipped.length === 0;
  const what = isEmpty ? '' : ' that the service accepts';
  return `The ${sourceNoun(options)} has no ${COLLECTIONS[options.collection].nouns}${what}`;
}

/** Says what is never deleted, because no item can match it, and what to do about it. */
function unmatchedSentence(
  { report: { unmatched }, content: { match = 'key', source } }: Executed,
  { collection }: SyncFlags,
): string {
  const [has, them] = unmatched === 1 ? ['has', 'it'] : ['have', 'them'];
  const advice =
    source !== undefined && match.startsWith('store')
      ? 'Run it once with --match handle or --match sku, which gives products their ids. What has none afterwards is not in the list of the store: look at it, and delete it if nobody needs it.'
      : `This sync leaves ${them} alone.`;
  return `${unmatched} of the ${COLLECTIONS[collection].nouns} in the service ${has} no ${match}, so no item matches. ${advice}`;
}
