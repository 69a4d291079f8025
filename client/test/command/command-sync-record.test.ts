import { expect, it } from 'vitest';
import type { Profile } from '../../src/index.ts';
import { item, items } from '../items.ts';
import { shop } from './command-shop.ts';

const BY_SKU = ['--match', 'sku', '--record'];
const BY_CODE = ['--match', 'code', '--record', '--collection', 'coupon-codes'];
const READ_AT = '2026-01-31T09:30:00.000Z';

/** A brand, and what its connection has about syncs. */
async function recorded(
  products: Parameters<typeof shop>[0] = [],
): Promise<
  Awaited<ReturnType<typeof shop>> & { readonly connection: () => Promise<Profile['connection']> }
> {
  const made = await shop(products);
  return { ...made, connection: async () => (await made.client.profile.get()).data.connection };
}

it('`sync --record` writes when the source was read, of products and of coupon codes', async () => {
  const { sync, connection } = await recorded();
  const before = new Date().toISOString();
  expect((await sync(items(1), BY_SKU)).code).toBe(0);
  const first = await connection();
  expect(first).toMatchObject({ lastDiscountsSyncAt: null, lastSyncError: null });
  expect((first.lastProductsSyncAt ?? '') >= before).toBe(true);
  const codes = [{ code: 'TEN', discountPercent: 10 }];
  expect((await sync(codes, [...BY_CODE, '--read-at', READ_AT])).code).toBe(0);
  expect(await connection()).toEqual({ ...first, lastDiscountsSyncAt: READ_AT });
});

it.each([
  ['a refused item', [item('S-0'), item('S-1', -1)], [], true, /^products: 1 refused \(S-1: price/],
  ['a skipped item', [item('S-0'), 7], [], true, /^products: 1 skipped \(Item 2 is not/],
  [
    'withheld deletions',
    items(10),
    ['--delete', '--max-delete', '5'],
    true,
    /^products: 10 deletions withheld\.$/,
  ],
  ['nothing that is accepted', [], [], true, /^products: the source has no products that/],
  ['a file that cannot be read', 'a,b\n1,2', [], false, /^products: The file is neither/],
  ['an old file', items(1), ['--read-at', READ_AT, '--max-age', '1h'], false, /is 1h: the ex/],
] as const)(
  '`sync --record` writes what somebody must look at: %s',
  async (_, content, words, isDone, text) => {
    const { sync, connection } = await recorded(items(20));
    const readAt = new Date().toISOString();
    const wanted = typeof content === 'string' ? content : JSON.stringify(content);
    const { code } = await sync(wanted, [...BY_SKU, '--read-at', readAt, ...words]);
    const { lastProductsSyncAt, lastSyncError } = await connection();
    expect([code, lastProductsSyncAt]).toEqual([1, isDone ? readAt : null]);
    expect(lastSyncError).toMatch(text);
  },
);

it('`sync --record` writes that the file is missing, and of a signal', async () => {
  const { command, sync, connection } = await recorded();
  await command(['sync', '/nowhere/products.csv', ...BY_SKU]);
  expect((await connection()).lastSyncError).toBe(
    'products: /nowhere/products.csv: there is no such file or folder.',
  );
  const stop = new AbortController();
  const { code } = await sync([{ code: 'TEN', discountPercent: 10 }], BY_CODE, {
    signal: stop.signal,
    fetch: async (...request) => {
      stop.abort();
      return fetch(...request);
    },
  });
  expect([code, (await connection()).lastSyncError]).toEqual([
    1,
    expect.stringMatching(/^coupon-codes: Stopped before the end\./),
  ]);
});

it('`sync --record` clears only a sentence of its own collection', async () => {
  const { sync, client, connection } = await recorded();
  for (const [lastSyncError, left] of [
    ['coupon-codes: 1 refused.', 'coupon-codes: 1 refused.'],
    ['Somebody wrote this.', 'Somebody wrote this.'],
    ['products: 1 refused.', null],
  ]) {
    await client.profile.update({ connection: { lastSyncError: lastSyncError ?? null } });
    expect((await sync(items(1), BY_SKU)).code).toBe(0);
    expect((await connection()).lastSyncError).toBe(left);
  }
});

it.each([
  [['--dry-run'], 0],
  [['--variants', 'first'], 2],
])('`sync --record` writes nothing with other options: %j', async (words, expected) => {
  const { sync, client, connection } = await recorded();
  await client.profile.update({ connection: { lastSyncError: 'products: 1 refused.' } });
  const before = await connection();
  const { code } = await sync(items(1), [...BY_SKU, ...words]);
  expect([code, await connection()]).toEqual([expected, before]);
});

it('`sync --record` writes the beginning of a sentence that is too long', async () => {
  const { sync, connection } = await recorded();
  const { code } = await sync([{ ...item('x'.repeat(2100)), title: 'A' }], BY_SKU);
  expect(code).toBe(1);
  expect((await connection()).lastSyncError).toMatch(/^products: the source.* \(x+…$/);
});

it('`sync --record` survives that the other collection is recorded at the same time', async () => {
  const { sync, client, connection } = await recorded();
  let changes = 0;
  const { code } = await sync(items(1), BY_SKU, {
    fetch: async (url, init) => {
      if (init?.method === 'PATCH' && changes++ === 0) {
        await client.profile.update({ connection: { lastSyncError: 'coupon-codes: late' } });
      }
      return fetch(url, init);
    },
  });
  expect([code, changes, (await connection()).lastSyncError]).toEqual([0, 2, 'coupon-codes: late']);
});

it('`sync --record` says if it cannot be written', async () => {
  const { sync } = await recorded();
  const error = 'This API key is read-only.';
  const { code, stdout, stderr } = await sync(items(1), [...BY_SKU, '--json'], {
    fetch: (url, init) =>
      init?.method === 'PATCH'
        ? Promise.resolve(Response.json({ error }, { status: 403 }))
        : fetch(url, init),
  });
  const said = `This could not be recorded in the connection: ${error}`;
  expect([code, stderr]).toEqual([1, `error: ${said}\n`]);
  expect(JSON.parse(stdout)).toMatchObject({ created: 1, error: said });
});
