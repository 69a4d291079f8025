import { printableJson, withoutControls } from '../../../../../common/terminal/printable.ts';
import type { SyncReport } from '../../../index.ts';
import { reportedReason } from '../../../stores/findings.ts';
import type { Outcome } from './outcome.ts';

const COUNTS = ['created', 'updated', 'unchanged', 'deleted', 'withheld'] as const;

/**
 * Yields the outcome as one JSON document, without the notes. It has an `error` only if something failed. What people read in it
 * acts on no terminal, whatever prints it. The values of changes are exact, and escaped.
 * @param hide returns a text without secrets
 */
export function* jsonReport(
  { reading, executed, options, error }: Outcome,
  hide: (text: string) => string,
): Generator<string, void> {
  const shown = (text: string): string => withoutControls(hide(text));
  const { content = reading } = executed ?? {};
  const report: Partial<SyncReport> = executed?.report ?? {};
  const { kept = [], refused = [], changes } = report;
  const members: Readonly<Record<string, unknown>> = {
    format: content?.format ?? options.from ?? null,
    dryRun: options.dryRun ?? false,
    ...Object.fromEntries(COUNTS.map((name) => [name, report[name] ?? 0])),
    withheldBecause: report.withheldBecause,
    unmatched: report.unmatched ?? 0,
    kept,
    skipped: (content?.skipped ?? []).map((one) => ({ ...one, reason: reportedReason(one) })),
    refused: refused.map(({ key, error: said, problems }) => ({ key, error: said, problems })),
    error,
    changes: changes?.map((one) => ({ ...one, key: shown(one.key) })),
  };
  let before = '{';
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    yield `${before}\n  "${name}": `;
    before = ',';
    const show = name === 'changes' ? hide : shown;
    if (Array.isArray(value)) yield* elementsOf(value, show);
    else yield printableJson(value, show);
  }
  yield '\n}\n';
}

/** Yields a list with an element on each line. The whole may be longer than a text can be. */
function* elementsOf(
  list: readonly unknown[],
  show: (text: string) => string,
): Generator<string, void> {
  yield '[';
  for (const [index, element] of list.entries()) {
    yield `${index === 0 ? '' : ','}\n    ${printableJson(element, show)}`;
  }
  yield list.length === 0 ? ']' : '\n  ]';
}
