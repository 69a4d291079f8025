import { printableJson, withoutControls } from '../../../../../common/terminal/printable.ts';
import type { Outcome } from './outcome.ts';
import { NOTHING_DONE } from './outcome.ts';

/**
 * Yields the outcome as one JSON document, without the notes. It has an `error` only if something failed. What people read in it
 * acts on no terminal, whatever prints it. The values of changes are exact, and escaped.
 * @param hide returns a text without secrets
 */
export function* jsonReport(
  { reading, report = NOTHING_DONE, options, error }: Outcome,
  hide: (text: string) => string,
): Generator<string, void> {
  const shown = (text: string): string => withoutControls(hide(text));
  const named = <T extends { readonly key: string | null }>(one: T): T => ({
    ...one,
    key: one.key === null ? null : shown(one.key),
  });
  const reasoned = <T extends { readonly key: string | null; readonly reason: string }>(
    one: T,
  ): T => ({
    ...named(one),
    reason: shown(one.reason),
  });
  const { created, updated, unchanged, deleted, withheld, unmatched } = report;
  const members: Readonly<Record<string, unknown>> = {
    format: reading?.content.format ?? options.from ?? null,
    dryRun: options.dryRun ?? false,
    created,
    updated,
    unchanged,
    deleted,
    withheld,
    unmatched,
    kept: report.kept.map(reasoned),
    skipped: (reading?.content.skipped ?? []).map(reasoned),
    refused: report.refused.map((one) => ({ key: named(one).key, error: shown(one.error) })),
    ...(error !== undefined && { error: shown(error) }),
    ...(report.changes !== undefined && { changes: report.changes.map(named) }),
  };
  let before = '{';
  for (const [name, value] of Object.entries(members)) {
    yield `${before}\n  "${name}": `;
    before = ',';
    if (Array.isArray(value)) yield* elementsOf(value, hide);
    else yield printableJson(value, hide);
  }
  yield '\n}\n';
}

/** Yields a list with an element on each line. The whole may be longer than a text can be. */
function* elementsOf(
  list: readonly unknown[],
  hide: (text: string) => string,
): Generator<string, void> {
  let before = '[';
  for (const element of list) {
    yield `${before}\n    ${printableJson(element, hide)}`;
    before = ',';
  }
  yield list.length === 0 ? '[]' : '\n  ]';
}
