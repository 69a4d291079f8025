import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { abortMove, advance, beginMove, openMove, redirect, unfreeze } from '../mover/index.ts';
import { listsOf } from '../mover/lists.ts';
import { removeExpiredRecords, removeExpiredTombstones } from '../src/db/sweep.ts';
import { listActs } from '../tools/admin/audit.ts';
import { deleteBrand } from '../tools/admin/brands.ts';
import { issueKey } from '../tools/admin/keys.ts';
import { allOf } from '../tools/admin/pages.ts';
import { TestBrand } from './support/brand.ts';
import type { DatabaseNumber } from './support/databases.ts';
import { databases, executeIn, migrateAll, PAST, setKeys, watch } from './support/databases.ts';
import { interceptD1 } from './support/d1.ts';
import { makeProducts } from './support/make.ts';
import type { Known } from './support/moved-brand.ts';
import { expectHome, expectSame, smallBrand } from './support/moved-brand.ts';
import { begin, drive, moveBrand, moveIn, rowsIn, SMALL } from './support/moves.ts';
import { serviceWithWidgets } from './support/widget-service.ts';
import { collectionsWithWidgets, widgetMigration } from './support/widgets.ts';

// What a move does besides copying: onward and back, freezing, giving up.

beforeAll(migrateAll);

const AT_ONCE = { ...SMALL, days: 0 };

function idOf({ brand }: Known): string {
  return brand.issued.brandId;
}

async function callsOf({ brand }: Known): Promise<unknown> {
  const { options, calls } = watch();
  const answer = await brand.send('POST', '/products', { title: 'A', priceCents: 1 }, options);
  expect(answer.status, answer.text).toBe(201);
  return calls;
}

describe('A brand that moves', () => {
  it('onward and back is served with its first key, in two calls at most', async () => {
    const known = await smallBrand(0);
    const ways: readonly (readonly [DatabaseNumber, DatabaseNumber, DatabaseNumber, object])[] = [
      [0, 1, 2, { 0: 1, 1: 1 }],
      [1, 2, 0, { 0: 1, 2: 1 }],
      [2, 1, 0, { 0: 1, 1: 1 }],
      [1, 0, 2, { 0: 1 }],
    ];
    for (const [from, to, other, calls] of ways) {
      const before = await rowsIn(from, idOf(known));
      const move = await begin(idOf(known), from, to);
      expect(await drive(move)).toMatchObject({ next: 'later', isSettled: true });
      expect(await rowsIn(to, idOf(known))).toEqual(before);
      await redirect(databases[other], move);
      expect(await callsOf(known)).toEqual(calls);
      await expectSame(known);
    }
    await expectHome(idOf(known), 0, []);
    // The data that it left in number 1 is still there. It goes when its time has come.
    const left = await openMove(databases[1], 1, idOf(known));
    expect(left).toMatchObject({ brandId: idOf(known), target: 0 });
    if (left) expect(await drive(left, AT_ONCE)).toMatchObject({ next: 'done', state: 'tidied' });
    await expectHome(idOf(known), 0, [1]);
    expect(await callsOf(known)).toEqual({ 0: 1 });
  });

  it('keeps its data in the source for seven days', async () => {
    const known = await smallBrand(0);
    const move = await begin(idOf(known), 0, 1);
    await drive(move);
    const left = await rowsIn(0, idOf(known));
    const setAge = (days: number): Promise<unknown> =>
      databases[0]
        .prepare(
          `update moves set changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?) where brand_id = ?`,
        )
        .bind(`-${days} days`, idOf(known))
        .run();
    await setAge(6.9);
    expect(await drive(move)).toMatchObject({ next: 'later' });
    expect(await rowsIn(0, idOf(known))).toEqual(left);
    await setAge(7.1);
    expect(await drive(move)).toMatchObject({ next: 'done', state: 'tidied' });
    await expectHome(idOf(known), 1, [0]);
    const { brands, api_keys: keys } = await rowsIn(0, idOf(known));
    expect([brands, keys]).toEqual([left['brands'], left['api_keys']]);
    expect(await callsOf(known)).toEqual({ 0: 1, 1: 1 });
  });

  it('leaves nothing behind where it left two moves ago', async () => {
    const known = await smallBrand(0);
    await moveBrand(idOf(known), 0, 1);
    const second = await begin(idOf(known), 1, 2);
    await drive(second);
    await redirect(databases[0], second);
    const first = await openMove(databases[0], 0, idOf(known));
    expect(first).toMatchObject({ target: 1 });
    if (first) expect(await drive(first, AT_ONCE)).toMatchObject({ next: 'done', state: 'tidied' });
    await expectHome(idOf(known), 2, [0]);
  });

  it('returns to where a key is that a restore of its home has undone', async () => {
    const known = await smallBrand(0);
    await moveBrand(idOf(known), 0, 1);
    const undone = known.brand.with(await issueKey(executeIn(1), idOf(known), {}));
    await moveBrand(idOf(known), 1, 0);
    const remove = databases[0].prepare('delete from api_keys where id = ?');
    await remove.bind(undone.issued.keyId).run();
    const before = await rowsIn(0, idOf(known));
    expect(await moveBrand(idOf(known), 0, 1)).toMatchObject({ isSettled: true });
    expect(await rowsIn(1, idOf(known))).toEqual(before);
    expect((await undone.send('GET', '/profile')).status).toBe(401);
    await expectSame(known);
  });

  it('with large resources is copied in pages of some megabytes', async () => {
    const known = await smallBrand(0);
    const list = Array.from({ length: 12 }, (_, n) => ({
      ...{ title: `L${n}`, priceCents: n },
      description: '"\u{1F600}'.repeat(20_000),
    }));
    for (let n = 0; n < list.length; n += 4) {
      const answer = await known.brand.send('POST', '/products', {
        products: list.slice(n, n + 4),
      });
      expect(answer.status).toBe(201);
    }
    const before = await rowsIn(0, idOf(known));
    const move = await begin(idOf(known), 0, 1);
    let largest = 0;
    const measured = interceptD1(databases[0], async (call) => {
      const result = await call();
      largest = Math.max(largest, JSON.stringify(result).length);
      return result;
    });
    const progress = await drive(move, {}, { source: measured, target: databases[1] });
    expect(progress).toMatchObject({ isSettled: true });
    expect(largest).toBeLessThan(2_000_000);
    expect(await rowsIn(1, idOf(known))).toEqual(before);
  });

  it('with many records is copied in pages too, but for those that have expired', async () => {
    const known = await smallBrand(0);
    const add = (key: string, at: string): D1PreparedStatement =>
      databases[0]
        .prepare(
          `insert into idempotency_records (brand_id, key, fingerprint, request, created_at, results)
           values (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?5), '[]')`,
        )
        .bind(idOf(known), key, 'f'.repeat(64), crypto.randomUUID(), at);
    await databases[0].batch([
      ...Array.from({ length: 30 }, (_, n) => add(`old${n}`, `-${n % 3} hours`)),
      ...Array.from({ length: 9 }, (_, n) => add(`expired${n}`, `-${25 + n} hours`)),
    ]);
    const before = await rowsIn(0, idOf(known));
    expect(await moveBrand(idOf(known), 0, 1)).toMatchObject({ isSettled: true });
    const kept = before['idempotency_records']?.filter(
      ({ key }) => !String(key).startsWith('expired'),
    );
    expect((await rowsIn(1, idOf(known)))['idempotency_records']).toEqual(kept);
  });

  it('takes a new collection with it', async () => {
    const service = await serviceWithWidgets();
    await applyD1Migrations(databases[3], [widgetMigration], 'widget_migrations');
    const brand = await TestBrand.create('Widgets Ltd', service);
    const made = [];
    for (let n = 0; n < 9; n++) made.push(await brand.create('/widgets', { name: `W${n}` }));
    await brand.send('DELETE', `/widgets/${String(made[0]?.id)}`);
    const { brandId } = brand.issued;
    const plan = { brandId, source: 0, target: 3, actor: 'tests' };
    const move = await beginMove(env.DB_WIDGETS, plan);
    if (move === undefined) throw new Error('The move has not begun.');
    const lists = listsOf(collectionsWithWidgets);
    for (let progress = 'again'; progress === 'again';) {
      progress = (await advance(env.DB_WIDGETS, databases[3], move, { lists, limits: SMALL })).next;
    }
    for (const table of ['widgets', 'tombstones']) {
      const [here, there] = await Promise.all(
        [env.DB_WIDGETS, databases[3]].map((db) =>
          db.prepare(`select * from ${table} where brand_id = ?`).bind(brandId).all(),
        ),
      );
      expect(there?.results).toEqual(here?.results);
      expect(here?.results).not.toEqual([]);
    }
  });

  it('is not disturbed by the daily job', async () => {
    const known = await smallBrand(0);
    await databases[0]
      .prepare('update tombstones set deleted_at = ? where brand_id = ?')
      .bind(PAST, idOf(known))
      .run();
    const [product] = await makeProducts(known.brand, 1);
    await known.brand.send('DELETE', `/products/${String(product?.id)}`);
    const move = await begin(idOf(known), 0, 1);
    const swept = (db: D1Database): D1Database =>
      interceptD1(db, async (call) => {
        await removeExpiredTombstones(db);
        await removeExpiredRecords(db);
        return call();
      });
    const progress = await drive(move, SMALL, {
      ...{ source: swept(databases[0]), target: swept(databases[1]) },
    });
    expect(progress).toMatchObject({ isSettled: true, failedCommits: 0 });
  });
});

describe('A busy brand', () => {
  /** A target before whose calls something is done. */
  function disturbed(act: () => Promise<unknown>): { source: D1Database; target: D1Database } {
    const target = interceptD1(databases[1], async (call) => {
      await act();
      return call();
    });
    return { source: databases[0], target };
  }

  it('is frozen after three failed commits: it can be read, and not be written', async () => {
    const known = await smallBrand(0);
    const { brand } = known;
    const id = String(known.lists[0]?.resources[3]?.id);
    const move = await begin(idOf(known), 0, 1);
    const statuses: string[] = [];
    let changes = 0;
    const write = async (): Promise<void> => {
      const read = await brand.send('GET', `/products/${id}`);
      const written = await brand.send('PATCH', `/products/${id}`, { priceCents: ++changes });
      statuses.push(`${read.status} ${written.status}`);
      if (written.status === 503) expect(written.headers.get('Retry-After')).toBe('1');
    };
    const progress = await drive(move, SMALL, disturbed(write));
    expect(progress).toMatchObject({ isSettled: true, failedCommits: 3 });
    expect([...new Set(statuses)]).toEqual(['200 200', '200 503', '503 503']);
    expect(statuses.filter((status) => status === '503 503')).toHaveLength(1);
    const { frozen_ms: frozen } = (await moveIn(0, idOf(known))) ?? {};
    expect(frozen).toBeGreaterThan(0);
    expect(frozen).toBeLessThan(5000);
    await expectHome(idOf(known), 1, []);
    await expectSame(known);
  });

  it('is unfrozen when the time is over, and moves later', async () => {
    const known = await smallBrand(0);
    const move = await begin(idOf(known), 0, 1);
    const keys: unknown[] = [];
    const issue = async (): Promise<void> => {
      keys.push(await issueKey(executeIn(0), idOf(known), {}));
    };
    const limits = { ...SMALL, frozen: 0 };
    expect(await drive(move, limits, disturbed(issue))).toMatchObject({
      ...{ next: 'later', state: 'copying', isSettled: false, failedCommits: 4 },
    });
    await expectHome(idOf(known), 0, []);
    await drive(move);
    await expectHome(idOf(known), 1, []);
    expect((await rowsIn(1, idOf(known)))['api_keys']).toHaveLength(1 + keys.length);
    expect(await moveIn(0, idOf(known))).toMatchObject({ failed_commits: 4 });
  });

  it('is unfrozen by the schedule after a minute, whatever happened to the mover', async () => {
    const known = await smallBrand(0);
    await begin(idOf(known), 0, 1);
    const frozenFor = async (age: string): Promise<number> => {
      await databases[0]
        .prepare(
          `update api_keys set frozen_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?) where brand_id = ?`,
        )
        .bind(age, idOf(known))
        .run();
      await unfreeze(databases[0]);
      return (await known.brand.send('PATCH', '/profile', {})).status;
    };
    expect(await frozenFor('-55 seconds')).toBe(503);
    expect(await frozenFor('-61 seconds')).toBe(200);
  });
});

describe('A move that is given up', () => {
  it('because the target is full leaves the brand as it was', async () => {
    const known = await smallBrand(0);
    const before = await rowsIn(0, idOf(known));
    const progress = await moveBrand(idOf(known), 0, 1, { ...SMALL, full: 1 });
    expect(progress).toMatchObject({ next: 'done', state: 'over' });
    expect(await rowsIn(0, idOf(known))).toEqual(before);
    expect((await rowsIn(1, idOf(known)))['brands']).toEqual([]);
    await expectHome(idOf(known), 0, [1]);
    expect(await moveIn(0, idOf(known))).toMatchObject({ reason: 'Database 1 is full.' });
    const acts = await allOf(listActs(executeIn(0), { brandId: idOf(known) }));
    expect(acts.map(({ action, details }) => [action, details['reason']]).slice(1)).toEqual([
      ['brand.move.begin', null],
      ['brand.move.abort', 'Database 1 is full.'],
    ]);
  });

  it('because there are too many keys to compare leaves the brand as it was', async () => {
    const known = await smallBrand(0);
    const add = databases[0].prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 4000)
       insert into api_keys (hash, id, brand_id, prefix, label, scope, created_at)
       select printf('%064x', ?2 + n), printf('%036d', ?2 + n), ?1, 'bik_00000000', ?3, 'write', '2026-01-01T00:00:00.000Z' from numbers`,
    );
    // As many as can be compared.
    await add.bind(idOf(known), 0, '').run();
    expect(await moveBrand(idOf(known), 0, 1, {})).toMatchObject({ isSettled: true });
    await moveBrand(idOf(known), 1, 0, {});
    await add.bind(idOf(known), 10_000, '').run();
    expect(await moveBrand(idOf(known), 0, 1, {})).toMatchObject({ next: 'done', state: 'over' });
    expect(await moveIn(0, idOf(known))).toMatchObject({
      reason: 'The brand has more keys than a move can compare at once.',
    });
    await expectHome(idOf(known), 0, []);
    await expectSame(known);
  });

  it.each([
    ['a changed value', '"products":5', `update products set title = 'Spoilt' where brand_id = ?`],
    [
      'a missing row',
      '"products":5',
      'delete from products where brand_id = ? and change_number = 2',
    ],
    ['a missing tombstone', '"products":7', 'delete from tombstones where brand_id = ?'],
    [
      'a row too many',
      '"products":7',
      `insert into coupon_codes select brand_id, '00000000-0000-7000-8000-000000000000', revision, created_at, updated_at, 3, 'MORE', active, category, current_uses, max_uses, description, discount_percent, store_discount_id, sync_status, last_synced_at from coupon_codes where brand_id = ? limit 1`,
    ],
  ])('because the copy has %s leaves the brand as it was', async (_, when, spoil) => {
    const known = await smallBrand(0);
    const before = await rowsIn(0, idOf(known));
    const move = await begin(idOf(known), 0, 1);
    const isCopied = async (): Promise<boolean> =>
      String((await moveIn(1, idOf(known)))?.['copied']).includes(when);
    let isSpoilt = false;
    const source = interceptD1(databases[0], async (call) => {
      if (!isSpoilt && (await isCopied())) {
        isSpoilt = true;
        await databases[1].prepare(spoil).bind(idOf(known)).run();
      }
      return call();
    });
    const through = { source, target: databases[1] };
    expect(await drive(move, SMALL, through)).toMatchObject({ next: 'done', state: 'over' });
    expect((await moveIn(0, idOf(known)))?.['reason']).toMatch(/^The copy differs in /);
    expect(await rowsIn(0, idOf(known))).toEqual(before);
    await expectHome(idOf(known), 0, [1]);
    await expectSame(known);
    expect(await moveBrand(idOf(known), 0, 1)).toMatchObject({ isSettled: true });
  });

  it('does not begin again before its copy is deleted', async () => {
    const known = await smallBrand(0);
    const move = await begin(idOf(known), 0, 1);
    await advance(databases[0], databases[1], move, { limits: SMALL });
    expect(await abortMove(databases[0], move, 'tests')).toBe(true);
    expect(await begin(idOf(known), 0, 2)).toEqual(move);
    await drive(move);
    expect(await begin(idOf(known), 0, 2)).toMatchObject({ generation: 2, target: 2 });
  });

  it('cannot be given up after the commit', async () => {
    const known = await smallBrand(0);
    const move = await begin(idOf(known), 0, 1);
    await drive(move);
    expect(await abortMove(databases[0], move, 'tests')).toBe(false);
    await expectHome(idOf(known), 1, []);
  });
});

describe('A move begins', () => {
  const plan = { source: 0, target: 1, actor: 'tests' };

  it('once, however often it is begun', async () => {
    const known = await smallBrand(0);
    const move = await begin(idOf(known), 0, 1);
    expect(await begin(idOf(known), 0, 2)).toEqual(move);
    expect(move.generation).toBe(1);
  });

  it('not of a brand that does not exist, is away, or is being deleted', async () => {
    const [away, deleted] = [await smallBrand(0), await smallBrand(0)];
    const brandId = crypto.randomUUID();
    expect(await beginMove(databases[0], { ...plan, brandId })).toBeUndefined();
    await moveBrand(idOf(away), 0, 1, AT_ONCE);
    expect(await beginMove(databases[0], { ...plan, brandId: idOf(away) })).toBeUndefined();
    await databases[0].prepare('delete from api_keys where brand_id = ?').bind(idOf(deleted)).run();
    expect(await beginMove(databases[0], { ...plan, brandId: idOf(deleted) })).toBeUndefined();
    await deleteBrand(executeIn(0), idOf(deleted));
  });

  it('not into a database that has the brand already, as after a restore', async () => {
    const known = await smallBrand(0);
    await moveBrand(idOf(known), 0, 1);
    await setKeys(0, idOf(known), 'moved_to', null);
    await databases[0].prepare('delete from moves where brand_id = ?').bind(idOf(known)).run();
    const before = await rowsIn(1, idOf(known));
    for (let again = 0; again < 2; again++) {
      const progress = await moveBrand(idOf(known), 0, 1);
      expect(progress).toMatchObject({ next: 'done', isSettled: false });
      const { reason } = (await moveIn(0, idOf(known))) ?? {};
      expect(reason).toContain('Database 1 cannot take the brand');
    }
    expect(await rowsIn(1, idOf(known))).toEqual(before);
  });
});
