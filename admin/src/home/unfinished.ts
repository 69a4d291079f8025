import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';

// A deletion and an import take several transactions. The first one marks the brand, and the last one removes the mark or
// the brand. An interrupted command leaves a part of the brand, which without the mark would look like a whole one.

export type Unfinished = 'delete' | 'import';

/** SQL condition: the brand is neither being deleted nor being imported. */
export function isWhole(brandId: SQL): SQL {
  return sql`not exists (select 1 from ${brands} as marked where marked.id = ${brandId} and marked.unfinished is not null)`;
}

/** What is unfinished about a brand. A move marks no brand: it freezes its keys. */
export interface BrandState {
  /** The command that has begun with it and not ended: then a part of it is missing, or its writes are 503. */
  readonly unfinished: Unfinished | 'move' | null;
  /** Since when a move refuses its writes. */
  readonly frozenAt: string | null;
}

/** The columns of a brand's state, in a select from brands. */
export const brandState = sql`${brands.unfinished}, (select max(${apiKeys.frozenAt}) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id} and ${apiKeys.movedTo} is null) as "frozenAt"`;

interface StateRow {
  readonly unfinished: Unfinished | null;
  readonly frozenAt: string | null;
}

/** Returns a row whose state says that the brand is being moved, if it is. */
export function withMove<T extends StateRow>(row: T): Omit<T, 'unfinished'> & BrandState {
  return { ...row, unfinished: row.unfinished ?? (row.frozenAt === null ? null : 'move') };
}

/** Returns the unfinished command of a brand, as a table shows it. */
export function unfinishedText({ unfinished, frozenAt }: BrandState): string | null {
  if (unfinished === 'move') return `move, frozen since ${String(frozenAt)}`;
  if (unfinished === null) return null;
  return unfinished === 'delete' ? 'deletion unfinished' : 'import unfinished';
}

/** Returns the error for a brand of which only a part is there. It names the command that goes on. */
export function partlyThere(brandId: string, unfinished: Unfinished): Failure {
  return new Failure(
    unfinished === 'delete'
      ? `The brand ${brandId} is partly deleted. To delete the rest: brand delete ${brandId}`
      : `The brand ${brandId} is partly imported. If its import still runs, wait for it. If it broke off, delete the brand, and import it again: brand delete ${brandId}`,
  );
}
