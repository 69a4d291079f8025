import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../../../client/src/index.ts';
import { apiKeys, brands } from '../../../src/db/tables.ts';
import { shuffle } from 'simple-statistics';
import { createBrand } from '../../../tools/admin/brands.ts';
import type { Execute } from '../../../tools/admin/execute.ts';
import { executeOn } from '../../../tools/admin/execute.ts';
import { isAtHome } from '../../../tools/admin/home.ts';
import { issueKey } from '../../../tools/admin/keys.ts';
import { record } from '../../node/processes.ts';
import { Following } from './copy.ts';
import { Stage } from './stage.ts';
import { Traffic } from './traffic.ts';
import { Writer } from './writer.ts';

// A brand moves onward and back between three databases, while four clients write and two follow, and all that runs is
// killed at random. To go on for longer: MOVES_SECONDS=600 npm run test:system -- moves

const SECONDS = Number(process.env['MOVES_SECONDS'] ?? 16);
/** How many products each writer begins with: a longer test has longer moves. */
const PRODUCTS = SECONDS < 60 ? 100 : 1000;
/** The database where the brand is created: it moves to greater and to smaller numbers. */
const FIRST = 1;
/** The longest pause of a writer between two calls, in milliseconds. */
const PAUSE = 100;
/** The longest pause before something is killed, in milliseconds. */
const LONGEST_PAUSE = SECONDS < 60 ? 4000 : 12_000;

let stage: Stage;
const traffic = new Traffic();
const counts = { killedServers: 0, killedMoves: 0, moves: 0, waited: 0 };
const revoked: string[] = [];
let brandId: string;
/** The brand's first key. */
let apiKey: string;
let writers: Writer[];
let followers: Following[];

beforeAll(async () => {
  stage = await Stage.open();
  const keys = await stage.withDatabases(async ({ at }) => {
    const execute = executeOn(at(FIRST), 'tests', FIRST);
    const brand = await createBrand(execute, 'On the move');
    ({ brandId, apiKey } = brand);
    const issued = [];
    while (issued.length < 4) issued.push((await issueKey(execute, brandId, {})).apiKey);
    return issued;
  });
  await stage.serve();
  writers = keys.map((key, n) => new Writer(`writer${n}`, clientOf(key), traffic));
  followers = [7, 250].map((limit) => new Following(clientOf(apiKey), limit, traffic));
  for (const writer of writers) await writer.fill(PRODUCTS);
  const [profileWriter] = writers;
  if (profileWriter) profileWriter.profile = (await clientOf(apiKey).getProfile()).data;
}, 120_000);

afterAll(async () => {
  await stage.close();
  if (SECONDS < 60) return;
  const { acknowledged, refused, cut } = traffic;
  const figures = { acknowledged, refused, cut, revoked: revoked.length, ...counts };
  process.stderr.write(`${JSON.stringify(figures)}\n`);
});

const clientOf = (apiKey: string): BrandClient =>
  new BrandClient({ apiKey, baseUrl: stage.url, fetch: traffic.fetch });

async function byId<T extends { readonly id: string }>(
  resources: AsyncIterable<T>,
): Promise<Map<string, T>> {
  const all = new Map<string, T>();
  for await (const resource of resources) all.set(resource.id, resource);
  return all;
}

/** Runs something again and again, until it is stopped. */
async function repeat(stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stop.aborted) await work();
}

/** Waits for a random time, or until it is stopped. */
const pause = (from: number, to: number, signal: AbortSignal): Promise<void> =>
  setTimeout(from + Math.random() * (to - from), undefined, { signal }).catch(() => undefined);

let moving: { readonly kill: () => void } | undefined;

/** Moves the brand to a database. */
async function move(to: number): Promise<void> {
  const command = stage.admin('brand', 'move', brandId, '--to', String(to), '--json');
  moving = command;
  const { code, stdout, stderr } = await command.ended;
  moving = undefined;
  if (code === null) return;
  if (code === 0) {
    if ('rows' in record(JSON.parse(stdout))) counts.moves++;
    return;
  }
  counts.waited++;
  if (!/try again/i.test(stderr)) traffic.wrong.push(`brand move: ${stderr}`);
}

/** Kills what runs, like a power failure. The server starts again. */
async function kill(what: string): Promise<void> {
  if (what !== 'server' && moving) {
    moving.kill();
    counts.killedMoves++;
  }
  if (what === 'move') return;
  counts.killedServers++;
  await stage.killServer();
  await stage.serve();
}

interface Key {
  readonly id: string;
  readonly text: string;
}

/** Gives the second follower another key, and revokes the one that it had. */
async function exchangeKey(previous: Key | undefined): Promise<Key | undefined> {
  const issue = await stage.admin('key', 'issue', brandId, '--json').ended;
  if (issue.code !== 0) return previous;
  const issued = record(JSON.parse(issue.stdout));
  const next = { id: String(issued['keyId']), text: String(issued['apiKey']) };
  await followers.at(-1)?.use(clientOf(next.text));
  if (previous === undefined) return next;
  const revocation = await stage.admin('key', 'revoke', previous.id, '--json').ended;
  if (revocation.code === 0) revoked.push(previous.text);
  return next;
}

describe('A brand that moves between three databases while all that runs is killed', () => {
  it(`serves its clients for ${SECONDS} seconds`, { timeout: (SECONDS + 200) * 1000 }, async () => {
    const stopped = new AbortController();
    const stop = stopped.signal;
    let key: Key | undefined;
    const all = Promise.all([
      ...writers.map((writer) => writer.run(stop, PAUSE)),
      ...followers.map((follower) => follower.run(stop)),
      repeat(stop, () => move(Math.floor(3 * Math.random()))),
      repeat(stop, async () => {
        key = await exchangeKey(key);
        await pause(1000, LONGEST_PAUSE, stop);
      }),
      repeat(stop, async () => {
        for (const what of shuffle(['move', 'server', 'both'])) {
          await pause(2000, LONGEST_PAUSE, stop);
          if (!stop.aborted) await kill(what);
        }
      }),
    ]);
    await Promise.race([all, setTimeout(SECONDS * 1000)]);
    stopped.abort();
    await all;
    expect(traffic.wrong).toEqual([]);
    expect(traffic.acknowledged).toBeGreaterThan(SECONDS);
  });

  it('has every acknowledged write afterwards, in the service and in the copies', async () => {
    const client = clientOf(apiKey);
    const products = await byId(client.products.list());
    const couponCodes = await byId(client.couponCodes.list());
    expect(products).toEqual(new Map(writers.flatMap((writer) => [...writer.products])));
    expect(couponCodes).toEqual(new Map(writers.flatMap((writer) => [...writer.couponCodes])));
    expect((await client.getProfile()).data).toEqual(writers[0]?.profile);
    for (const follower of followers) {
      await follower.catchUp();
      expect(follower.products.resources).toEqual(products);
      expect(follower.couponCodes.resources).toEqual(couponCodes);
    }
  });

  it('refuses the keys that were revoked meanwhile, and accepts the others', async () => {
    for (const key of revoked) {
      await expect(clientOf(key).getProfile()).rejects.toMatchObject({ status: 401 });
    }
    await clientOf(apiKey).getProfile();
  });

  it('moves in one run when nothing is killed any more, and is then in one place', async () => {
    await move(2);
    expect(traffic.wrong).toEqual([]);
    await stage.killServer();
    const places = await stage.withDatabases(({ numbers, at }) =>
      Promise.all(numbers.map((number) => placeIn(executeOn(at(number), 'tests', number)))),
    );
    // Chance decides whether it ever was in each of them.
    const away = { isHome: 0, hasLiveKeys: 0, isFrozen: 0 };
    const home = { isHome: 1, hasLiveKeys: 1, isFrozen: 0 };
    expect(places).toEqual([away, away, home]);
  });
});

/** What a database has of the brand. */
async function placeIn(execute: Execute): Promise<unknown> {
  const key = sql`select 1 from ${apiKeys} where ${apiKeys.brandId} = ${brandId}`;
  const [[place] = []] = await execute(
    sql`select exists (select 1 from ${brands} where ${brands.id} = ${brandId} and ${isAtHome(sql`${brands.id}`)}) as isHome,
      exists (${key} and ${apiKeys.movedTo} is null) as hasLiveKeys,
      exists (${key} and ${apiKeys.frozenAt} is not null) as isFrozen`,
  );
  return place;
}
