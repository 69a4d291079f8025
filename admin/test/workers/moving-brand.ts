import { expect } from 'vitest';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { issueKey, revokeKey } from '../../src/key/keys.ts';
import { findMisplaced } from '../../src/move/check.ts';
import { interceptDatabase } from '../intercept-database.ts';
import type { TestBrand } from '../../../test/support/brand.ts';
import { resourcesOf } from '../../../test/support/brand.ts';
import type { DatabaseNumber } from '../../../test/support/databases.ts';
import { brandIn, contentOf, DATA } from '../../../test/support/databases.ts';
import { adminIn } from './database.ts';

// What the tests of moves share: a brand with rows in every table, and databases whose calls can have an end.

const NUMBERS: readonly DatabaseNumber[] = [0, 1, 2];
const ONCE = { headers: { 'Idempotency-Key': 'once' } };
export const PRODUCT = { title: 'Bar', priceCents: 1 };
const LONG = { ...PRODUCT, description: 'ä'.repeat(60_000) };
const LIST = { products: [PRODUCT, PRODUCT, LONG, PRODUCT] };

/** The command is killed: no code of it runs any more. */
class Killed extends Error {}

/** What happens at one call: whether it has an effect, and whether the command goes on. Ending after one is ending before the next. */
export const ENDS = [
  { name: 'the command ends before it', isMade: false, error: new Killed('Killed.') },
  { name: 'it fails', isMade: false, error: new DatabaseFailure('It failed.', '') },
  { name: 'its answer is lost', isMade: true, error: new DatabaseFailure('It failed.', '') },
] as const;

/**
 * Returns the databases for a command, and the number of calls that it has made.
 * @param act what clients do before each call
 * @param at the number of the call that has an end
 */
export function openAll(
  act = (): Promise<void> => Promise.resolve(),
  at = Infinity,
  { isMade, error }: (typeof ENDS)[number] = ENDS[0],
): { readonly all: OpenDatabase[]; readonly calls: () => number } {
  let calls = 0;
  const all = NUMBERS.map((number) =>
    interceptDatabase(adminIn(number), async (call) => {
      const place = ++calls;
      if (place > at && error instanceof Killed) throw error;
      await act();
      if (place !== at) return call();
      if (isMade) await call();
      throw error;
    }),
  );
  return { all, calls: () => calls };
}

interface Moving {
  readonly brand: TestBrand;
  /** Its other keys, by the databases in which they were issued. */
  readonly keys: TestBrand[];
  readonly revoked: TestBrand;
}

/** Creates a brand in database 0 that has rows in every table, and long ones. */
export async function makeBrand(): Promise<Moving> {
  const brand = await brandIn(0);
  const [{ id } = { id: '' }] = resourcesOf(await brand.send('POST', '/products', LIST, ONCE));
  await brand.send('DELETE', `/products/${id}`);
  await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 12.5 });
  const revoked = brand.with(await issueKey(adminIn(0), brand.issued.brandId, {}));
  await revokeKey(adminIn(0), revoked.issued.keyId);
  return { brand, keys: [], revoked };
}

/** Every key finds the same brand in one database, and may write; the others have nothing but keys. */
export async function expectHome(
  { brand, keys, revoked }: Moving,
  home: DatabaseNumber,
): Promise<void> {
  const { brandId } = brand.issued;
  for (const number of NUMBERS.filter((other) => other !== home)) {
    expect([number, await contentOf(number, brandId, DATA)]).toEqual([number, '[]']);
  }
  const misplaced = await findMisplaced(openAll().all);
  expect(misplaced.filter((other) => other.brandId === brandId)).toEqual([]);
  expect((await revoked.send('GET', '/products')).status).toBe(401);
  const { text } = await brand.send('GET', '/products');
  for (const key of [brand, ...keys]) {
    expect((await key.send('GET', '/products')).text).toBe(text);
    const { headers } = await key.send('POST', '/products', LIST, ONCE);
    expect(headers.get('Idempotent-Replayed')).toBe('true');
    const description = crypto.randomUUID();
    expect((await key.send('PATCH', '/profile', { brand: { description } })).status).toBe(200);
  }
}
