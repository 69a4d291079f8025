import { interceptD1 } from './d1.ts';
import { D1_ERRORS, d1Error } from './faults.ts';
import { Chance } from './random-move/chance.ts';

const FAILURES = ['before', 'lost', 'late'] as const;

/** What may happen to a call to D1 besides that it is made. A `late` one fails, and is made some time later. */
export type Failure = (typeof FAILURES)[number];

/** How often each failure happens to the calls of an actor, from 0 to 1. */
export type Failures = Partial<Record<Failure, number>>;

interface Waiting {
  readonly name: string;
  readonly weight: number;
  readonly go: () => Promise<void>;
}

/**
 * Lets several actors work at once, of which one at a time makes a call to D1: whose turn it is, and which call fails, is
 * left to chance.
 */
export class Interleaving {
  readonly chance: Chance;
  /** What was called, for the message of a failure. */
  readonly journal: string[] = [];
  readonly #afterEach: (name: string) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<string, boolean>();
  readonly #failures = new Map<string, number>();
  #failed: { readonly error: unknown } | undefined;
  #isOver = false;
  #wake: () => void = () => undefined;

  /** @param afterEach is called after each call, with the name of the actor */
  constructor(seed: number, afterEach: (name: string) => Promise<void>) {
    this.chance = new Chance(seed);
    this.#afterEach = afterEach;
  }

  /** Wraps a database for an actor. When all are done, calls are made at once. */
  gate(db: D1Database, name: string, failures: Failures = {}, weight = 1): D1Database {
    return interceptD1(db, (call) =>
      this.#isOver ? call() : this.#turn(name, weight, failures, call),
    );
  }

  /** How many calls of an actor have failed. */
  failuresOf(name: string): number {
    return this.#failures.get(name) ?? 0;
  }

  /** Lets all act until they are done, and calls that are late arrive. */
  async run(actors: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
    for (const [name, act] of Object.entries(actors)) {
      this.#running.set(name, true);
      void act()
        .catch((error: unknown) => {
          this.#failed ??= { error };
        })
        .finally(() => {
          this.#running.delete(name);
          this.#wake();
        });
    }
    for (;;) {
      await this.#quiet();
      if (this.#failed) throw this.#failed.error;
      const next = this.#draw();
      if (next === undefined) break;
      await next.go();
      await this.#afterEach(next.name);
    }
    this.#isOver = true;
  }

  /** Waits until each actor waits for its turn. */
  async #quiet(): Promise<void> {
    while ([...this.#running].some(([, isBusy]) => isBusy)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #draw(): Waiting | undefined {
    const at = this.chance.index(this.#waiting.map(({ weight }) => weight));
    const [next] = this.#waiting.splice(at, 1);
    return next;
  }

  #wait(waiting: Waiting): void {
    this.#waiting.push(waiting);
  }

  async #turn(
    name: string,
    weight: number,
    failures: Failures,
    call: () => Promise<unknown>,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const go = async (): Promise<void> => {
        const failure = this.#failure(failures);
        if (failure !== undefined) this.#failures.set(name, this.failuresOf(name) + 1);
        this.journal.push(failure === undefined ? name : `${name} (${failure})`);
        let settle: () => void = () => {
          reject(d1Error(D1_ERRORS.passing[0]));
        };
        if (failure === undefined || failure === 'lost') {
          try {
            const result = await call();
            if (failure === undefined)
              settle = () => {
                resolve(result);
              };
          } catch (error) {
            settle = () => {
              reject(error instanceof Error ? error : new Error(String(error)));
            };
          }
        }
        if (failure === 'late') this.#wait(this.#late(name, call));
        // It goes on, unless it waits for other calls of its own.
        this.#running.set(name, !this.#waiting.some((other) => other.name === name));
        settle();
      };
      this.#wait({ name, weight, go });
      this.#running.set(name, false);
      this.#wake();
    });
  }

  #late(name: string, call: () => Promise<unknown>): Waiting {
    const go = async (): Promise<void> => {
      this.journal.push(`${name}, late`);
      // Nobody waits for its answer.
      await call().catch(() => undefined);
    };
    return { name: `${name}, late`, weight: 0.05, go };
  }

  #failure(failures: Failures): Failure | undefined {
    return FAILURES.find((failure) => this.chance.happens(failures[failure] ?? 0));
  }
}
