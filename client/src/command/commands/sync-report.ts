import type { SyncReport } from '../../index.ts';
import { largestLoss } from '../../sync/options.ts';
import type { StoreFile } from '../files/read-file.ts';
import { printable } from '../../../../common/terminal/printable.ts';

/** A sync that ended: what the file had, and what became of it. */
export interface Outcome {
  readonly file: StoreFile;
  readonly report: SyncReport;
  readonly options: {
    readonly dryRun?: boolean | undefined;
    readonly delete?: boolean | undefined;
    readonly maxDelete?: number | `${number}%` | undefined;
  };
  /** The number of resources for which the file is responsible. */
  readonly owned: number;
  readonly noun: string;
  /** Sentences beside the counts. */
  readonly notes: readonly string[];
  /** Why it ended early, as a sentence; undefined if it did not. */
  readonly error: string | undefined;
}

/** Returns the outcome as one JSON document, without the notes. It has an `error` only if the sync ended early. */
export function jsonReport({ file, report, options, error }: Outcome): string {
  const { kept, refused, ...counts } = report;
  const document = {
    format: file.format,
    dryRun: options.dryRun ?? false,
    ...counts,
    kept,
    skipped: file.skipped,
    refused: refused.map(({ key, error: problem }) => ({ key, error: problem })),
    error,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the outcome as lines for a person: what was not done and why, and the counts. */
export function textReport(outcome: Outcome): string {
  const { file, report, options } = outcome;
  const { created, updated, unchanged, deleted, kept, refused } = report;
  const counts = [
    `${created} created`,
    `${updated} updated`,
    `${unchanged} unchanged`,
    ...(options.delete ? [`${deleted} deleted`] : []),
    ...(kept.length > 0 ? [`${kept.length} kept`] : []),
    ...(file.skipped.length > 0 ? [`${file.skipped.length} skipped`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
  ];
  const lines = [
    ...file.skipped.map(({ key, reason }) => `skipped: ${named(key)}${reason}`),
    ...refused.map(({ key, error }) => `refused: ${named(key)}${error}`),
    ...kept.map(({ key, reason }) => `kept: ${named(key)}${reason}`),
    ...outcome.notes,
    ...withheldSentence(outcome),
    `${options.dryRun ? 'Would be: ' : ''}${counts.join(', ')}.`,
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function named(key: string | null): string {
  return key === null ? '' : `${key}: `;
}

/** Says why nothing was deleted, and what to do about it. */
function withheldSentence({ file, report, options, owned, noun }: Outcome): string[] {
  const { withheld } = report;
  if (withheld === 0) return [];
  const missing = `${withheld} of ${owned} ${noun} are missing from the file`;
  if (report.created + report.updated + report.unchanged === 0) {
    const what = file.items.length === 0 ? noun : `${noun} that the service accepts`;
    return [`The file has no ${what}, so nothing was deleted. Check where it comes from.`];
  }
  if (file.hasUnclearRows || withheld <= largestLoss({ max: options.maxDelete }, owned)) {
    return [
      `${missing}, but some of its rows may mean them: nothing was deleted. Correct the rows, and run it again.`,
    ];
  }
  const { maxDelete } = options;
  const limit =
    maxDelete === undefined
      ? 'more than 10, and more than 10%'
      : `more than --max-delete ${maxDelete}`;
  return [
    `${missing}, ${limit}: nothing was deleted. Check the file; if it is right, run it again with --max-delete ${withheld}.`,
  ];
}
