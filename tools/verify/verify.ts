import { randomBytes } from 'node:crypto';
import { reasonOf } from '../reason.ts';
import type { Check, Result } from './check.ts';
import { NotApplicable } from './check.ts';
import { access, scope } from './checks/access.ts';
import { bookmarks } from './checks/bookmarks.ts';
import { changes, dryRun } from './checks/changes.ts';
import { conditional } from './checks/conditional.ts';
import { connection } from './checks/connection.ts';
import { openapi, referencePage } from './checks/documents.ts';
import { errors, refusedWrites } from './checks/errors.ts';
import { idempotency } from './checks/idempotency.ts';
import type { Latency } from './checks/latency.ts';
import { latency } from './checks/latency.ts';
import { collection, profile, reads } from './checks/operations.ts';
import { reachable } from './checks/reachable.ts';
import type { ProfileChange } from './cleanup.ts';
import { removeMarked, restoreProfile } from './cleanup.ts';
import { Contract } from './contract.ts';
import { testCollections } from './resources.ts';
import { withoutKeys } from '../terminal.ts';
import { Service } from './service.ts';

/** What to verify. */
export interface VerifyOptions {
  readonly url: string;
  readonly apiKey: string;
  /** Whether the key is read-only. */
  readonly readOnly?: boolean;
  /** The maximum p95 of reads, in milliseconds. */
  readonly maxP95?: number | undefined;
  readonly signal?: AbortSignal;
  /** Runs only the checks with these names. */
  readonly only?: readonly string[];
}

/** The report of a run. */
export interface Report {
  readonly url: string;
  readonly at: string;
  readonly passed: boolean;
  readonly checks: readonly Result[];
  readonly latency: Latency | null;
}

/** Runs all checks on a deployed service, and deletes what they created. Stops if nothing answers at the address. */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { url, readOnly = false } = options;
  const contract = Contract.ofProject();
  const mark = `VERIFY-${randomBytes(8).toString('hex').toUpperCase()}`;
  const at = new Date().toISOString();
  let measured: Latency | null = null;
  let changed: ProfileChange | undefined;
  const checks: readonly Check[] = [
    reachable,
    connection,
    access,
    scope(readOnly ? 'read' : 'write'),
    errors,
    bookmarks,
    openapi,
    referencePage,
    readOnly
      ? reads
      : profile((change) => {
          changed = change;
        }),
    ...testCollections.map(collection),
    refusedWrites,
    conditional,
    idempotency,
    ...testCollections.map(changes),
    ...testCollections.map(dryRun),
    latency(options.maxP95, (figures) => {
      measured = figures;
    }),
  ];
  // Without the signal, because created resources are deleted even after an interruption.
  const cleaner = new Service({ url, apiKey: options.apiKey, contract }, () => undefined);
  const results: Result[] = [];
  for (const check of checks.filter(({ name }) => options.only?.includes(name) ?? true)) {
    const result = await timed(check, async (fail, note) => {
      if (readOnly && check.writes) throw new NotApplicable('The key is read-only.');
      const service = new Service({ ...options, contract }, fail);
      await check.run({ service, fail, note, mark });
    });
    results.push(result);
    if (check === reachable && result.status === 'failed') {
      return { url, at, passed: false, checks: results, latency: null };
    }
    // Each check starts without the resources of the previous one; what cannot be deleted is reported at the end.
    if (check.writes && result.status !== 'skipped') await removeMarked(cleaner, mark);
  }
  if (!readOnly) {
    results.push(
      await timed({ name: 'nothing left behind' }, async (fail) => {
        const left = await removeMarked(cleaner, mark);
        if (changed !== undefined) left.push(...(await restoreProfile(cleaner, changed)));
        left.forEach(fail);
      }),
    );
  }
  const passed = results.every(({ status }) => status !== 'failed');
  return { url, at, passed, checks: results, latency: measured };
}

async function timed(
  { name }: Pick<Check, 'name'>,
  run: (fail: (problem: string) => void, note: (remark: string) => void) => Promise<void>,
): Promise<Result> {
  const problems = new Set<string>();
  const notes: string[] = [];
  const start = performance.now();
  let isSkipped = false;
  try {
    await run(
      (problem) => problems.add(problem),
      (remark) => notes.push(remark),
    );
  } catch (error) {
    isSkipped = error instanceof NotApplicable && problems.size === 0;
    problems.add(reasonOf(error));
  }
  return {
    name,
    status: isSkipped ? 'skipped' : problems.size > 0 ? 'failed' : 'passed',
    problems: [...problems].map(withoutKeys),
    notes: notes.map(withoutKeys),
    milliseconds: Math.round(performance.now() - start),
  };
}
