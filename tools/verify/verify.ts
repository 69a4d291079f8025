import { randomBytes } from 'node:crypto';
import { reasonOf } from '../reason.ts';
import { printable, withoutKeys } from '../terminal.ts';
import type { Check } from './checks.ts';
import { collectionChecks, deploymentChecks, profileChecks } from './checks.ts';
import { removeMarked } from './cleanup.ts';
import { testCollections } from './resources.ts';
import { Service } from './service.ts';

/** What to verify. */
export interface VerifyOptions {
  readonly url: string;
  readonly apiKey: string;
  /** Ends the checks. What they created is deleted all the same. */
  readonly signal?: AbortSignal;
  /** Shows a line of the report. */
  readonly show: (line: string) => void;
}

/**
 * Runs all checks on a deployed service, and deletes what they created. Stops if the first read fails, because all others
 * would fail for the same reason.
 * @returns whether all passed
 */
export async function verify({ url, apiKey, signal, show }: VerifyOptions): Promise<boolean> {
  const mark = `VERIFY-${randomBytes(8).toString('hex').toUpperCase()}`;
  const service = new Service(url, apiKey, signal);
  // Without the signal.
  const cleaner = new Service(url, apiKey);
  const passes = async ([name, run]: Check): Promise<boolean> => {
    const start = performance.now();
    try {
      await run();
      show(`passed  ${name} (${Math.round(performance.now() - start)} ms)`);
      return true;
    } catch (error) {
      show(`FAILED  ${name}: ${printable(withoutKeys(reasonOf(error)))}`);
      return false;
    }
  };
  const [first, ...others] = profileChecks(service);
  if (first === undefined || !(await passes(first))) return false;
  let passed = true;
  for (const check of [
    ...deploymentChecks(service),
    ...others,
    ...testCollections.flatMap((collection) => collectionChecks(service, collection, mark)),
  ]) {
    if (signal?.aborted) break;
    passed = (await passes(check)) && passed;
  }
  for (const collection of testCollections) {
    const name = `nothing is left in ${collection.path}`;
    passed = (await passes([name, () => removeMarked(cleaner, collection, mark)])) && passed;
  }
  return passed;
}
