import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '../../../src/index.ts';
import { resetAllTokens, resetTokens } from '../../src/brand/tokens.ts';
import type { Resource } from '../../../test/support/brand.ts';
import { TestBrand } from '../../../test/support/brand.ts';
import { poll, tokenOf } from '../../../test/support/changes.ts';
import { collections } from '../../../test/support/collections.ts';
import type { TestCollection } from '../../../test/support/collections/collection.ts';
import { database } from './database.ts';

const GONE = { error: 'This token is no longer good. Start again with since=0.' };

/** Brings a collection to three resources and a deletion, and gives tokens from all along the way. */
async function filled(
  brand: TestBrand,
  { path, bare }: TestCollection,
): Promise<{ readonly tokens: string[]; readonly left: Resource }> {
  const tokens = [await tokenOf(brand, path)];
  const doomed = await brand.create(path, bare(1));
  tokens.push(await tokenOf(brand, path));
  await brand.send('DELETE', `${path}/${doomed.id}`);
  const left = await brand.create(path, bare(1));
  tokens.push(await tokenOf(brand, path));
  // One from within a first load.
  await brand.create(path, bare(2));
  tokens.push((await poll(brand, path, '0', 1)).since);
  return { tokens, left };
}

describe.each(collections)('$path', (of) => {
  const { path, table, note } = of;

  it('A reset of tokens ends every token issued so far, of that brand only, and none issued after', async () => {
    const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
    const { tokens, left } = await filled(brand, of);
    const others = await filled(other, of);
    await resetTokens(database, brand.issued.brandId);

    for (const since of tokens) {
      const answer = await brand.send('GET', `${path}?since=${since}`);
      expect([answer.status, answer.body]).toEqual([410, GONE]);
    }
    for (const since of others.tokens) {
      expect((await other.send('GET', `${path}?since=${since}`)).status).toBe(200);
    }

    const start = await poll(brand, path, '0');
    expect([start.resources.length, start.deleted]).toEqual([2, []]);
    await brand.send('PATCH', `${path}/${left.id}`, { [note]: 'Changed' });
    const changed = await poll(brand, path, start.since);
    expect(changed.resources).toMatchObject([{ id: left.id }]);
    await brand.send('DELETE', `${path}/${left.id}`);
    const deleted = await poll(brand, path, changed.since);
    expect(deleted).toMatchObject({ resources: [], deleted: [left.id] });
  });

  it('A reset of tokens outlives the daily sweep, and a second reset', async () => {
    const brand = await TestBrand.create();
    const { tokens } = await filled(brand, of);
    await resetTokens(database, brand.issued.brandId);
    const between = await tokenOf(brand, path);
    await worker.scheduled(createScheduledController(), env);
    const status = async (since: string): Promise<number> =>
      (await brand.send('GET', `${path}?since=${since}`)).status;
    for (const since of tokens) expect(await status(since)).toBe(410);
    expect(await status(between)).toBe(200);

    await resetTokens(database, brand.issued.brandId);
    for (const since of [...tokens, between]) expect(await status(since)).toBe(410);
    const after = await tokenOf(brand, path);
    await worker.scheduled(createScheduledController(), env);
    expect(await status(after)).toBe(200);
  });

  it('A reset of tokens ends a token of a change whose number is ahead of the clock', async () => {
    const brand = await TestBrand.create();
    await filled(brand, of);
    await env.DB.prepare(
      `update ${table} set change_number = change_number + 5000000000000000 where brand_id = ?`,
    )
      .bind(brand.issued.brandId)
      .run();
    const since = await tokenOf(brand, path);
    await resetTokens(database, brand.issued.brandId);
    expect((await brand.send('GET', `${path}?since=${since}`)).status).toBe(410);
  });

  it('A reset of tokens covers what a restore undid: a token that is ahead of everything the database has', async () => {
    const brand = await TestBrand.create();
    const { tokens } = await filled(brand, of);
    // What the restore undid: the last changes, a deletion included.
    const { brandId } = brand.issued;
    for (const name of [table, 'tombstones']) {
      await env.DB.prepare(`delete from ${name} where brand_id = ?`).bind(brandId).run();
    }
    await resetTokens(database, brandId);
    for (const since of tokens) {
      expect((await brand.send('GET', `${path}?since=${since}`)).status).toBe(410);
    }
    expect(await poll(brand, path, '0')).toMatchObject({ resources: [], deleted: [] });
  });
});

it('A reset of all brands ends the tokens of all', async () => {
  const brands = [await TestBrand.create(), await TestBrand.create()];
  const tokens = await Promise.all(brands.map((brand) => tokenOf(brand, '/products')));
  expect(await resetAllTokens(database)).toBeGreaterThanOrEqual(2);
  for (const [index, brand] of brands.entries()) {
    const answer = await brand.send('GET', `/products?since=${tokens[index] ?? ''}`);
    expect([answer.status, answer.body]).toEqual([410, GONE]);
    expect((await brand.send('GET', '/products?since=0')).status).toBe(200);
  }
});
