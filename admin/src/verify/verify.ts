import { randomBytes } from 'node:crypto';
import { reasonOf } from '../../../common/terminal/reason.ts';
import { printable, withoutKeys } from '../../../common/terminal/printable.ts';
import { collectionChecks, deploymentChecks, profileChecks } from './checks.ts';
import { networkChecks } from './network-checks.ts';
import { untilKnown } from './ready.ts';
import type { TestCollection } from './resources.ts';
import { testCollections } from './resources.ts';
import type { Send } from './service.ts';
import { resourcesIn, serviceAt } from './service.ts';

interface VerifyOptions {
  readonly url: string;
  readonly apiKey: string;
  /** Ends the checks. What they created is deleted all the same. */
  readonly signal?: AbortSignal;
  readonly show: (line: string) => void;
}

export interface Verification {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs all checks on a deployed service, and deletes what they created. Stops if the first read fails, because all others
 * would fail for the same reason.
 * @returns how many passed, and how many failed
 */
export async function verify({ url, apiKey, signal, show }: VerifyOptions): Promise<Verification> {
  const mark = `VERIFY-${randomBytes(8).toString('hex').toUpperCase()}`;
  const send = serviceAt(url, apiKey, signal);
  let [passed, failed] = [0, 0];
  const check = async (name: string, run: () => Promise<void>): Promise<void> => {
    const start = performance.now();
    try {
      await run();
      show(`passed  ${name} (${Math.round(performance.now() - start)} ms)`);
      passed++;
    } catch (error) {
      show(`FAILED  ${name}: ${printable(withoutKeys(reasonOf(error)))}`);
      failed++;
    }
  };
  await untilKnown(url, { ...(signal && { signal }), show });
  const checks = [
    profileChecks(send),
    deploymentChecks(send),
    networkChecks(send, url, apiKey),
    ...testCollections.map((collection) => collectionChecks(send, collection, mark)),
  ].flatMap(Object.entries<() => Promise<void>>);
  for (const [index, [name, run]] of checks.entries()) {
    if (signal?.aborted) break;
    await check(name, run);
    if (index === 0 && failed > 0) return { passed, failed };
  }
  // Without the signal.
  const cleaner = serviceAt(url, apiKey);
  for (const collection of testCollections) {
    const clean = (): Promise<void> => removeMarked(cleaner, collection, mark);
    await check(`nothing is left in /${collection.path}`, clean);
  }
  return { passed, failed };
}

/** Deletes everything of a collection that has the mark, including a resource whose creation was not acknowledged. */
async function removeMarked(
  send: Send,
  { path, many, markedBy }: TestCollection,
  mark: string,
): Promise<void> {
  const marked = async (): Promise<string[]> => {
    const answer = await send(200, 'GET', `${path}?${markedBy}=${mark}`);
    // A broken service may list anything, and what was there before must never be deleted.
    const found = resourcesIn(answer, many).filter((resource) => resource[markedBy] === mark);
    return found.map(({ id }) => `${path}/${id}`);
  };
  for (const item of await marked()) await send(200, 'DELETE', item);
  const left = await marked();
  if (left.length > 0) throw new Error(`Still there: /${left.join(', /')}.`);
}
