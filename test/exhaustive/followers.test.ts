import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { Resource } from '../support/brand.ts';
import { resourcesOf, TestBrand } from '../support/brand.ts';
import { collections } from '../support/collections.ts';
import type { TestCollection } from '../support/collections/collection.ts';
import { Follower } from '../support/follower.ts';
import { withKey } from '../support/keys.ts';
import type { Poll, Write } from '../support/traffic.ts';
import { poll, write } from '../support/traffic.ts';
import { disturbed, Ledger, Writer } from '../support/writer.ts';

// Followers are never wrong: whatever the writers do at the same time, whatever D1 does to either, and wherever a follower
// stops, crashes and resumes, it holds exactly the service's resources when it reaches an answer without a link.

const WRITERS = 6;
const PHASES = 2;
const WRITES = 42;

/** A brand with its writers and followers. */
class Catalogue {
  readonly ledger = new Ledger();
  readonly #brand: TestBrand;
  readonly #writers: readonly Writer[];
  readonly #followers: Follower[] = [];

  private constructor(brand: TestBrand, keyed: readonly TestBrand[]) {
    this.#brand = brand;
    this.#writers = keyed.map((each, n) => new Writer(each, this.ledger, `w${n}`));
  }

  static async create(): Promise<Catalogue> {
    const brand = await TestBrand.create();
    // A key each: together they would pass the limit of a key.
    const keyed = await Promise.all(Array.from({ length: WRITERS }, () => withKey(brand)));
    return new Catalogue(brand, keyed);
  }

  /** Followers that start now, with these limits. */
  async addFollowers(limits: readonly (number | undefined)[]): Promise<void> {
    for (const of of collections) {
      for (const limit of limits) {
        this.#followers.push(new Follower(await withKey(this.#brand), of, limit));
      }
    }
  }

  /** Lets all writers write and all followers follow at the same time, until the writes are done. */
  async run(writes: readonly Write[], polls: readonly Poll[]): Promise<void> {
    const progress = new Progress(writes.length);
    const follow = async (follower: Follower, own: readonly Poll[]): Promise<void> => {
      for (let n = 0; !progress.isOver; n++) {
        const { ending, pause, disturbance } = own[n % own.length] ?? STEADY;
        await follower.readPage(ending, disturbed(disturbance));
        await progress.pass(pause);
      }
    };
    const write = async (writer: Writer, own: readonly Write[]): Promise<void> => {
      for (const next of own) {
        await writer.take(next).catch((error: unknown) => {
          progress.end();
          throw error;
        });
        progress.step();
      }
    };
    await Promise.all([
      ...this.#writers.map((writer, n) => write(writer, share(writes, n, WRITERS))),
      ...this.#followers.map((follower, n) =>
        follow(follower, share(polls, n, this.#followers.length)),
      ),
    ]);
  }

  /** Every follower that catches up holds what the service lists, and the list is as the answers to the writers said. */
  async check(): Promise<void> {
    for (const of of collections) {
      const listed = resourcesOf(await this.#brand.send('GET', of.path));
      this.#checkList(of, listed);
      const followers = this.#followers.filter((each) => each.of === of);
      await Promise.all(followers.map((follower) => follower.catchUp()));
      for (const follower of followers) this.#compare(follower, listed);
    }
  }

  #compare({ of, limit = 250, resources }: Follower, listed: readonly Resource[]): void {
    const held = new Map(resources.map((resource) => [resource.id, JSON.stringify(resource)]));
    const there = new Map(listed.map((resource) => [resource.id, JSON.stringify(resource)]));
    const wrong = [...new Set([...held.keys(), ...there.keys()])].filter(
      (id) => held.get(id) !== there.get(id),
    );
    if (wrong.length === 0) return;
    const [id = ''] = wrong;
    throw new Error(
      `A follower of ${of.path} by ${limit} is wrong about ${wrong.length} of ${there.size}, such as ${id}. ` +
        `It holds ${held.get(id) ?? 'none'}, and the service ${there.get(id) ?? 'none'}.\n${this.ledger.about([id])}`,
    );
  }

  #checkList({ note, defaults }: TestCollection, listed: readonly Resource[]): void {
    const back = listed.filter(({ id }) => this.ledger.deleted.has(id)).map(({ id }) => id);
    if (back.length > 0) {
      throw new Error(`${back.join()} came back.\n${this.ledger.about(back)}`);
    }
    const made = listed
      .filter((resource) => resource[note] !== defaults[note])
      .map((resource) => String(resource[note]));
    const twice = made.filter((text, index) => made.indexOf(text) !== index);
    if (twice.length > 0) {
      throw new Error(`${twice.join()} was created twice.\n${this.ledger.about(twice)}`);
    }
  }
}

const STEADY: Poll = { ending: 'saves it', pause: 0, disturbance: { delay: 0, fault: undefined } };

/** How far the writers of a phase are. */
class Progress {
  #left: number;
  #waiting: { readonly left: number; readonly go: () => void }[] = [];

  constructor(steps: number) {
    this.#left = steps;
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }

  step(): void {
    this.#left--;
    const isDue = ({ left }: { readonly left: number }): boolean => this.#left <= left;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((each) => !isDue(each));
    for (const { go } of due) go();
  }

  /** Ends it before all steps are done. */
  end(): void {
    this.#left = 1;
    this.step();
  }

  /** Waits for so many steps, or for the end. */
  async pass(steps: number): Promise<void> {
    const left = Math.max(0, this.#left - steps);
    if (steps === 0 || this.isOver) return;
    await new Promise<void>((go) => this.#waiting.push({ left, go }));
  }
}

/** The part of a list that falls to one of so many. */
function share<T>(all: readonly T[], one: number, of: number): T[] {
  return all.filter((_, index) => index % of === one);
}

describe("Followers hold exactly the service's resources", () => {
  const { seed: first } = inject('fuzz');

  it.each([0, 1])(
    'while many write and D1 fails, whatever they lose themselves (seed + %i)',
    { timeout: 120_000 },
    async (offset) => {
      const seed = first + offset;
      const numRuns = PHASES * WRITERS * WRITES;
      const writes = fc.sample(write, { numRuns, seed });
      const polls = fc.sample(poll, { numRuns, seed });
      const catalogue = await Catalogue.create();
      const size = writes.length / PHASES;
      for (let phase = 0; phase < PHASES; phase++) {
        // Some start when there is nothing, and some in the midst.
        await catalogue.addFollowers(phase === 0 ? [1, 7, undefined] : [7]);
        const from = phase * size;
        try {
          await catalogue.run(writes.slice(from, from + size), polls.slice(from, from + size));
          await catalogue.check();
        } catch (error) {
          throw new Error(`Seed ${seed}, steps ${from} to ${from + size}`, { cause: error });
        }
      }
      expect(catalogue.ledger.deleted.size).toBeGreaterThan(0);
    },
  );
});
