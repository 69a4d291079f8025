import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, vi } from 'vitest';
import { TestBrand } from './support/brand.ts';
import { withNewKey } from './support/keys.ts';
import type { Ids } from './support/operations.ts';
import { bearer, makeResources, operations, perform, readAll } from './support/operations.ts';
import { rewriteD1 } from './support/rewrite-d1.ts';

// The statements of a call decide what a key may do, and the key's row says what they have decided. A further reason to refuse
// a key that has no error yet must not look like a brand without resources: clients delete by such a list.

/** A database with a further condition on keys: they are refused if their label says so. */
const stricter = rewriteD1(env.DB, (text) =>
  text.replaceAll(
    '"api_keys"."moved_to" is null',
    `"api_keys"."moved_to" is null and "api_keys"."label" <> 'refused'`,
  ),
);

let brand: TestBrand;
let refused: TestBrand;
let ids: Ids;

beforeEach(async () => {
  brand = await TestBrand.create();
  refused = await withNewKey(brand, { label: 'refused' });
  ids = await makeResources(brand);
});

it.each(operations)(
  'A key that is refused for a reason without an error is 500, changes nothing, and the log says why: $name',
  async (operation) => {
    const before = await readAll(brand, ids);
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    const options = { headers: bearer(refused), db: stricter };
    const { status, body } = await perform(operation, ids, options);
    const lines = JSON.stringify(log.mock.calls);
    log.mockRestore();
    expect([status, body]).toEqual([500, { error: 'Internal server error.' }]);
    expect(lines).toContain(
      'The key may not do this, for a reason that BrandSession does not know.',
    );
    expect(await readAll(brand, ids)).toEqual(before);
  },
);

it('A key that is refused for a reason without an error is 500 also if the body is bad', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  const answer = await refused.send('POST', '/products', {}, { db: stricter });
  log.mockRestore();
  expect(answer.status).toBe(500);
});

it('A key that is refused for a reason without an error does not affect other keys of the brand', async () => {
  const answer = await brand.send('GET', '/products', undefined, { db: stricter });
  expect(answer.status).toBe(200);
});
