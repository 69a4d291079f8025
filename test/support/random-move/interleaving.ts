import { interceptD1 } from '../d1.ts';
import { databases } from '../databases.ts';
import { D1_ERRORS, d1Error } from '../faults.ts';
import type { Chance } from './chance.ts';
import type { Homes } from './homes.ts';

/** How a call fails: before it arrives; after that, so that its answer is lost; or it arrives some time later. */
const FAILURES = ['before', 'lost', 'late'] as const;

/** How often the calls of an actor fail in each way, from 0 to 1. */
export type Failures = Partial<Record<(typeof FAILURES)[number], number>>;

/** One of those who use the databases at the same time. */
export interface Actor {
  readonly name: string;
  readonly failures?: Failures;
  /** How often it has its turn, compared with others; 1 by default. */
  readonly weight?: number;
  /** What follows each of its calls, before the next turn. */
  readonly afterEach?: () => Promise<void>;
  /** The databases as this actor has them: each call waits for a turn, and may fail. */
  readonly homes: Homes;
  /** How many of its calls have failed. */
  failed: number;
}

/** What an actor is added with. */
export type Traits = Omit<Actor, 'homes' | 'failed'>;

type Call = () => Promise<unknown>;

interface Turn {
  readonly actor: Actor;
  readonly take: () => Promise<void>;
}

/** Whether an error is that of a call which chance has let fail. */
export function isByChance(error: unknown): boolean {
  return error instanceof Error && error.message.includes(D1_ERRORS.passing[0]);
}

/**
 * Lets several actors work at once, of which one at a time makes a call to D1. Whose turn it is, and which call fails, is
 * left to chance.
 */
export class Interleaving {
  /** Who made a call, in order. */
  readonly journal: string[] = [];
  readonly #chance: Chance;
  readonly #acts = new Map<Actor, () => Promise<void>>();
  /** The actors that do not wait for a turn. */
  readonly #busy = new Set<Actor>();
  readonly #waiting: Turn[] = [];
  #failed: { readonly error: unknown } | undefined;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Adds an actor, and what it does. When all are done, calls are made at once. */
  add(traits: Traits, act: (actor: Actor) => Promise<void>): void {
    const gate = (db: D1Database): D1Database =>
      interceptD1(db, (call) => (this.#isOver ? call() : this.#turn(actor, call)));
    const homes = { 0: gate(databases[0]), 1: gate(databases[1]), 2: gate(databases[2]) };
    const actor: Actor = { ...traits, homes, failed: 0 };
    this.#acts.set(actor, () => act(actor));
  }

  /** Lets all act until they are done, and calls that are late have arrived. */
  async run(): Promise<void> {
    for (const [actor, act] of this.#acts) {
      this.#busy.add(actor);
      void act()
        .catch((error: unknown) => (this.#failed ??= { error }))
        .finally(() => {
          this.#pause(actor);
        });
    }
    for (;;) {
      await this.#untilAllWait();
      if (this.#failed) throw this.#failed.error;
      const weights = this.#waiting.map(({ actor }) => actor.weight ?? 1);
      const [turn] = this.#waiting.splice(this.#chance.index(weights), 1);
      if (turn === undefined) break;
      await turn.take();
      await turn.actor.afterEach?.();
    }
    this.#isOver = true;
  }

  async #untilAllWait(): Promise<void> {
    while (this.#busy.size > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #pause(actor: Actor): void {
    this.#busy.delete(actor);
    this.#wake();
  }

  /** Waits for a turn, and makes a call then. */
  #turn(actor: Actor, call: Call): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const take = async (): Promise<void> => {
      const answer = this.#make(actor, call);
      await answer.catch(() => undefined);
      // The actor goes on, unless it waits for other calls of its own.
      if (!this.#waiting.some((turn) => turn.actor === actor)) this.#busy.add(actor);
      resolve(answer);
    };
    this.#waiting.push({ actor, take });
    this.#pause(actor);
    return promise;
  }

  /** Makes a call, or lets it fail. */
  async #make(actor: Actor, call: Call): Promise<unknown> {
    const { name, failures = {} } = actor;
    const failure = FAILURES.find((one) => this.#chance.happens(failures[one] ?? 0));
    this.journal.push(failure === undefined ? name : `${name} (${failure})`);
    if (failure === undefined) return call();
    actor.failed++;
    if (failure === 'lost') await call();
    if (failure === 'late') this.#postpone(actor, call);
    throw d1Error(D1_ERRORS.passing[0]);
  }

  /** Lets a call arrive later, when nobody waits for its answer. */
  #postpone(actor: Actor, call: Call): void {
    const late = { ...actor, name: `${actor.name}, late`, weight: 0.05 };
    const take = async (): Promise<void> => {
      this.journal.push(late.name);
      await call().catch(() => undefined);
    };
    this.#waiting.push({ actor: late, take });
  }
}
