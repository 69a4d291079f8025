import { beforeAll, describe, expect, it } from 'vitest';
import { advance } from '../mover/index.ts';
import { issueKey, revokeKey, rotateKey } from '../tools/admin/keys.ts';
import { resumeBrand, suspendBrand } from '../tools/admin/suspension.ts';
import { resourceOf } from './support/brand.ts';
import { poll, tokenOf } from './support/changes.ts';
import { interceptD1 } from './support/d1.ts';
import { brandIn, databases, executeIn, migrateAll, PAST, watch } from './support/databases.ts';
import { makeProducts } from './support/make.ts';
import { dataIn, expectHome } from './support/moved-brand.ts';
import { begin, drive, moveBrand, moveIn, rowsIn, SMALL } from './support/moves.ts';
import { momentOf, restore } from './support/restored.ts';

// A brand moves from one database to another, with all that belongs to it.

beforeAll(migrateAll);

const PRODUCT = { title: 'Bar', priceCents: 1 };

describe('A brand with everything', () => {
  it('is the same in its new home, and its clients go on', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    const made = await makeProducts(brand, 2000, (n) => ({
      sku: `S${n}`,
      imageUrls: [`https://a.test/${n}`],
      discountPercent: 12.34,
      marginPercent: n % 2 ? null : -0.5,
    }));
    for (const { id } of made.slice(0, 20)) await brand.send('DELETE', `/products/${id}`);
    for (const { id } of made.slice(20, 40))
      await brand.send('PATCH', `/products/${id}`, { description: '"quoted"\n\u00e9\u{1F600}' });
    // Codes change hands, so that in the order of changes one is taken before it is given up.
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        brand.create('/coupon-codes', { code: `C${n}`, discountPercent: 1 }),
      ),
    );
    for (let n = 0; n + 1 < codes.length; n += 2) {
      const [one, other] = [String(codes[n]?.id), String(codes[n + 1]?.id)];
      await brand.send('PATCH', `/coupon-codes/${one}`, { code: `free${n}` });
      await brand.send('PATCH', `/coupon-codes/${other}`, { code: `C${n}` });
      await brand.send('PATCH', `/coupon-codes/${one}`, { code: `C${n + 1}` });
    }
    await brand.send('DELETE', `/coupon-codes/${String(codes[29]?.id)}`);
    const once = { headers: { 'Idempotency-Key': 'once' } };
    const first = await brand.send('POST', '/products', PRODUCT, once);
    await brand.send('PATCH', '/profile', { brand: { website: 'https://brand.test/' } });
    const since = await tokenOf(brand, '/products');
    const key = async (options = {}) => issueKey(executeIn(0), brandId, options);
    const [readOnly, rotated, revoked, expired] = [
      await key({ scope: 'read' }),
      await key(),
      await key(),
      await key(),
    ];
    const successor = await rotateKey(executeIn(0), rotated.keyId, 3600, {});
    await revokeKey(executeIn(0), revoked.keyId);
    await databases[0]
      .prepare('update api_keys set expires_at = ? where id = ?')
      .bind(PAST, expired.keyId)
      .run();
    const before = await rowsIn(0, brandId);

    const progress = await moveBrand(brandId, 0, 1, { rows: 50 });

    expect(progress).toMatchObject({
      next: 'later',
      state: 'gone',
      isSettled: true,
      failedCommits: 0,
    });
    const after = await rowsIn(1, brandId);
    for (const [table, rows] of Object.entries(before)) expect(after[table], table).toEqual(rows);
    expect(await rowsIn(0, brandId)).toEqual(before);

    const { options, calls } = watch();
    expect((await brand.send('GET', '/profile', undefined, options)).status).toBe(200);
    expect(calls).toEqual({ 0: 1, 1: 1 });
    const again = await brand.send('POST', '/products', PRODUCT, once);
    expect([again.headers.get('Idempotent-Replayed'), again.text]).toEqual(['true', first.text]);
    const id = String(made.at(-1)?.id);
    expect((await brand.send('PATCH', `/products/${id}`, { featured: true })).status).toBe(200);
    const changes = await poll(brand, '/products', since);
    expect(changes.resources.map((product) => product.id)).toEqual([id]);
    const statuses = [];
    for (const issued of [readOnly, rotated, successor, revoked, expired]) {
      statuses.push((await brand.with(issued).send('POST', '/products', PRODUCT)).status);
    }
    expect(statuses).toEqual([403, 201, 201, 401, 401]);
    expect(await rowsIn(0, brandId)).toEqual(before);
    expect(await moveIn(0, brandId)).toMatchObject({ role: 'out', state: 'gone', peer: 1 });
    expect(await moveIn(1, brandId)).toMatchObject({ role: 'in', state: 'home', peer: 0 });
    expect(resourceOf(first)['title']).toBe('Bar');
  });
});

describe('The mover', () => {
  it('says how long to leave the databases to their other brands after a step', async () => {
    const { brandId } = (await brandIn(0)).issued;
    const move = await begin(brandId, 0, 1);
    const step = await advance(databases[0], databases[1], move, { limits: { rest: 1000 } });
    // The time of a step is a few milliseconds.
    expect([step.next, step.rest]).toEqual(['again', expect.toSatisfy((ms: number) => ms >= 1000)]);
    expect(await drive(move)).toMatchObject({ next: 'later', rest: 0 });
  });
});

describe('A call of the mover', () => {
  const [source, target] = [databases[0], databases[1]];

  it('copies a page of the sequence, even if the oldest resource was changed last', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    const made = await makeProducts(brand, 20);
    for (const { id } of made.slice(0, 2))
      expect((await brand.send('PATCH', `/products/${id}`, { title: 'New' })).status).toBe(200);
    const move = await begin(brandId, 0, 1);
    const copied: number[] = [];
    for (let isSettled = false; !isSettled;) {
      const progress = await advance(source, target, move, { limits: SMALL });
      ({ isSettled } = progress);
      copied.push(progress.copiedRows);
      if (progress.next !== 'again') break;
    }
    expect(copied).toEqual([0, 5, 10, 15, 20, 20]);
    await expectHome(brandId, 1, []);
  });

  it('freezes a brand in its old home only: writes are served as soon as it has moved', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    let changes = 0;
    const busy = interceptD1(target, async (call) => {
      await brand.send('PATCH', '/profile', { brand: { brandName: `B${++changes}` } });
      return call();
    });
    const limits = { ...SMALL, commits: 1 };
    const move = await begin(brandId, 0, 1);
    expect(await drive(move, limits, { source, target: busy })).toMatchObject({ isSettled: true });
    expect((await moveIn(0, brandId))?.['frozen_ms']).toBeGreaterThan(0);
    expect((await brand.send('POST', '/products', PRODUCT)).status).toBe(201);
  });

  it('commits nothing if its run has ended, although the brand is again as it was', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    const move = await begin(brandId, 0, 1);
    const commits: (() => Promise<unknown>)[] = [];
    // The next call to the source after the keys have arrived is the commit.
    const late = interceptD1(source, async (call) => {
      if ((await rowsIn(1, brandId))['api_keys']?.length === 0) return call();
      commits.push(call);
      throw new Error('The call is late.');
    });
    await expect(drive(move, SMALL, { source: late, target })).rejects.toThrow('late');

    await suspendBrand(executeIn(0), brandId);
    let calls = 0;
    const failing = interceptD1(source, async (call) => {
      if (++calls > 3) throw new Error('The commit fails.');
      return call();
    });
    await expect(drive(move, SMALL, { source: failing, target })).rejects.toThrow('fails');
    await resumeBrand(executeIn(0), brandId);
    await commits[0]?.();

    expect((await brand.send('POST', '/products', PRODUCT)).status).toBe(201);
    expect(await drive(move)).toMatchObject({ isSettled: true });
    await expectHome(brandId, 1, []);
  });

  it('deletes nothing that a restore of the source has brought back meanwhile', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    await makeProducts(brand, 3);
    const move = await begin(brandId, 0, 1);
    const before = await momentOf(0, brandId);
    await drive(move);
    let calls = 0;
    const restored = interceptD1(source, async (call) => {
      // The first call says that the move is committed, the second what the brand was, and the third deletes.
      if (++calls === 3) await restore(0, brandId, before);
      return call();
    });
    await drive(move, { ...SMALL, days: 0 }, { source: restored, target }).catch(() => undefined);
    expect(calls).toBeGreaterThan(2);
    expect(await dataIn(0, brandId)).toBe(3);
    expect((await brand.send('GET', '/products')).text).toContain('"id"');
  });
});
