import { beforeAll, describe, expect, it } from 'vitest';
import type { Move } from '../../mover/index.ts';
import { advance, redirect } from '../../mover/index.ts';
import type { Finding } from '../../tools/admin/check/check.ts';
import { faultsOfBrands, repairFaults } from '../../tools/admin/check/check.ts';
import type { Execute } from '../../tools/admin/execute.ts';
import { issueKey, revokeKey } from '../../tools/admin/keys.ts';
import { resetTokens } from '../../tools/admin/tokens.ts';
import type { Resource, TestBrand } from '../support/brand.ts';
import { resourceOf, resourcesOf } from '../support/brand.ts';
import { poll, tokenOf } from '../support/changes.ts';
import type { DatabaseNumber } from '../support/databases.ts';
import { brandIn, databases, executeIn, migrateAll } from '../support/databases.ts';
import { interceptD1 } from '../support/d1.ts';
import { begin, drive, moveIn, SMALL } from '../support/moves.ts';
import type { Moment } from '../support/restored.ts';
import { momentOf, restore } from '../support/restored.ts';

// A brand moves from database 0 to 1, on to 2, and back to 0. Then one of the databases is restored to each earlier moment,
// at each later moment of the story, and `database check` finds and repairs what that has left.

beforeAll(migrateAll);

type Place = 0 | 1 | 2;
const NUMBERS: readonly Place[] = [0, 1, 2];
const PRODUCTS = 7;
const AT_ONCE = { ...SMALL, rows: 3, days: 0 };

/** What all databases have of the brand at one moment. */
interface Chapter {
  readonly name: string;
  readonly moments: Readonly<Record<Place, Moment>>;
}

interface Story {
  readonly brand: TestBrand;
  readonly chapters: readonly Chapter[];
  /** The brand with each of its keys; the last one is revoked while the brand is in database 1. */
  readonly keys: readonly TestBrand[];
  readonly revoked: TestBrand;
  readonly versioned: string;
  readonly followers: readonly Follower[];
}

/** What a client has that follows changes. */
interface Follower {
  readonly token: string;
  readonly titles: Readonly<Record<string, unknown>>;
}

async function tell(): Promise<Story> {
  const first = await brandIn(0);
  const { brandId } = first.issued;
  const made = resourcesOf(
    await first.send('POST', '/products', {
      products: Array.from({ length: PRODUCTS }, (_, n) => ({ title: `P${n}`, priceCents: n })),
    }),
  );
  const path = `/products/${String(made[0]?.id)}`;
  const issue = async (number: DatabaseNumber): Promise<TestBrand> =>
    first.with(await issueKey(executeIn(number), brandId, {}));
  const revoked = await issue(0);
  const keys = [first];
  const followers: Follower[] = [];
  const chapters: Chapter[] = [];
  const note = async (name: string): Promise<void> => {
    const [zero, one, two] = await Promise.all(NUMBERS.map((number) => momentOf(number, brandId)));
    chapters.push({ name, moments: { 0: zero ?? [], 1: one ?? [], 2: two ?? [] } });
  };
  const use = async (number: DatabaseNumber, version: number): Promise<void> => {
    expect((await first.send('PATCH', path, { title: titleOf(version) })).status).toBe(200);
    const titles = titlesOf(resourcesOf(await first.send('GET', '/products')));
    followers.push({ token: await tokenOf(first, '/products'), titles });
    keys.push(await issue(number));
    if (number === 1) await revokeKey(executeIn(1), revoked.issued.keyId);
    await note(`used in ${number}`);
  };
  const move = async (from: DatabaseNumber, to: DatabaseNumber): Promise<void> => {
    const way = `${from} to ${to}`;
    const begun = await begin(brandId, from, to);
    if (to === 1) await note(`begun ${way}`);
    await advance(databases[from], databases[to], begun, { limits: AT_ONCE });
    await advance(databases[from], databases[to], begun, { limits: AT_ONCE });
    await note(`copying ${way}`);
    const target = interceptD1(databases[to], async (call) => {
      const row = await databases[from]
        .prepare(`select 1 from moves where brand_id = ? and state = 'gone'`)
        .bind(brandId)
        .first();
      if (row !== null) throw new Error('D1 fails.');
      return call();
    });
    await drive(begun, SMALL, { source: databases[from], target }).catch(() => undefined);
    await note(`committed ${way}`);
    await drive(begun, SMALL);
    if (to === 0) await note(`settled ${way}`);
    for (const other of NUMBERS) {
      if (other !== from && other !== to) await redirect(databases[other], begun);
    }
    await note(`redirected ${way}`);
    if (to === 1) {
      await use(to, 1);
      expect(await drive(begun, AT_ONCE)).toMatchObject({ state: 'tidied' });
      await note(`tidied ${way}`);
    } else {
      await use(to, to === 2 ? 2 : 3);
    }
  };
  await note('new');
  await move(0, 1);
  await move(1, 2);
  await move(2, 0);
  return { brand: first, chapters, keys, revoked, versioned: path, followers };
}

function titleOf(version: number): string {
  return version === 0 ? 'P0' : `V${version}`;
}

function titlesOf(resources: readonly Resource[]): Record<string, unknown> {
  return Object.fromEntries(resources.map((resource) => [resource.id, resource['title']]));
}

/** Expects that clients with tokens of before have what the service has, or are told to load everything again. */
async function expectFollowed(name: string, count: number): Promise<void> {
  const { brand, followers } = story;
  const now = titlesOf(resourcesOf(await brand.send('GET', '/products')));
  for (const { token, titles } of followers.slice(0, count)) {
    const { status } = await brand.send('GET', `/products?since=${token}`);
    if (status === 410) continue;
    const changed = (await poll(brand, '/products', token)).resources;
    expect([name, { ...titles, ...titlesOf(changed) }]).toEqual([name, now]);
  }
}

let story: Story;
beforeAll(async () => {
  story = await tell();
}, 120_000);

const all = NUMBERS.map((number) => executeIn(number));

async function put(moments: Chapter['moments']): Promise<void> {
  const { brandId } = story.brand.issued;
  for (const number of NUMBERS) await restore(number, brandId, moments[number]);
}

function rowsOf(moment: Moment, table: string): Moment[number][1] {
  return moment.find(([name]) => name === table)?.[1] ?? [];
}

/** The version of the brand that a database has whole; -1 if it has none. */
function versionIn(moment: Moment): number {
  const products = rowsOf(moment, 'products');
  if (products.length < PRODUCTS) return -1;
  const titles = products.map(({ title }) => String(title));
  return Math.max(0, ...titles.map((title) => Number(/^V(\d)$/.exec(title)?.[1] ?? 0)));
}

/** How many databases accept requests of the brand. */
async function liveHomes(): Promise<number> {
  let live = 0;
  for (const number of NUMBERS) {
    const row = await databases[number]
      .prepare('select 1 from api_keys where brand_id = ? and moved_to is null')
      .bind(story.brand.issued.brandId)
      .first();
    if (row !== null) live += 1;
  }
  return live;
}

const CTRL_C = 'The operator pressed Ctrl+C.';

/** The databases, of which the call with this number fails after it was made. */
function interrupted(at: number): Execute[] {
  let writes = 0;
  return NUMBERS.map((number) => {
    const execute = executeIn(number);
    const run = async (...statements: Parameters<Execute>): ReturnType<Execute> => {
      if (statements.length < 4) return execute(...statements);
      const before = await liveHomes();
      const results = await execute(...statements);
      // Once it is at home once, or nowhere, it is never at home twice again.
      expect(await liveHomes()).toBeLessThanOrEqual(Math.max(1, before));
      if (++writes === at) throw new Error(CTRL_C);
      return results;
    };
    return Object.assign(run, { actor: 'tests', database: number });
  });
}

async function check(): Promise<Finding[]> {
  return faultsOfBrands(all, [story.brand.issued.brandId]);
}

async function repair(at: number): Promise<Finding[]> {
  const found = await check();
  const broken = interrupted(at);
  await repairFaults(broken, found).catch((error: unknown) => {
    if (!(error instanceof Error && error.message === CTRL_C)) throw error;
  });
  return repairFaults(all, await check());
}

/** Whether the target of a move has it no more under way. */
async function isSettled({ brandId, id, target }: Move): Promise<boolean> {
  const number = NUMBERS.find((one) => one === target);
  const row = number === undefined ? null : await moveIn(number, brandId);
  return row?.['id'] !== id || row['state'] !== 'copying';
}

/** Lets the mover go on until nothing is under way. */
async function finishMoves(): Promise<void> {
  const { brandId } = story.brand.issued;
  for (let round = 0; round < 2; round++) {
    for (const source of NUMBERS) {
      const row = await databases[source]
        .prepare(
          `select * from moves where brand_id = ? and role = 'out' and state <> 'over' and state <> 'tidied'`,
        )
        .bind(brandId)
        .first();
      if (row === null) continue;
      const move: Move = {
        ...{ brandId, id: String(row['id']), generation: Number(row['generation']) },
        ...{ source, target: Number(row['peer']), actor: 'tests' },
      };
      if (row['state'] === 'gone' && (await isSettled(move))) continue;
      await drive(move, SMALL).catch((error: unknown) => {
        if (!(error instanceof Error && /cannot take|does not have/.test(error.message)))
          throw error;
      });
    }
  }
}

/** The newest version that a database has whole, as a state in which the brand was served. */
function newestIn(moments: Chapter['moments']): number {
  const rows = NUMBERS.map((number) => rowsOf(moments[number], 'moves')[0]);
  const versions = NUMBERS.map((number) => {
    const row = rows[number];
    const isCommitted = rows.some(
      (other) => other?.['id'] === row?.['id'] && other?.['state'] === 'gone',
    );
    const isCopy = row?.['role'] === 'in' && row['state'] !== 'home' && !isCommitted;
    return isCopy ? -1 : versionIn(moments[number]);
  });
  return Math.max(...versions);
}

/** Expects that the brand can move to any database: none knows a newer move. */
async function expectMoves(name: string): Promise<void> {
  const { brand } = story;
  const { brandId } = brand.issued;
  for (const to of NUMBERS) {
    let [home]: (Place | undefined)[] = [];
    for (const number of NUMBERS) {
      const row = await databases[number]
        .prepare('select 1 from api_keys where brand_id = ? and moved_to is null')
        .bind(brandId)
        .first();
      if (row !== null) home = number;
    }
    if (home === undefined || home === to) continue;
    const moved = await drive(await begin(brandId, home, to));
    expect([name, moved.isSettled]).toEqual([name, true]);
  }
}

interface Restore {
  readonly name: string;
  readonly number: Place;
  readonly moments: Chapter['moments'];
  /** How many clients had a token before the restore. */
  readonly followers: number;
}

/** Returns each state of all databases that the restore of one of them can leave. */
function restores(): Restore[] {
  const { chapters } = story;
  const known = new Set(chapters.map(({ moments }) => JSON.stringify(moments)));
  return chapters.flatMap((present, end) =>
    chapters.slice(0, end).flatMap((past) =>
      NUMBERS.flatMap((number) => {
        const moments = { ...present.moments, [number]: past.moments[number] };
        const text = JSON.stringify(moments);
        if (known.has(text)) return [];
        known.add(text);
        return [
          {
            name: `${number}, when ${present.name}, to ${past.name}`,
            number,
            moments,
            followers: newestIn(present.moments),
          },
        ];
      }),
    ),
  );
}

describe('database check', () => {
  it('lets nobody follow with a token of the home that has lost', async () => {
    const { brand, chapters, versioned } = story;
    const [first, present] = [
      chapters.find(({ name }) => name === 'new'),
      chapters.find(({ name }) => name === 'used in 2'),
    ];
    if (first === undefined || present === undefined) throw new Error('The story lacks a chapter.');
    await put({ ...present.moments, 0: first.moments[0] });
    // The old home is used until the repair.
    expect((await brand.send('PATCH', versioned, { title: 'Lost' })).status).toBe(200);
    const token = await tokenOf(brand, '/products');
    expect(await repair(0)).toEqual([]);
    expect((await brand.send('GET', `/products?since=${token}`)).status).toBe(410);
  });

  it('finds nothing at any moment of a move', async () => {
    for (const { name, moments } of story.chapters) {
      await put(moments);
      expect([name, await check()]).toEqual([name, []]);
    }
  });

  it('finds and repairs what the restore of one database leaves, if the repair is interrupted too', async () => {
    const { brand, keys, revoked, versioned } = story;
    const { brandId } = brand.issued;
    const seen = new Set<string>();
    for (const [n, { name, number, moments, followers }] of restores().entries()) {
      await put(moments);
      const isReset = n % 2 === 0;
      if (isReset) await resetTokens(executeIn(number), brandId).catch(() => undefined);
      // The mover may be faster than the operator. Before the tokens are reset, it must not be.
      if (isReset && n % 4 === 0) await finishMoves();
      for (const { faults } of await check()) for (const { fault } of faults) seen.add(fault);
      await repair(1 + (n % 4));
      await finishMoves();
      const left = await repair(0);
      await finishMoves();
      const newest = newestIn(moments);
      const kinds = left.flatMap(({ faults }) => faults.map(({ fault }) => fault));
      expect([name, ...kinds]).toEqual(newest < 0 ? [name, 'lost'] : [name]);
      if (newest < 0) continue;
      expect(await liveHomes()).toBe(1);
      const answer = await brand.send('GET', versioned);
      expect([name, answer.status], answer.text).toEqual([name, 200]);
      expect([name, resourceOf(answer)['title']]).toEqual([name, titleOf(newest)]);
      for (const key of keys.slice(0, newest + 1)) {
        expect([name, (await key.send('GET', versioned)).status]).toEqual([name, 200]);
      }
      if (newest > 0) {
        expect([name, (await revoked.send('GET', versioned)).status]).toEqual([name, 401]);
      }
      // Of a copy that is about to be settled, nobody can reset the tokens.
      const isCopy = rowsOf(moments[number], 'moves')[0]?.['state'] === 'copying';
      if (isReset && !isCopy) await expectFollowed(name, followers);
      if (n % 5 === 0) await expectMoves(name);
    }
    expect([...seen].sort()).toEqual(['keys', 'left', 'lost', 'move', 'nowhere', 'twice']);
  }, 300_000);
});
