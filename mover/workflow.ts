import type { WorkflowEvent, WorkflowStep } from 'cloudflare:workers';
import { WorkflowEntrypoint } from 'cloudflare:workers';
import { abortMove } from './abort.ts';
import { advance } from './advance.ts';
import type { Bindings, Started } from './bindings.ts';
import { databaseOf, numbersOf } from './bindings.ts';
import { redirect } from './commit.ts';
import type { Progress } from './move.ts';
import { openMove, takeOver } from './open.ts';

/** What a step says of a run. */
type Outcome = Pick<Progress, 'next' | 'isSettled' | 'failedCommits' | 'rest'>;

/**
 * How many runs an instance makes before another one continues. An invocation of a Worker may make 1,000 queries to D1, and
 * it is not documented that each step is one of its own. A run makes some 35, and the redirection two for each database.
 */
const MOST_RUNS = 15;

/** How often a commit may fail before a move is given up. */
const MOST_FAILED_COMMITS = 100;

/**
 * More than an hour in all. Then a move that is not committed is given up. The waits stay short, because writes are refused
 * from the commit until the move is settled.
 */
const STEP = {
  retries: { limit: 30, delay: '10 seconds', backoff: 'linear' },
  timeout: '5 minutes',
} as const;

/** For what must not be given up: five days. */
const PATIENT = {
  ...STEP,
  retries: { limit: 7200, delay: '1 minute', backoff: 'constant' },
} as const;

/**
 * Drives a move: says "go on" until it is done. Each step is one run of the mover, which finds in D1 where the move is. So
 * an instance may end at any point, and the next one goes on. The names of the steps may not change, because finished steps
 * are known by their names.
 */
export class BrandMove extends WorkflowEntrypoint<Bindings, Started> {
  override async run(
    { payload, instanceId }: Readonly<WorkflowEvent<Started>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { part = 1, driver = instanceId } = payload;
    if (part === 1) await step.do('take over', STEP, () => this.#takeOver(payload, driver));
    let [isRedirected, isKept] = [false, false];
    for (let run = 1; run <= MOST_RUNS; run++) {
      const outcome = await this.#step(step, `run ${run}`, payload, driver);
      if (outcome.isSettled && !isRedirected) {
        await step.do('redirect', PATIENT, () => this.#redirect(payload, driver));
        isRedirected = true;
      }
      if (outcome.next === 'done') return;
      if (outcome.rest > 0) await step.sleep(`rest ${run}`, outcome.rest);
      if (outcome.next === 'later') {
        if (outcome.isSettled) {
          await step.sleep(`keep the old data ${run}`, isKept ? '1 hour' : '7 days');
          isKept = true;
        } else if (outcome.failedCommits < MOST_FAILED_COMMITS) {
          await step.sleep(`wait for a busy brand ${run}`, '1 minute');
        } else {
          await step.do('give up', STEP, () =>
            this.#giveUp(payload, driver, 'The brand changes too often.'),
          );
        }
      }
    }
    await step.do('continue', PATIENT, () => this.#continue(payload, part + 1, driver));
  }

  async #step(step: WorkflowStep, name: string, move: Started, driver: string): Promise<Outcome> {
    try {
      return await step.do(name, STEP, () => this.#advance(move, driver));
    } catch {
      // The instance keeps why.
    }
    const reason = `A step failed too often: see the instance ${driver} of the Workflow.`;
    const isGivenUp = await step.do(`give up after ${name}`, PATIENT, () =>
      this.#giveUp(move, driver, reason),
    );
    // What is committed goes on. If another one drives the move, this one ends.
    return isGivenUp
      ? { next: 'again', isSettled: false, failedCommits: 0, rest: 0 }
      : step.do(`${name} again`, PATIENT, () => this.#advance(move, driver));
  }

  async #takeOver({ source, brandId, move }: Started, driver: string): Promise<void> {
    await takeOver(databaseOf(this.env, source), { brandId, id: move }, driver);
  }

  async #advance({ source: number, brandId }: Started, driver: string): Promise<Outcome> {
    const source = databaseOf(this.env, number);
    const move = await openMove(source, number, brandId, driver);
    if (move === undefined) return { next: 'done', isSettled: false, failedCommits: 0, rest: 0 };
    const progress = await advance(source, databaseOf(this.env, move.target), move);
    const { next, isSettled, failedCommits, rest } = progress;
    return { next, isSettled, failedCommits, rest };
  }

  async #redirect({ source: number, brandId }: Started, driver: string): Promise<void> {
    const move = await openMove(databaseOf(this.env, number), number, brandId, driver);
    if (move === undefined) return;
    for (const other of numbersOf(this.env)) {
      if (other === number || other === move.target) continue;
      await redirect(databaseOf(this.env, other), move);
    }
  }

  async #giveUp({ source, brandId }: Started, driver: string, reason: string): Promise<boolean> {
    const database = databaseOf(this.env, source);
    const move = await openMove(database, source, brandId, driver);
    return move !== undefined && abortMove(database, move, reason);
  }

  async #continue(started: Started, part: number, driver: string): Promise<void> {
    const id = `${driver}-${part}`;
    const params = { ...started, part, driver };
    try {
      await this.env.MOVES.create({ id, params });
    } catch (error) {
      // It was created, and the answer was lost; or else there is no such instance.
      await this.env.MOVES.get(id).catch(() => {
        throw error;
      });
    }
  }
}
