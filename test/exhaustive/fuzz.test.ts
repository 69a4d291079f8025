import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { Answer, Service } from '../support/brand.ts';
import { resourcesOf, TestBrand } from '../support/brand.ts';
import { collectionAt, collections, widgets } from '../support/collections.ts';
import type { TestCollection } from '../support/collections/collection.ts';
import type { Expectation, PushExpectation } from '../support/model.ts';
import { BrandModel, mismatch } from '../support/model.ts';
import { Followed, followMismatch, walk } from '../support/model-follower.ts';
import { pushMismatch, pushRequest, resultIds } from '../support/push-exchange.ts';
import type { Push, Step } from '../support/requests.ts';
import { stepOf } from '../support/requests.ts';
import { serviceWithWidgets } from '../support/widget-service.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const STEPS = 40;
const PROFILE = '/profile';
const MARKERS = ['MARKERALPHA', 'MARKEROMEGA'] as const;

/** What came of the pushes, over all runs. */
class Tally {
  readonly statuses = new Set<string>();
  /** Of pushes that are all or none. */
  strict = { sent: 0, done: 0 };

  note({ isLenient }: Push, { status, verdicts }: PushExpectation): void {
    for (const verdict of verdicts) this.statuses.add(verdict.status);
    if (isLenient) return;
    this.strict.sent++;
    if (status === 200) this.strict.done++;
  }
}

/** Two brands and what they must hold. */
class World {
  readonly #ids = new Map<TestCollection, string[]>();
  readonly #sides: readonly Side[];

  readonly tally: Tally;

  constructor(brands: readonly TestBrand[], tally: Tally) {
    this.tally = tally;
    this.#sides = brands.map((brand, n) => ({
      brand,
      model: new BrandModel(MARKERS[n] ?? ''),
      followed: new Map<TestCollection, Followed>(),
    }));
  }

  /** Sends one request, and holds the answer against the model. */
  async take(step: Step): Promise<void> {
    const { who, path, action } = step;
    const side = this.#sides[who];
    if (side === undefined) return;
    const problem =
      path === PROFILE
        ? await this.#profile(side, action, marked(step.body, who), who)
        : await this.#collection(side, collectionAt(path), step);
    if (problem !== undefined) throw new Error(`${action} ${path} by ${MARKERS[who]}: ${problem}`);
  }

  /** Everything, read anew and followed from every token, is what the model says. */
  async check(paths: ReadonlySet<string>): Promise<void> {
    for (const who of [0, 1] as const) {
      for (const path of paths) {
        const actions: readonly Step['action'][] = path === PROFILE ? ['find'] : ['list', 'follow'];
        for (const action of actions) {
          const targets = action === 'follow' ? this.#tokens(who, collectionAt(path)) : 1;
          for (let target = 0; target < targets; target++) {
            await this.take({ ...NOTHING, who, path, action, target });
          }
        }
      }
    }
  }

  /** How many tokens of a collection a brand has been given. */
  #tokens(who: number, of: TestCollection): number {
    return this.#sides[who]?.followed.get(of)?.size ?? 1;
  }

  async #profile(
    { brand, model }: Side,
    action: string,
    body: unknown,
    who: number,
  ): Promise<string | undefined> {
    if (action !== 'PUT' && action !== 'PATCH') {
      const answer = await brand.send('GET', '/profile');
      return (
        leak(answer, who) ??
        mismatch({ status: 200, shown: model.profile }, answer, answer.body['brand'])
      );
    }
    const expected = model.changeProfile(action, body);
    const sent = { brand: body, connection: {} };
    const answer = await brand.send(action, '/profile', sent);
    return leak(answer, who) ?? mismatch(expected, answer, answer.body['brand']);
  }

  async #collection(side: Side, of: TestCollection, step: Step): Promise<string | undefined> {
    const { action } = step;
    if (action === 'push') return this.#push(side, of, step);
    if (action === 'follow') return this.#follow(side, of, step);
    const { brand, model } = side;
    const { who, target, isKeyed } = step;
    const { path } = of;
    const body = marked(step.body, who);
    if (action === 'list') {
      const answer = await brand.send('GET', path);
      const ids = resourcesOf(answer).map(({ id }) => id);
      const known = [...model.resources(of).keys()];
      if (JSON.stringify(ids) !== JSON.stringify(known))
        return `the list is ${ids.join()}, not ${known.join()}`;
      const wrong = resourcesOf(answer).map((resource) =>
        mismatch(model.find(of, resource.id), answer, resource),
      );
      return leak(answer, who) ?? wrong.find((problem) => problem !== undefined);
    }
    if (action === 'create') {
      const expected = model.create(of, body);
      const answer = await this.#post(brand, path, body, {}, isKeyed);
      const problem =
        leak(answer, who) ?? mismatch(expected, answer, Object.values(answer.body)[0]);
      if (problem === undefined && expected.shown)
        this.#remember(model, of, answer, expected.shown);
      return problem;
    }
    const id = this.#idsOf(of)[target] ?? UNKNOWN;
    const item = `${path}/${id}`;
    const [expected, answer]: [Expectation, Answer] =
      action === 'find'
        ? [model.find(of, id), await brand.send('GET', item)]
        : action === 'DELETE'
          ? [model.remove(of, id), await brand.send('DELETE', item)]
          : [model.change(of, action, id, body), await brand.send(action, item, body)];
    return leak(answer, who) ?? mismatch(expected, answer, Object.values(answer.body)[0]);
  }

  async #push({ brand, model }: Side, of: TestCollection, step: Step): Promise<string | undefined> {
    const { who, push, isKeyed } = step;
    // Most ids are of this brand, and in use.
    const own = [...model.resources(of).keys()];
    const request = pushRequest(
      of,
      push,
      (n) => (n % 7 === 0 ? this.#idsOf(of)[n] : own[n % own.length]) ?? UNKNOWN,
      (body) => marked(body, who),
    );
    const expected = model.push(of, push, request.items);
    const { target, body, headers } = request;
    const answer = await this.#post(brand, target, body, headers, isKeyed && !push.isDryRun);
    const problem = leak(answer, who) ?? pushMismatch(of, push, expected, answer);
    this.tally.note(push, expected);
    if (problem !== undefined || push.isDryRun) return problem;
    for (const [index, verdict] of expected.verdicts.entries()) {
      const id = resultIds(answer)[index] ?? '';
      model.pushed(of, id, verdict);
      if (verdict.status === 'created') this.#idsOf(of).push(id);
    }
    return undefined;
  }

  async #follow(
    { brand, model, followed }: Side,
    of: TestCollection,
    { who, target, limit }: Step,
  ): Promise<string | undefined> {
    const tokens = followed.get(of) ?? new Followed();
    followed.set(of, tokens);
    const { token, place } = tokens.pick(target);
    const walked = await walk(brand, of, token, limit);
    tokens.note({ token: walked.token, place: model.now(of) });
    for (const other of collections.filter((one) => one !== of)) {
      const refused = await brand.send('GET', `${other.path}?since=${walked.token}`);
      if (refused.status !== 400) return `a token of ${of.path} is good for ${other.path}`;
    }
    const leaked = JSON.stringify(walked.resources).includes(MARKERS[1 - who] ?? '');
    return leaked ? 'it shows the other brand' : followMismatch(model, of, place, walked);
  }

  /** Sends a POST. With an Idempotency-Key it is sent again, which gives the same answer, and with another body, which is refused. */
  async #post(
    brand: TestBrand,
    target: string,
    body: unknown,
    headers: Record<string, string>,
    isKeyed: boolean,
  ): Promise<Answer> {
    if (!isKeyed) return brand.send('POST', target, body, { headers });
    const keyed = { headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() } };
    const first = await brand.send('POST', target, body, keyed);
    const again = await brand.send('POST', target, body, keyed);
    const isReplay = again.headers.get('Idempotent-Replayed') === 'true';
    if (again.text !== first.text || isReplay !== first.status < 300) {
      throw new Error(`POST ${target}: ${first.text}, and sent again: ${again.text}`);
    }
    const raw = `${JSON.stringify(body)} `;
    const other = await brand.send('POST', target, undefined, { ...keyed, raw });
    if (other.status !== (first.status < 300 ? 422 : first.status)) {
      throw new Error(`POST ${target} with the key of another: ${other.status} ${other.text}`);
    }
    return first;
  }

  #remember(model: BrandModel, of: TestCollection, answer: Answer, shown: object): void {
    const [resource] = Object.values(answer.body);
    if (typeof resource !== 'object' || resource === null || !('id' in resource)) return;
    const id = String(resource.id);
    model.created(of, id, { ...shown });
    this.#idsOf(of).push(id);
  }

  /** The ids of a collection that were created, of both brands. */
  #idsOf(of: TestCollection): string[] {
    const ids = this.#ids.get(of) ?? [];
    this.#ids.set(of, ids);
    return ids;
  }
}

interface Side {
  readonly brand: TestBrand;
  readonly model: BrandModel;
  readonly followed: Map<TestCollection, Followed>;
}

/** What a step is drawn with that needs nothing drawn. */
const NOTHING: Omit<Step, 'who' | 'path' | 'action'> = {
  target: 0,
  body: {},
  push: {
    match: 'id',
    items: [],
    isLenient: false,
    isMinimal: false,
    isDryRun: false,
    ifNewer: false,
  },
  limit: undefined,
  isKeyed: false,
};

/** A body with the marker of the brand that sends it. */
function marked(body: unknown, who: 0 | 1): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll('MARK', MARKERS[who]));
}

function leak({ text, headers }: Answer, who: number): string | undefined {
  const other = MARKERS[1 - who] ?? '';
  const everything = text + JSON.stringify([...headers]);
  return everything.includes(other) ? `it shows ${other}: ${everything}` : undefined;
}

type Start = () => Promise<Service | undefined>;
const services: readonly (readonly [string, readonly TestCollection[], Start])[] = [
  ['the service', collections, () => Promise.resolve(undefined)],
  ['a service with a third collection', [widgets], serviceWithWidgets],
];

describe.each(services)('Two brands that ask %s for anything at all', (_, asked, start) => {
  const paths = [...asked, ...asked].map(({ path }) => path).concat(PROFILE);
  const { runs, seed } = inject('fuzz');

  it(
    `get what the model says, in ${runs} runs of up to ${STEPS} requests`,
    async () => {
      const service = await start();
      let requests = 0;
      const tally = new Tally();
      const property = fc.asyncProperty(
        fc.array(stepOf(...paths), { minLength: 10, maxLength: STEPS, size: 'max' }),
        async (steps) => {
          const world = new World(
            await Promise.all(MARKERS.map((marker) => TestBrand.create(marker, service))),
            tally,
          );
          for (const [n, next] of steps.entries()) {
            // The tokens that this gives report at the end what the second half has done.
            if (n === Math.floor(steps.length / 2)) await world.check(new Set(paths));
            await world.take(next);
          }
          await world.check(new Set(paths));
          requests += steps.length;
        },
      );
      // The error that fast-check throws tells the seed: FUZZ_SEED repeats it.
      await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
      expect(requests).toBeGreaterThanOrEqual(runs * 10);
      // The pushes did what is tested, and most of them went through.
      const times = asked.some(({ sourceTime }) => sourceTime !== undefined);
      expect([...tally.statuses].sort()).toEqual([
        ...['created', 'deleted', 'refused'],
        ...(times ? ['stale'] : []),
        ...['unchanged', 'updated'],
      ]);
      expect(tally.strict.done / tally.strict.sent).toBeGreaterThan(0.3);
    },
    runs * 2000,
  );
});
