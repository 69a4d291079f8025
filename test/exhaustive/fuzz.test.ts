import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { Answer, Service } from '../support/brand.ts';
import { resourcesOf, TestBrand } from '../support/brand.ts';
import type { Expectation } from '../support/model.ts';
import { BrandModel, mismatch } from '../support/model.ts';
import type { Kind } from '../support/model-fields.ts';
import { Followed, followMismatch, walk } from '../support/model-follower.ts';
import { pushMismatch, pushRequest, resultIds } from '../support/push-exchange.ts';
import type { Step } from '../support/requests.ts';
import { stepOf } from '../support/requests.ts';
import { serviceWithWidgets } from '../support/widget-service.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const STEPS = 40;
const MARKERS = ['MARKERALPHA', 'MARKEROMEGA'] as const;

/** Two brands and what they must hold. */
class World {
  readonly ids: Record<Kind, string[]> = { products: [], 'coupon-codes': [], widgets: [] };
  readonly #sides: readonly Side[];

  constructor(brands: readonly TestBrand[]) {
    this.#sides = brands.map((brand, n) => ({
      brand,
      model: new BrandModel(MARKERS[n] ?? ''),
      followed: {
        products: new Followed(),
        'coupon-codes': new Followed(),
        widgets: new Followed(),
      },
    }));
  }

  /** Sends one request, and holds the answer against the model. */
  async take(step: Step): Promise<void> {
    const { who, kind, action } = step;
    const side = this.#sides[who];
    if (side === undefined) return;
    const problem =
      kind === 'profile'
        ? await this.#profile(side, action, marked(step.body, who), who)
        : action === 'push'
          ? await this.#push(side, kind, step)
          : action === 'follow'
            ? await this.#follow(side, kind, step)
            : await this.#collection(side, kind, action, step);
    if (problem !== undefined) throw new Error(`${action} ${kind} by ${MARKERS[who]}: ${problem}`);
  }

  /** Everything, read anew, is what the model says. */
  async check(kinds: ReadonlySet<Step['kind']>): Promise<void> {
    for (const who of [0, 1] as const) {
      for (const kind of kinds) {
        for (const action of kind === 'profile'
          ? (['find'] as const)
          : (['list', 'follow'] as const)) {
          await this.take({ ...NOTHING, who, kind, action });
        }
      }
    }
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

  async #collection(
    { brand, model }: Side,
    kind: Kind,
    action: Exclude<Step['action'], 'push' | 'follow'>,
    { who, target, isKeyed, ...step }: Step,
  ): Promise<string | undefined> {
    const path = `/${kind}`;
    const body = marked(step.body, who);
    if (action === 'list') {
      const answer = await brand.send('GET', path);
      const ids = resourcesOf(answer).map(({ id }) => id);
      const known = [...model.resources[kind].keys()];
      if (JSON.stringify(ids) !== JSON.stringify(known))
        return `the list is ${ids.join()}, not ${known.join()}`;
      const wrong = resourcesOf(answer).map((resource) =>
        mismatch(model.find(kind, resource.id), answer, resource),
      );
      return leak(answer, who) ?? wrong.find((problem) => problem !== undefined);
    }
    if (action === 'create') {
      const expected = model.create(kind, body);
      const answer = await this.#post(brand, path, body, {}, isKeyed);
      const problem =
        leak(answer, who) ?? mismatch(expected, answer, Object.values(answer.body)[0]);
      if (problem === undefined && expected.shown)
        this.#remember(model, kind, answer, expected.shown);
      return problem;
    }
    const id = this.ids[kind][target] ?? UNKNOWN;
    const item = `${path}/${id}`;
    const [expected, answer]: [Expectation, Answer] =
      action === 'find'
        ? [model.find(kind, id), await brand.send('GET', item)]
        : action === 'DELETE'
          ? [model.remove(kind, id), await brand.send('DELETE', item)]
          : [model.change(kind, action, id, body), await brand.send(action, item, body)];
    return leak(answer, who) ?? mismatch(expected, answer, Object.values(answer.body)[0]);
  }

  async #push({ brand, model }: Side, kind: Kind, step: Step): Promise<string | undefined> {
    const { who, push, isKeyed } = step;
    const request = pushRequest(
      kind,
      push,
      (n) => this.ids[kind][n] ?? UNKNOWN,
      (body) => marked(body, who),
    );
    const expected = model.push(kind, push.match, request.items, push.isLenient);
    const { target, body, headers } = request;
    const answer = await this.#post(brand, target, body, headers, isKeyed && !push.isDryRun);
    const problem = leak(answer, who) ?? pushMismatch(kind, push, expected, answer);
    if (problem !== undefined || push.isDryRun) return problem;
    for (const [index, verdict] of expected.verdicts.entries()) {
      const id = resultIds(answer)[index] ?? '';
      model.pushed(kind, id, verdict);
      if (verdict.status === 'created') this.ids[kind].push(id);
    }
    return undefined;
  }

  async #follow(
    { brand, model, followed }: Side,
    kind: Kind,
    { who, target, limit }: Step,
  ): Promise<string | undefined> {
    const { token, place } = followed[kind].pick(target);
    const walked = await walk(brand, kind, token, limit);
    followed[kind].note({ token: walked.token, place: model.now(kind) });
    const other = kind === 'products' ? 'coupon-codes' : 'products';
    const refused = await brand.send('GET', `/${other}?since=${walked.token}`);
    if (refused.status !== 400) return `a token of ${kind} is good for ${other}: ${refused.text}`;
    const leaked = JSON.stringify(walked.resources).includes(MARKERS[1 - who] ?? '');
    return leaked ? 'it shows the other brand' : followMismatch(model, kind, place, walked);
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

  #remember(model: BrandModel, kind: Kind, answer: Answer, shown: object): void {
    const [resource] = Object.values(answer.body);
    if (typeof resource !== 'object' || resource === null || !('id' in resource)) return;
    const id = String(resource.id);
    model.created(kind, id, { ...shown });
    this.ids[kind].push(id);
  }
}

interface Side {
  readonly brand: TestBrand;
  readonly model: BrandModel;
  readonly followed: Readonly<Record<Kind, Followed>>;
}

/** What a step is drawn with that needs nothing drawn. */
const NOTHING: Omit<Step, 'who' | 'kind' | 'action'> = {
  target: 0,
  body: {},
  push: { match: 'id', items: [], isLenient: false, isMinimal: false, isDryRun: false },
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

type Kinds = readonly Step['kind'][];

const services: readonly (readonly [string, Kinds, () => Promise<Service | undefined>])[] = [
  [
    'the service',
    ['products', 'products', 'coupon-codes', 'coupon-codes', 'profile'],
    () => Promise.resolve(undefined),
  ],
  ['a service with a third collection', ['widgets', 'widgets', 'profile'], serviceWithWidgets],
];

describe.each(services)('Two brands that ask %s for anything at all', (_, kinds, start) => {
  const { runs, seed } = inject('fuzz');

  it(
    `get what the model says, in ${runs} runs of up to ${STEPS} requests`,
    async () => {
      const service = await start();
      let requests = 0;
      const property = fc.asyncProperty(
        fc.array(stepOf(...kinds), { minLength: 10, maxLength: STEPS, size: 'max' }),
        async (steps) => {
          const world = new World(
            await Promise.all(MARKERS.map((marker) => TestBrand.create(marker, service))),
          );
          for (const next of steps) await world.take(next);
          await world.check(new Set(kinds));
          requests += steps.length;
        },
      );
      // The error that fast-check throws tells the seed: FUZZ_SEED repeats it.
      await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
      expect(requests).toBeGreaterThanOrEqual(runs * 10);
    },
    runs * 2000,
  );
});
