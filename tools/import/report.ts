import { printable, withoutKeys } from '../../client/src/command/terminal/printable.ts';
import type { ImportResult } from './import-products.ts';
import type { Export, Remark } from './shopify-export.ts';

/** An import that ended: what the file had, and what became of it. */
export interface Outcome {
  readonly file: Export;
  readonly result: ImportResult;
  readonly dryRun: boolean;
  readonly prune: boolean;
  /** Why not everything was done; undefined if it was. */
  readonly error: string | undefined;
}

/** Returns how many products were neither imported nor deleted as asked, as a sentence; undefined if there are none. */
export function skippedSentence(result: ImportResult): string | undefined {
  const { created, updated, unchanged, deleted, skipped, refused } = result;
  const left = skipped.length + refused.length;
  if (left === 0) return undefined;
  const total = created + updated + unchanged + deleted + left;
  return `${left} of ${total} products ${left === 1 ? 'was' : 'were'} skipped.`;
}

/** Returns the outcome as one JSON document. */
export function jsonReport({ file, result, dryRun, error }: Outcome): string {
  const { interruption: _, ...counts } = result;
  const { reduced, comparePrices } = file;
  const document = { dryRun, ...counts, reduced, comparePrices, error: error ?? null };
  return `${withoutKeys(JSON.stringify(document, null, 2))}\n`;
}

/** Returns the outcome as lines for a person: what was not imported, or only in part, and the counts. */
export function textReport({ file, result, dryRun, prune }: Outcome): string {
  const { created, updated, unchanged, deleted, skipped, refused } = result;
  const counts = [
    `${created} created`,
    `${updated} changed`,
    `${unchanged} unchanged`,
    ...(prune ? [`${deleted} deleted`] : []),
    `${skipped.length + refused.length} skipped`,
  ];
  return [
    ...linesOf('skipped', skipped),
    ...linesOf('refused by the service', refused),
    ...linesOf('imported in part', file.reduced),
    file.comparePrices === 0
      ? ''
      : `Compare-at prices that were left out: ${file.comparePrices}.\n`,
    `${dryRun ? 'Would be: ' : ''}${counts.join(', ')}.\n`,
  ].join('');
}

function linesOf(what: string, remarks: readonly Remark[]): string[] {
  return remarks.map(({ handle, reason }) => {
    const line = `${what}: ${handle || '(no handle)'}: ${reason}`;
    return `${printable(withoutKeys(line))}\n`;
  });
}
