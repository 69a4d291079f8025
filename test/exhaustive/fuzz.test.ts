import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { UNKNOWN } from '../support/attack.ts';
import type { Answer } from '../support/brand.ts';
import { resourceOf, resourcesOf, TestBrand } from '../support/brand.ts';
import { collectionAt, collectionsAndWidgets, products } from '../support/collections.ts';
import type { TestCollection } from '../support/collections/collection.ts';
import { Follower } from '../support/follower.ts';
import type { Expectation } from '../support/model.ts';
import { BrandModel, listMismatch, mismatch } from '../support/model.ts';
import type { Fields } from '../support/model-fields.ts';
import { pushMismatch, resultIds } from '../support/push-exchange.ts';
import type { Request, Step } from '../support/requests.ts';
import { requestOf, stepOf } from '../support/requests.ts';
import { serviceWithWidgets } from '../support/widget-service.ts';
import { random } from '../support/random.ts';

const STEPS = 40;
const MARKERS = ['MARKERALPHA', 'MARKEROMEGA'] as const;

/** What came of the pushes, and which requests linked a resource to the store or ended that, over all runs. */
const tally = {
  statuses: new Set<string>(),
  strict: { sent: 0, done: 0 },
  links: new Set<string>(),
};

/** Notes whether a change has linked a resource, or ended that. */
function noteLink({ link }: TestCollection, by: string, before?: Fields, after?: Fields): void {
  if (!link || !before || !after) return;
  const [was, is] = [before, after].map(({ [link.field]: storeId }) => storeId !== null);
  if (was !== is) tally.links.add(`${by} ${is === true ? 'links' : 'unlinks'}`);
}

interface Side {
  readonly brand: TestBrand;
  readonly model: BrandModel;
  readonly followers: readonly Follower[];
}

/** Two brands and what they must hold. */
class World {
  readonly #sides: readonly Side[];
  /** The ids that were created in each collection, of both brands. */
  readonly #ids = new Map<TestCollection, string[]>();

  constructor(brands: readonly TestBrand[]) {
    this.#sides = brands.map((brand) => ({
      brand,
      model: new BrandModel(),
      followers: collectionsAndWidgets.flatMap((of) =>
        [2, undefined].map((limit) => new Follower(brand, of, limit)),
      ),
    }));
  }

  /** Creates what requests can change from the beginning. */
  async furnish(): Promise<void> {
    for (const { brand, model } of this.#sides) {
      for (const of of collectionsAndWidgets) {
        for (const body of [of.bare(1), { ...of.full, ...of.bare(2) }]) {
          const { shown = {} } = model.create(of, body);
          const { id } = await brand.create(of.path, body);
          model.created(of, id, shown);
          this.#idsOf(of).push(id);
        }
      }
    }
  }

  /** Sends one request, and compares the answer with the model. */
  async take(step: Step): Promise<void> {
    const { who, path, action } = step;
    const side = this.#sides[who];
    if (side === undefined) return;
    const problem = await this.#act(side, collectionAt(path), step);
    if (problem !== undefined) throw new Error(`${action} ${path} by ${MARKERS[who]}: ${problem}`);
  }

  /** Everything, read again and followed by all, is what the model says. */
  async check(): Promise<void> {
    for (const { brand, model, followers } of this.#sides) {
      for (const collection of collectionsAndWidgets) {
        const listed = await brand.list(collection.path);
        expect(listMismatch(model.resources(collection), listed)).toBe(undefined);
      }
      for (const follower of followers) expect(await followed(model, follower)).toBe(undefined);
    }
  }

  async #act(side: Side, of: TestCollection, step: Step): Promise<string | undefined> {
    const { brand, model, followers } = side;
    const { who, action, push, target, isKeyed } = step;
    if (action === 'follow') {
      const own = followers.filter((follower) => follower.of === of);
      const follower = own[target % own.length];
      return follower && followed(model, follower);
    }
    // Most ids are of this brand, and in use.
    const [own, all] = [[...model.resources(of).keys()], this.#idsOf(of)];
    const idOf = (n: number): string => (n % 7 === 0 ? all[n] : own[n % own.length]) ?? UNKNOWN;
    const mark = (body: unknown): unknown =>
      JSON.parse(JSON.stringify(body).replaceAll('MARK', MARKERS[who]));
    const request = requestOf(of, step, idOf, mark);
    const isRepeated =
      isKeyed && request.method === 'POST' && !(action === 'push' && push.isDryRun);
    const answer = await (isRepeated ? sendAgain(brand, request) : send(brand, request));
    const other = MARKERS[1 - who] ?? '';
    const shown = answer.text + JSON.stringify([...answer.headers]);
    if (shown.includes(other)) return `it shows ${other}: ${shown}`;
    if (action === 'list') return listMismatch(model.resources(of), resourcesOf(answer));
    if (action === 'push') return this.#pushed(model, of, step, request, answer);
    const before = model.resources(of).get(request.id);
    const expected = expectationOf(model, of, action, request);
    noteLink(of, action, before, expected.shown);
    const [resource] = Object.values(answer.body);
    const problem = mismatch(expected, answer, resource);
    if (action === 'create' && problem === undefined && expected.shown) {
      const { id } = resourceOf(answer);
      model.created(of, id, expected.shown);
      this.#idsOf(of).push(id);
    }
    return problem;
  }

  #pushed(
    model: BrandModel,
    of: TestCollection,
    { push }: Step,
    { items }: Request,
    answer: Answer,
  ): string | undefined {
    const expected = model.push(of, push, items);
    const problem = pushMismatch(of, push, expected, answer);
    for (const { status } of expected.verdicts) tally.statuses.add(status);
    if (!push.isLenient) {
      tally.strict.sent++;
      if (expected.status === 200) tally.strict.done++;
    }
    if (problem !== undefined || push.isDryRun) return problem;
    for (const [index, verdict] of expected.verdicts.entries()) {
      const id = resultIds(answer)[index] ?? '';
      if (verdict.status === 'updated') {
        noteLink(of, 'push', model.resources(of).get(id), verdict.fields);
      }
      model.pushed(of, id, verdict);
      if (verdict.status === 'created') this.#idsOf(of).push(id);
    }
    return undefined;
  }

  #idsOf(of: TestCollection): string[] {
    const ids = this.#ids.get(of) ?? [];
    this.#ids.set(of, ids);
    return ids;
  }
}

/** Why a follower does not hold what it must; undefined if it does. */
async function followed(model: BrandModel, follower: Follower): Promise<string | undefined> {
  await follower.catchUp();
  const problem = listMismatch(model.resources(follower.of), follower.resources);
  return problem && `a follower of ${follower.of.path} by ${follower.limit ?? 'all'}: ${problem}`;
}

function expectationOf(
  model: BrandModel,
  of: TestCollection,
  action: 'create' | 'find' | 'PUT' | 'PATCH' | 'DELETE',
  { id, body }: Request,
): Expectation {
  if (action === 'create') return model.create(of, body);
  if (action === 'find') return model.find(of, id);
  return action === 'DELETE' ? model.remove(of, id) : model.change(of, action, id, body);
}

function send(brand: TestBrand, { method, target, body, headers }: Request): Promise<Answer> {
  return brand.send(method, target, body, { headers });
}

/** Sends a POST with an Idempotency-Key, and again, which gives the same answer, and with another body, which is refused. */
async function sendAgain(brand: TestBrand, request: Request): Promise<Answer> {
  const headers = { ...request.headers, 'Idempotency-Key': crypto.randomUUID() };
  const [first, again] = [
    await send(brand, { ...request, headers }),
    await send(brand, { ...request, headers }),
  ];
  const isReplay = again.headers.get('Idempotent-Replayed') === 'true';
  if (again.text !== first.text || isReplay !== first.status < 300) {
    throw new Error(`POST ${request.target}: ${first.text}, and sent again: ${again.text}`);
  }
  const raw = `${JSON.stringify(request.body)} `;
  const other = await brand.send('POST', request.target, undefined, { headers, raw });
  expect(other.status, other.text).toBe(first.status < 300 ? 422 : first.status);
  return first;
}

const { numRuns, seed } = random(40);

const others = collectionsAndWidgets.filter((of) => of !== products);

it(
  'Two brands that ask for anything at all get what the model says',
  async () => {
    const service = await serviceWithWidgets();
    const property = fc.asyncProperty(
      // Each second step is of products: they have the most rules.
      fc.array(stepOf([...others.map(() => products), ...others]), {
        minLength: 10,
        maxLength: STEPS,
        size: 'max',
      }),
      async (steps) => {
        const brands = MARKERS.map((marker) => TestBrand.create(marker, service));
        const world = new World(await Promise.all(brands));
        await world.furnish();
        for (const [n, step] of steps.entries()) {
          // Who follows must learn later what the second half changes.
          if (n === Math.floor(steps.length / 2)) await world.check();
          await world.take(step);
        }
        await world.check();
      },
    );
    await fc.assert(property, { numRuns, seed, endOnFailure: true });
    // The pushes did what is tested, and most of them went through.
    expect([...tally.statuses].sort()).toEqual([
      'created',
      'deleted',
      'refused',
      'stale',
      'unchanged',
      'updated',
    ]);
    expect([...tally.links].sort()).toEqual([
      'PATCH links',
      'PATCH unlinks',
      'PUT links',
      'PUT unlinks',
      'push links',
      'push unlinks',
    ]);
    expect(tally.strict.done / tally.strict.sent).toBeGreaterThan(0.3);
  },
  // A run takes a fifth of a second, and twenty times as long on a busy machine.
  numRuns * 5000,
);
