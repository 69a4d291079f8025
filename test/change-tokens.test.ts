import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import worker from '../src/index.ts';
import type { Answer } from './support/brand.ts';
import { TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { poll, pollAll, tokenOf } from './support/changes.ts';

// How long a token is good.

const GONE = 'This token is no longer good. Start again with since=0.';
const DAY = 86_400_000;

/** Makes all deletions of a brand look older than they are, by days. */
async function age({ issued }: TestBrand, days: number): Promise<void> {
  await env.DB.prepare(
    `update tombstones set deleted_at = strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at, ?) where brand_id = ?`,
  )
    .bind(`-${(days * DAY) / 1000} seconds`, issued.brandId)
    .run();
}

async function sweep(): Promise<void> {
  await worker.scheduled(createScheduledController(), env);
}

async function numberOf(brand: TestBrand, from: string): Promise<number> {
  const newest = await env.DB.prepare(
    `select max(change_number) as newest from ${from} where brand_id = ?`,
  )
    .bind(brand.issued.brandId)
    .first<number>('newest');
  return newest ?? 0;
}

describe.each(collections)('$path', (of) => {
  const { table } = of;

  const create = async (brand: TestBrand, n: number): Promise<string> =>
    (await brand.create(of.path, of.bare(n))).id;
  const remove = (brand: TestBrand, id = ''): Promise<Answer> =>
    brand.send('DELETE', `${of.path}/${id}`);

  /** A brand with resources from 1 to a number, their ids, and a token of now. */
  async function filled(
    count: number,
  ): Promise<{ readonly brand: TestBrand; readonly ids: string[]; readonly before: string }> {
    const brand = await TestBrand.create();
    const ids: string[] = [];
    for (let n = 1; n <= count; n++) ids.push(await create(brand, n));
    return { brand, ids, before: await tokenOf(brand, of.path) };
  }
  const get = (brand: TestBrand, since: string): Promise<Answer> =>
    brand.send('GET', `${of.path}?since=${since}`);

  it('A token is good for 30 days, and 410 once a deletion after it is older', async () => {
    const { brand, ids, before } = await filled(2);
    const [id] = ids;
    await remove(brand, id);
    const after = await tokenOf(brand, of.path);

    await age(brand, 29.999);
    await sweep();
    expect((await poll(brand, of.path, before)).deleted).toEqual([id]);
    await age(brand, 0.002);
    for (const swept of [false, true]) {
      if (swept) await sweep();
      const answer = await get(brand, before);
      expect([answer.status, answer.body]).toEqual([410, { error: GONE }]);
      expect(await poll(brand, of.path, after)).toMatchObject({ resources: [], deleted: [] });
    }
    const again = await poll(brand, of.path, '0');
    expect([again.resources.length, again.deleted]).toEqual([1, []]);
    expect((await get(brand, again.since)).status).toBe(200);
  });

  it('A token is good for years if nothing was deleted after it', async () => {
    const brand = await TestBrand.create();
    await remove(brand, await create(brand, 1));
    const since = await tokenOf(brand, of.path);
    const id = await create(brand, 2);
    await age(brand, 1000);
    await sweep();
    expect((await poll(brand, of.path, since)).resources).toMatchObject([{ id }]);
  });

  it('A token of a first load that takes longer than 30 days is good to its end', async () => {
    const { brand, ids } = await filled(6);
    // Deletions from before the start, between the resources in the order of changes.
    for (const index of [1, 3]) await remove(brand, ids[index]);
    for (let n = 7; n <= 9; n++) ids.push(await create(brand, n));
    await remove(brand, ids[7]);
    const left = ids.filter((_, index) => ![1, 3, 7].includes(index));

    const seen: string[] = [];
    let page = await poll(brand, of.path, '0', 1);
    for (;;) {
      seen.push(...page.resources.map(({ id }) => id));
      expect(page.deleted).toEqual([]);
      if (page.next === undefined) break;
      // Between two pages, a month goes by.
      await age(brand, 31);
      await sweep();
      page = await poll(brand, of.path, page.since, 1);
    }
    expect(seen).toEqual(left);
    await remove(brand, left[0]);
    expect((await poll(brand, of.path, page.since)).deleted).toEqual([left[0]]);
  });

  it('A token of a first load reports the deletions that come after its start', async () => {
    const { brand, ids } = await filled(4);
    await remove(brand, ids[3]);
    const start = await poll(brand, of.path, '0', 1);
    await age(brand, 31);
    for (const index of [0, 1]) await remove(brand, ids[index]);
    await age(brand, 29);
    await sweep();
    const rest = await pollAll(brand, of.path, start.since, 1);
    expect(rest.flatMap(({ resources }) => resources)).toMatchObject([{ id: ids[2] }]);
    expect(rest.flatMap(({ deleted }) => deleted)).toEqual([ids[0], ids[1]]);
  });

  it('A token survives a new deployment: another instance of the app reads it', async () => {
    const { brand, before: since } = await filled(1);
    const id = await create(brand, 2);
    const { app: first } = await import('../src/app.ts');
    vi.resetModules();
    const { app: second } = await import('../src/app.ts');
    expect(second).not.toBe(first);
    const response = await second.request(
      `http://api.test/api/brand/v1${of.path}?since=${since}`,
      { headers: { Authorization: `Bearer ${brand.issued.apiKey}` } },
      env,
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ [of.many]: [{ id }] });
  });

  it('A token keeps its place when the newest change is swept: numbers never decrease', async () => {
    const { brand, ids } = await filled(3);
    for (const id of ids) await remove(brand, id);
    const since = await tokenOf(brand, of.path);
    const newest = await numberOf(brand, 'tombstones');
    expect(newest).toBe(6);
    await age(brand, 31);
    await sweep();
    const { results } = await env.DB.prepare('select id from tombstones where brand_id = ?')
      .bind(brand.issued.brandId)
      .all();
    // The newest is enough to tell that a token is too old, and where the numbers go on.
    expect(results).toEqual([{ id: ids[2] }]);
    const id = await create(brand, 4);
    expect(await numberOf(brand, table)).toBe(newest + 1);
    expect((await poll(brand, of.path, since)).resources).toMatchObject([{ id }]);
  });

  it.each([
    ['before the second of three deletions', 1, '-30 days', '+55 minutes'],
    ['after the first, which is young', 0, '-29 days', '+0 minutes'],
  ])('A token stays 410 if the clock was set back: %s', async (_, index, days, minutes) => {
    const { brand, ids, before } = await filled(3);
    for (const id of ids) await remove(brand, id);
    await age(brand, 31);
    await env.DB.prepare(
      `update tombstones set deleted_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?, ?) where id = ?`,
    )
      .bind(days, minutes, ids[index])
      .run();
    for (const swept of [false, true]) {
      if (swept) await sweep();
      expect((await get(brand, before)).status).toBe(410);
    }
  });

  it('A token with only young deletions after it is good, before the sweep and after it', async () => {
    const { brand, ids, before } = await filled(5);
    const [one, two, three, four] = ids;
    const tokens = [before];
    for (const id of [one, two]) {
      await remove(brand, id);
      tokens.push(await tokenOf(brand, of.path));
    }
    await age(brand, 31);
    for (const id of [three, four]) {
      await remove(brand, id);
      tokens.push(await tokenOf(brand, of.path));
    }
    for (const isSwept of [false, true]) {
      if (isSwept) await sweep();
      const answers = await Promise.all(tokens.map((since) => get(brand, since)));
      expect(answers.map(({ status }) => status)).toEqual([410, 410, 200, 200, 200]);
      expect((await poll(brand, of.path, tokens[2] ?? '')).deleted).toEqual([three, four]);
    }
  });
});
