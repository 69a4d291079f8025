import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Resource } from '../support/brand.ts';
import { resourcesOf, TestBrand } from '../support/brand.ts';
import { collections } from '../support/collections.ts';
import type { TestCollection } from '../support/collections/collection.ts';
import { Follower } from '../support/follower.ts';
import type { Step } from '../support/requests.ts';
import { stepOf } from '../support/requests.ts';
import type { Disturbance, Poll } from '../support/traffic.ts';
import { disturbances, disturbed, polls as anyPoll } from '../support/traffic.ts';
import { Ledger, NOTE, Writer } from '../support/writer.ts';
import { random } from '../support/random.ts';

// Followers are never wrong: whatever the writers do at the same time, whatever D1 does to either, and wherever a follower
// stops, crashes and resumes, it holds exactly the service's resources when it reaches an answer without a link.

const WRITERS = 6;
const PHASES = 2;
const WRITES = 42;

type Write = readonly [Step, Disturbance];

/** A brand with its writers and followers. */
class Catalogue {
  readonly ledger = new Ledger();
  readonly #brand: TestBrand;
  readonly #writers: readonly Writer[];
  readonly #followers: Follower[] = [];

  constructor(brand: TestBrand) {
    this.#brand = brand;
    this.#writers = Array.from(
      { length: WRITERS },
      (_, n) => new Writer(brand, this.ledger, `w${n}`),
    );
  }

  /** Followers that start now, with these limits. */
  addFollowers(limits: readonly (number | undefined)[]): void {
    for (const collection of collections) {
      for (const limit of limits)
        this.#followers.push(new Follower(this.#brand, collection, limit));
    }
  }

  /** Lets all writers write and all followers follow at the same time, until the writes are done. */
  async run(writes: readonly Write[], polls: readonly Poll[]): Promise<void> {
    let left = writes.length;
    const follow = async (follower: Follower, own: readonly Poll[]): Promise<void> => {
      for (let n = 0; left > 0; n++) {
        const { ending, pause, disturbance } = own[n % own.length] ?? STEADY;
        await follower.readPage(ending, disturbed(disturbance));
        for (const until = Math.max(0, left - pause); left > until;) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    };
    const write = async (writer: Writer, own: readonly Write[]): Promise<void> => {
      try {
        for (const next of own) {
          await writer.take(...next);
          left--;
        }
      } catch (error) {
        left = 0;
        throw error;
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
    for (const collection of collections) {
      const listed = resourcesOf(await this.#brand.send('GET', collection.path));
      this.#checkList(collection, listed);
      const followers = this.#followers.filter((each) => each.of === collection);
      await Promise.all(followers.map((follower) => follower.catchUp()));
      for (const follower of followers) this.#compare(follower, listed);
    }
  }

  #compare({ of, limit = 250, resources }: Follower, listed: readonly Resource[]): void {
    const [held, there] = [resources, listed].map(
      (all) => new Map(all.map((resource) => [resource.id, JSON.stringify(resource)])),
    );
    const ids = [...listed, ...resources].map(({ id }) => id);
    const wrong = ids.filter((id) => held?.get(id) !== there?.get(id)).slice(0, 1);
    const what = `a follower of ${of.path} by ${limit}`;
    for (const id of wrong) {
      expect(held?.get(id), `${what}\n${this.ledger.about([id])}`).toBe(there?.get(id));
    }
  }

  #checkList({ note }: TestCollection, listed: readonly Resource[]): void {
    const back = listed.filter(({ id }) => this.ledger.deleted.has(id)).map(({ id }) => id);
    expect(back, this.ledger.about(back)).toEqual([]);
    const made = listed.map((resource) => String(resource[note])).filter((text) => NOTE.test(text));
    const twice = made.filter((text, index) => made.indexOf(text) !== index);
    expect(twice, this.ledger.about(twice)).toEqual([]);
  }
}

const STEADY: Poll = { ending: 'saves it', pause: 0, disturbance: { delay: 0, fault: undefined } };

/** The part of a list that falls to one of so many. */
function share<T>(all: readonly T[], one: number, of: number): T[] {
  return all.filter((_, index) => index % of === one);
}

it(
  "Followers hold exactly the service's resources while many write and D1 fails, whatever they lose themselves",
  { timeout: 120_000 },
  async () => {
    const { seed } = random(1);
    const numRuns = PHASES * WRITERS * WRITES;
    const writes = fc.sample(fc.tuple(stepOf(collections), disturbances), { numRuns, seed });
    const polls = fc.sample(anyPoll, { numRuns, seed });
    const catalogue = new Catalogue(await TestBrand.create());
    const size = writes.length / PHASES;
    for (let phase = 0; phase < PHASES; phase++) {
      // Some start when there is nothing, and some in the midst.
      catalogue.addFollowers(phase === 0 ? [1, 7, undefined] : [7]);
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
