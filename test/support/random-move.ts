import { expect } from 'vitest';
import type { Move } from '../../mover/index.ts';
import { abortMove, advance, beginMove, openMove, redirect, unfreeze } from '../../mover/index.ts';
import { AdminError } from '../../tools/admin/admin-error.ts';
import { brandName, deleteBrand, deleteRest } from '../../tools/admin/brands.ts';
import type { Finding } from '../../tools/admin/check/check.ts';
import { faultsOfBrands } from '../../tools/admin/check/check.ts';
import type { Execute } from '../../tools/admin/execute.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import type { IssuedKey } from '../../tools/admin/keys.ts';
import { issueKey, revokeKey, rotateKey } from '../../tools/admin/keys.ts';
import { resumeBrand, suspendBrand } from '../../tools/admin/suspension.ts';
import { resetTokens } from '../../tools/admin/tokens.ts';
import type { Answer } from './brand.ts';
import { resourceOf, resourcesOf, TestBrand } from './brand.ts';
import { collectionAt } from './collections.ts';
import { databases, PAST, several } from './databases.ts';
import { D1_ERRORS } from './faults.ts';
import { Follower } from './follower.ts';
import type { Failures } from './interleaving.ts';
import { Interleaving } from './interleaving.ts';
import { dataIn } from './moved-brand.ts';
import type { Chance } from './random-move/chance.ts';

type Home = 0 | 1 | 2;
const NUMBERS: readonly Home[] = [0, 1, 2];

type Request = readonly [
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string> | undefined,
];

/** The databases as an actor has them. */
type Gated = Readonly<Record<Home, D1Database>>;

/** What a key must be answered. */
interface KnownKey {
  readonly brand: TestBrand;
  state: 'live' | 'dead' | 'unknown';
}

/** The values that something may have, as far as its writer knows: several after an answer that was lost. */
type Possible = Set<string | null>;

/** A follower, which starts again if its token is no longer good. */
interface Following {
  current: Follower;
  readonly restart: () => Follower;
}

/**
 * A brand that moves between three databases while clients and operators use it. The order of all calls to D1 is left to
 * chance, and so is which of them fail.
 */
export class RandomMove {
  readonly #course: Interleaving;
  readonly #chance: Chance;
  readonly #brand: TestBrand;
  readonly #mark: string;
  /** By SKU: the title, or null. */
  readonly #titles = new Map<string, Possible>();
  /** By id: the code, or null. */
  readonly #codes = new Map<string, Possible>();
  readonly #keys: KnownKey[] = [];
  #profile: Possible;
  #isSuspended: boolean | undefined = false;
  #resets = 0;
  #deletion: 'none' | 'begun' | 'done' = 'none';
  #clients = 0;
  readonly #skus = new Map<string, string>();
  #count = 0;
  /** The ids of the moves that were settled. */
  readonly settled = new Set<string>();

  private constructor(brand: TestBrand, seed: number) {
    this.#brand = brand;
    this.#mark = brand.issued.brandId.slice(-8);
    this.#profile = new Set(['Test brand']);
    this.#course = new Interleaving(seed, (name) => this.#expectOneHome(name));
    this.#chance = this.#course.chance;
  }

  static async create(seed: number): Promise<RandomMove> {
    return new RandomMove(await TestBrand.create('Test brand', several), seed);
  }

  get journal(): string {
    return this.#course.journal.slice(-60).join('\n');
  }

  /** Lets all act, and then expects that nothing was lost. */
  async run(): Promise<void> {
    const chance = this.#chance;
    const failures = chance.of<Failures>([
      {},
      { before: 0.02, lost: 0.05, late: 0.05 },
      { lost: 0.1 },
      { late: 0.15 },
    ]);
    const heavy = (): number => chance.of([0.3, 1, 3]);
    const writers = [0, 1].map((n) => [`writer ${n}`, heavy()] as const);
    const actors: Record<string, () => Promise<void>> = {};
    for (const [name, weight] of writers) {
      const gated = this.#gated(name, chance.of([{}, { before: 0.01, lost: 0.03 }]), weight);
      actors[name] = () => this.#client(() => this.#write(gated, name));
    }
    const reader = this.#gated('reader');
    actors['reader'] = () => this.#client(() => this.#tryKey(reader));
    const following = this.#gated('follower', {}, heavy());
    const follows = ['/products', '/coupon-codes'].map((path) => this.#follower(following, path));
    actors['follower'] = () =>
      this.#client(async () => {
        for (const follower of follows) await this.#follow(follower);
      });
    const operator = this.#gated('operator', chance.of([{}, { lost: 0.05 }]), 0.5);
    actors['operator'] = () => this.#client(() => this.#operate(operator), 8);
    const mostMoves = chance.of([1, 3, 10]);
    const movers = chance.of([1, 2, 2]);
    for (let n = 0; n < movers; n++) {
      const gated = this.#gated(`mover ${n}`, failures, mostMoves);
      actors[`mover ${n}`] = async () => {
        while (this.#clients > 0) await this.#moveOn(gated);
      };
    }
    const checker = this.#gated('check');
    actors['check'] = () => this.#client(() => this.#check(checker), 2);
    await this.#course.run(actors);
    await this.#finish(follows);
  }

  #gated(name: string, failures: Failures = {}, weight = 1): Gated {
    const gate = (number: Home): D1Database =>
      this.#course.gate(databases[number], name, failures, weight);
    return { 0: gate(0), 1: gate(1), 2: gate(2) };
  }

  async #client(act: () => Promise<void>, times = 12): Promise<void> {
    this.#clients++;
    for (let n = 0; n < times; n++) await act();
    this.#clients--;
  }

  async #send(
    gated: Gated,
    [method, path, body, headers = {}]: Request,
    brand = this.#brand,
  ): Promise<Answer> {
    const wasSuspended = this.#isSuspended;
    const options = { headers, db: gated[0], databases: { DB_1: gated[1], DB_2: gated[2] } };
    const answer = await brand.send(method, path, body, options);
    if (answer.status === 403) {
      // Suspended before, or meanwhile.
      expect(wasSuspended !== false || this.#isSuspended !== false, answer.text).toBe(true);
    }
    if (answer.status === 401 && brand === this.#brand) {
      expect(this.#deletion, `${method} ${path}: ${answer.text}`).not.toBe('none');
    }
    return answer;
  }

  /** Sends a write that is done or not, as its answer says. */
  async #change(
    gated: Gated,
    name: string,
    request: Request,
    effects: readonly (readonly [possible: Possible, value: string | null])[],
  ): Promise<Answer | undefined> {
    const failuresBefore = this.#course.failuresOf(name);
    const answer = await this.#send(gated, request);
    if (answer.status < 300) {
      for (const [possible, value] of effects) {
        possible.clear();
        possible.add(value);
      }
      return answer;
    }
    expect([401, 403, 503], `${request.slice(0, 2).join(' ')}: ${answer.text}`).toContain(
      answer.status,
    );
    // It may be done if an answer of D1 was lost; if none was, it is not.
    const isUnknown = this.#course.failuresOf(name) > failuresBefore;
    if (isUnknown) for (const [possible, value] of effects) possible.add(value);
    return undefined;
  }

  async #write(gated: Gated, name: string): Promise<void> {
    const n = ++this.#count;
    const mine = [...this.#titles].filter(
      ([sku, possible]) => sku.startsWith(`${this.#mark} ${name}`) && possible.size === 1,
    );
    const present = mine.filter(([, possible]) => !possible.has(null));
    const title = `${this.#mark}-${n}`;
    const kind = this.#chance.below(8);
    const [sku = '', possible = new Set<string | null>()] =
      present.length > 0 ? this.#chance.of(present) : [];
    const id = this.#skus.get(sku);
    if (kind === 0 || present.length === 0 || id === undefined)
      return this.#create(gated, name, title);
    if (kind === 1) {
      const headers: Record<string, string> = {};
      const found = await this.#send(gated, ['GET', `/products/${id}`]);
      expect([200, 401, 403, 503]).toContain(found.status);
      if (found.status === 200) {
        expect([...possible]).toContain(resourceOf(found)['title']);
        headers['If-Match'] = found.headers.get('ETag') ?? '';
      }
      await this.#change(
        gated,
        name,
        ['PATCH', `/products/${id}`, { title }, headers],
        [[possible, title]],
      );
    } else if (kind === 2) {
      await this.#change(gated, name, ['PATCH', `/products/${id}`, { title }], [[possible, title]]);
    } else if (kind === 3) {
      await this.#change(gated, name, ['DELETE', `/products/${id}`], [[possible, null]]);
    } else if (kind === 4) {
      await this.#push(gated, name, title, mine);
    } else if (name === 'writer 0' && kind === 5) {
      await this.#change(
        gated,
        name,
        ['PATCH', '/profile', { brand: { brandName: title } }],
        [[this.#profile, title]],
      );
    } else {
      await this.#changeCode(gated, name, title);
    }
  }

  #possible(sku: string): Possible {
    const known = this.#titles.get(sku) ?? new Set([null]);
    this.#titles.set(sku, known);
    return known;
  }

  async #create(gated: Gated, name: string, title: string): Promise<void> {
    const sku = `${this.#mark} ${name} ${this.#count}`;
    const body = { title, priceCents: 1, sku, description: 'x'.repeat(this.#chance.below(300)) };
    const answer = await this.#change(
      gated,
      name,
      ['POST', '/products', body],
      [[this.#possible(sku), title]],
    );
    if (answer) this.#skus.set(sku, resourceOf(answer).id);
  }

  async #push(
    gated: Gated,
    name: string,
    title: string,
    mine: readonly (readonly [string, Possible])[],
  ): Promise<void> {
    const made = `${this.#mark} ${name} ${this.#count}`;
    const some = mine.filter(() => this.#chance.happens(0.4));
    const items = [
      ...some.map(([sku, possible]) =>
        this.#chance.happens(0.3) && !possible.has(null)
          ? { sku, deleted: true, effect: [possible, null] as const }
          : { sku, title, priceCents: 1, effect: [possible, title] as const },
      ),
      { sku: made, title, priceCents: 1, effect: [this.#possible(made), title] as const },
    ];
    const products = items.map(({ effect: _, ...item }) => item);
    const isKeyed = this.#chance.happens(0.6);
    const headers = isKeyed ? { 'Idempotency-Key': title } : undefined;
    const request: Request = ['POST', '/products?match=sku', { products }, headers];
    const answer = await this.#change(
      gated,
      name,
      request,
      items.map(({ effect }) => effect),
    );
    if (answer === undefined) return;
    const ids = JSON.stringify(answer.body['results']);
    if (isKeyed) {
      const again = await this.#send(gated, request);
      if (again.status < 300) {
        expect(again.headers.get('Idempotent-Replayed')).toBe('true');
        expect(JSON.stringify(again.body['results'])).toBe(ids);
      }
    }
    for (const sku of items.map((item) => item.sku)) {
      const found = await this.#send(gated, ['GET', `/products?sku=${encodeURIComponent(sku)}`]);
      const [resource] = found.status === 200 ? resourcesOf(found) : [];
      // It may have been deleted, and created again.
      if (resource) this.#skus.set(sku, resource.id);
      else this.#skus.delete(sku);
    }
  }

  /** Creates a code, or lets two codes change hands. */
  async #changeCode(gated: Gated, name: string, code: string): Promise<void> {
    const known = [...this.#codes].filter(
      ([, possible]) => possible.size === 1 && !possible.has(null),
    );
    const [one, other] = known.slice(this.#chance.below(Math.max(1, known.length - 1)));
    if (name !== 'writer 0') return;
    if (one === undefined || other === undefined || this.#chance.happens(0.3)) {
      const created: Possible = new Set([null]);
      const answer = await this.#change(
        gated,
        name,
        ['POST', '/coupon-codes', { code: code, discountPercent: 1 }],
        [[created, code]],
      );
      if (answer) this.#codes.set(resourceOf(answer).id, created);
      return;
    }
    const patch = (
      [id, possible]: readonly [string, Possible],
      value: string,
    ): Promise<Answer | undefined> =>
      this.#change(
        gated,
        name,
        ['PATCH', `/coupon-codes/${id}`, { code: value }],
        [[possible, value]],
      );
    const [a, b] = [[...one[1]][0] ?? '', [...other[1]][0] ?? ''];
    if (await patch(one, `TEMPORARY-${this.#count}`)) {
      if (await patch(other, a)) await patch(one, b);
    }
  }

  async #tryKey(gated: Gated): Promise<void> {
    if (this.#keys.length === 0) return;
    const key = this.#chance.of(this.#keys);
    const before = key.state;
    const { status } = await this.#send(gated, ['GET', '/profile'], key.brand);
    if (this.#deletion !== 'none') return;
    if (before === 'dead') expect([401, 503]).toContain(status);
    if (before === 'live' && key.state === 'live') expect([200, 403, 503]).toContain(status);
  }

  #follower(gated: Gated, path: string): Following {
    const service = { ...several, db: gated[0], databases: { DB_1: gated[1], DB_2: gated[2] } };
    const brand = this.#brand.with(this.#brand.issued, service);
    const restart = (): Follower =>
      new Follower(brand, collectionAt(path), this.#chance.of([1, 3, 250]));
    return { current: restart(), restart };
  }

  async #follow(follower: Following): Promise<void> {
    const before = this.#resets;
    try {
      await follower.current.readPage(
        this.#chance.of(['saves it', 'saves it', 'loses it', 'loses its token']),
      );
    } catch (error) {
      const text = String(error);
      if (text.includes(': 410 ')) {
        expect(before + this.#resets).toBeGreaterThan(0);
        follower.current = follower.restart();
      } else if (text.includes(': 401 ')) {
        expect(this.#deletion).not.toBe('none');
      } else if (!/: (503|403) /.test(text)) {
        throw error;
      }
    }
  }

  /** A command of the admin tool, in the database that has the brand. Returns undefined if none did it. */
  async #command<T>(gated: Gated, run: (execute: Execute) => Promise<T>): Promise<T | undefined> {
    for (const number of NUMBERS) {
      try {
        return await run(executeOn(gated[number], 'tests', number));
      } catch (error) {
        if (error instanceof AdminError && /There is no|has moved|is moving/.test(error.message))
          continue;
        throw error;
      }
    }
    return undefined;
  }

  async #operate(gated: Gated): Promise<void> {
    const { brandId } = this.#brand.issued;
    if (this.#deletion === 'done') return;
    const kind = this.#chance.below(12);
    const live = this.#keys.filter(({ state }) => state === 'live');
    try {
      if (kind <= 2 || live.length === 0) {
        const issued = await this.#command(gated, (execute) => issueKey(execute, brandId, {}));
        if (issued) this.#know(issued);
      } else if (kind <= 5) {
        const key = this.#chance.of(live);
        key.state = 'unknown';
        const revoked = await this.#command(gated, async (execute) => {
          await revokeKey(execute, key.brand.issued.keyId);
          return true;
        });
        key.state = revoked ? 'dead' : 'live';
      } else if (kind <= 7) {
        const key = this.#chance.of(live);
        key.state = 'unknown';
        const rotated = await this.#command(gated, (execute) =>
          rotateKey(execute, key.brand.issued.keyId, 0, {}),
        );
        key.state = rotated ? 'dead' : 'live';
        if (rotated) this.#know(rotated);
      } else if (kind <= 9) {
        const before = this.#isSuspended;
        const to = before === undefined ? this.#chance.happens(0.5) : !before;
        this.#isSuspended = undefined;
        const done = await this.#command(gated, async (execute) => {
          await (to ? suspendBrand(execute, brandId) : resumeBrand(execute, brandId));
          return true;
        });
        this.#isSuspended = done ? to : before;
      } else if (kind === 10) {
        this.#resets++;
        await this.#command(gated, (execute) => resetTokens(execute, brandId));
      } else if (this.#chance.happens(0.3)) {
        const before = this.#deletion;
        this.#deletion = 'begun';
        const done = await this.#command(gated, async (execute) => {
          // A database that does not know the brand has nothing to delete.
          await brandName(execute, brandId);
          await deleteBrand(execute, brandId);
          return execute.database;
        });
        if (done === undefined) this.#deletion = before;
        if (done === undefined) return;
        for (const number of NUMBERS) {
          if (number === done) continue;
          await deleteRest(executeOn(gated[number], 'tests', number), brandId).catch(refuseOthers);
        }
        this.#deletion = 'done';
      } else {
        // The schedule of the mover, a minute later.
        for (const number of NUMBERS) {
          await databases[number]
            .prepare(
              'update api_keys set frozen_at = ? where brand_id = ? and frozen_at is not null',
            )
            .bind(PAST, brandId)
            .run();
          await unfreeze(gated[number]);
        }
      }
    } catch (error) {
      // Its answer was lost. What was to be dead is unknown.
      if (
        !isPassing(error) &&
        !(error instanceof AdminError && error.message.includes('suspended'))
      )
        throw error;
    }
  }

  #know(issued: IssuedKey): void {
    this.#keys.push({ brand: this.#brand.with(issued), state: 'live' });
  }

  async #moveOn(gated: Gated): Promise<void> {
    const { brandId } = this.#brand.issued;
    try {
      const open: Move[] = [];
      for (const number of NUMBERS) {
        const move = await openMove(gated[number], number, brandId);
        if (move) open.push(move);
      }
      if (open.length === 0 || this.#chance.happens(0.2)) {
        const [source = this.#chance.of(NUMBERS)] = await this.#homes();
        const target = this.#chance.of(NUMBERS.filter((number) => number !== source));
        const begun = await beginMove(gated[source], { brandId, source, target, actor: 'tests' });
        if (begun) open.push(begun);
      }
      if (open.length === 0) return;
      const move = this.#chance.of(open);
      if (this.#chance.happens(0.02)) {
        await abortMove(gated[numbered(move.source)], move, 'tests');
        return;
      }
      const limits = {
        ...{
          rows: this.#chance.of([2, 10, 100]),
          bytes: 5000,
          deletions: this.#chance.of([2, 50]),
        },
        ...{
          commits: this.#chance.of([1, 3]),
          frozen: this.#chance.of([0, 60_000]),
          days: this.#chance.of([0, 7]),
        },
      };
      const step = await advance(gated[numbered(move.source)], gated[numbered(move.target)], move, {
        limits,
      });
      if (step.state === 'aborted') await this.#expectAborted(move);
      if (step.isSettled) {
        this.settled.add(move.id);
        for (const number of NUMBERS) {
          if (number !== move.source && number !== move.target) await redirect(gated[number], move);
        }
      }
    } catch (error) {
      if (!isPassing(error) && this.#deletion === 'none') throw error;
    }
  }

  async #check(gated: Gated): Promise<void> {
    const all = NUMBERS.map((number) => executeOn(gated[number], 'tests', number));
    const before = this.#deletion;
    const found: Finding[] = await faultsOfBrands(all, [this.#brand.issued.brandId]);
    if (before === 'none' && this.#deletion === 'none') expect(JSON.stringify(found)).toBe('[]');
  }

  /** Expects that no two databases accept keys of the brand. */
  async #expectOneHome(name: string): Promise<void> {
    if (!/^(mover|operator)/.test(name)) return;
    const live = await this.#homes();
    expect(live.length, `homes: ${live.join()}`).toBeLessThanOrEqual(1);
  }

  /** The databases that accept keys of the brand. */
  async #homes(): Promise<Home[]> {
    const live: Home[] = [];
    for (const number of NUMBERS) {
      const row = await databases[number]
        .prepare('select 1 from api_keys where brand_id = ? and moved_to is null limit 1')
        .bind(this.#brand.issued.brandId)
        .first();
      if (row !== null) live.push(number);
    }
    return live;
  }

  /** Expects that a move was given up for no other reason than that somebody wanted it. */
  async #expectAborted({ source, brandId, id }: Move): Promise<void> {
    const row = await databases[numbered(source)]
      .prepare(
        `select reason from moves where brand_id = ? and id = ? and state <> 'copying' and state <> 'gone' and state <> 'tidied'`,
      )
      .bind(brandId, id)
      .first();
    // A run that another one has overtaken gives nothing up.
    if (this.#deletion !== 'none' || row === null) return;
    expect(['tests', 'The tokens were reset.']).toContain(row['reason']);
  }

  async #finish(followers: readonly Following[]): Promise<void> {
    const { brandId } = this.#brand.issued;
    for (let round = 0; round < 3; round++) {
      for (const number of NUMBERS) {
        const move = await openMove(databases[number], number, brandId);
        if (move === undefined) continue;
        const [source, target] = [
          databases[numbered(move.source)],
          databases[numbered(move.target)],
        ];
        for (let steps = 0; ; steps++) {
          expect(steps).toBeLessThan(500);
          const step = await advance(source, target, move, { limits: { days: 0 } });
          if (step.next !== 'again') break;
        }
      }
    }
    if (this.#deletion !== 'none' && (await this.#brand.send('GET', '/profile')).status === 401) {
      const execute = NUMBERS.map((number) => executeOn(databases[number], 'tests', number));
      for (const each of execute) {
        await deleteBrand(each, brandId).catch(refuseOthers);
        await deleteRest(each, brandId).catch(refuseOthers);
      }
      for (const number of NUMBERS) expect(await dataIn(number, brandId)).toBe(0);
      expect(await faultsOfBrands(execute, [brandId])).toEqual([]);
      return;
    }
    expect(this.#deletion).not.toBe('done');
    await this.#expectAll(followers);
  }

  async #expectAll(followers: readonly Following[]): Promise<void> {
    const { brandId } = this.#brand.issued;
    const all = NUMBERS.map((number) => executeOn(databases[number], 'tests', number));
    expect(JSON.stringify(await faultsOfBrands(all, [brandId]))).toBe('[]');
    if (this.#isSuspended !== false) {
      const { status } = await this.#brand.send('GET', '/profile');
      if (this.#isSuspended === true) expect(status).toBe(403);
      if (status === 403)
        for (const each of all) await resumeBrand(each, brandId).catch(refuseOthers);
    }
    const profile = await this.#brand.send('GET', '/profile');
    expect(profile.status, profile.text).toBe(200);
    expect(
      [...this.#profile].some((name) => profile.text.includes(JSON.stringify(name))),
      profile.text,
    ).toBe(true);
    const products = resourcesOf(await this.#brand.send('GET', '/products'));
    for (const [sku, possible] of this.#titles) {
      const titles = products
        .filter((product) => product['sku'] === sku)
        .map(({ title }) => String(title));
      expect(titles.length, `${sku}: ${titles.join()}`).toBeLessThanOrEqual(1);
      expect([...possible], sku).toContain(titles[0] ?? null);
    }
    expect(products.every(({ sku }) => this.#titles.has(String(sku)))).toBe(true);
    const codes = resourcesOf(await this.#brand.send('GET', '/coupon-codes'));
    for (const [id, possible] of this.#codes) {
      expect([...possible]).toContain(codes.find((code) => code.id === id)?.['code'] ?? null);
    }
    for (const { brand, state } of this.#keys) {
      const { status } = await brand.send('GET', '/profile');
      if (state !== 'unknown') expect(status, state).toBe(state === 'live' ? 200 : 401);
    }
    for (const { current, restart } of followers) {
      const { of } = current;
      const now = resourcesOf(await this.#brand.send('GET', of.path)).sort((one, other) =>
        one.id < other.id ? -1 : 1,
      );
      const follower = await caughtUp(current).catch(() => {
        expect(this.#resets).toBeGreaterThan(0);
        return caughtUp(restart());
      });
      expect(follower.resources).toEqual(now);
    }
  }
}

async function caughtUp(follower: Follower): Promise<Follower> {
  await follower.catchUp();
  return follower;
}

/** @throws Error unless a database refuses because the brand is not at home there */
function refuseOthers(error: unknown): void {
  if (!(error instanceof AdminError)) throw error;
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && error.message.includes(D1_ERRORS.passing[0]);
}

/** @throws Error if it is none of the three databases */
function numbered(number: number): Home {
  const found = NUMBERS.find((one) => one === number);
  if (found === undefined) throw new Error(`There is no database ${number}.`);
  return found;
}
