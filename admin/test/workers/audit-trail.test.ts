import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { Failure } from '../../../common/failure.ts';
import type { AuditEntry } from '../../src/audit.ts';
import { listActs } from '../../src/audit.ts';
import { createBrand, deleteBrand } from '../../src/brand/brands.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { databaseOn } from '../../src/database/open-database.ts';
import type { IssuedKey } from '../../src/key/keys.ts';
import { rotateKey } from '../../src/key/rotation.ts';
import { issueKey, revokeKey } from '../../src/key/keys.ts';
import { resumeBrand, suspendBrand } from '../../src/brand/suspension.ts';
import { resetAllTokens, resetTokens } from '../../src/brand/tokens.ts';
import { interceptDatabase } from '../intercept-database.ts';

const NOBODY = '01890000-0000-7000-8000-000000000000';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ann = databaseOn(env.DB, "Ann O'Brien");

let made: IssuedKey;

beforeEach(async () => {
  made = await createBrand(ann, 'Audited');
});

/** What was noted of a brand, without the times. */
async function noted(brandId = made.brandId): Promise<Omit<AuditEntry, 'at'>[]> {
  const entries = (await listActs([ann], { brandId })).items;
  return entries.map(({ at, ...entry }) => {
    expect(at).toMatch(TIME);
    return entry;
  });
}

/** One entry as it is expected. */
function entry(
  action: string,
  keyId: string | null,
  details: AuditEntry['details'] = {},
): Omit<AuditEntry, 'at'> {
  return { action, brandId: made.brandId, keyId, actor: "Ann O'Brien", details };
}

/** As an operator whose acknowledgements are lost: each transaction takes effect, and is run again. */
function repeating(database: OpenDatabase): OpenDatabase {
  return interceptDatabase(database, async (call) => {
    await call();
    return call();
  });
}

it('The audit trail records every action with brand, key and operator, and outlives the brand without its names', async () => {
  const label = `the "report"'s; --`;
  const issued = await issueKey(ann, made.brandId, { label, scope: 'read', expiresIn: 86_400 });
  const rotated = await rotateKey(ann, issued.keyId, { overlap: 60, scope: 'write' });
  const { expiresAt } = rotated;
  await revokeKey(ann, rotated.keyId);
  await resetTokens(ann, made.brandId);
  await suspendBrand(ann, made.brandId, ' unpaid ');
  await resumeBrand(ann, made.brandId);
  const first = { brandName: 'Audited', scope: 'write', label: '', expiresAt: null };
  expect(await noted()).toEqual([
    entry('brand.create', made.keyId, first),
    entry('key.issue', issued.keyId, { scope: 'read', label, expiresAt: issued.expiresAt }),
    entry('key.rotate', rotated.keyId, {
      replacedKeyId: issued.keyId,
      scope: 'write',
      label,
      expiresAt,
    }),
    entry('key.revoke', rotated.keyId, { scope: 'write', label, expiresAt }),
    entry('tokens.reset', null),
    entry('brand.suspend', null, { brandName: 'Audited', reason: 'unpaid' }),
    entry('brand.resume', null, { brandName: 'Audited' }),
  ]);

  await deleteBrand(ann, made.brandId);
  const withoutNames = { scope: 'write', expiresAt };
  expect(await noted()).toEqual([
    entry('brand.create', made.keyId, { scope: 'write', expiresAt: null }),
    entry('key.issue', issued.keyId, { scope: 'read', expiresAt: issued.expiresAt }),
    entry('key.rotate', rotated.keyId, { replacedKeyId: issued.keyId, ...withoutNames }),
    entry('key.revoke', rotated.keyId, withoutNames),
    entry('tokens.reset', null),
    entry('brand.suspend', null, { reason: 'unpaid' }),
    entry('brand.resume', null),
    entry('brand.delete.begin', null),
    entry('brand.delete.done', null),
  ]);
});

it('The audit trail keeps the names of a brand until it is deleted whole, and those of others', async () => {
  const other = await createBrand(ann, 'Audited');
  await env.DB.prepare(
    `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n <= 20000)
       select ?, 'products', n, ?, ? from numbers`,
  )
    .bind(made.brandId, NOBODY, '2026-01-31T09:30:00.000Z')
    .run();
  let calls = 0;
  const failing = interceptDatabase(ann, (call) =>
    ++calls > 1 ? Promise.reject(new Error('gone')) : call(),
  );
  await expect(deleteBrand(failing, made.brandId)).rejects.toThrow('gone');
  const [created, begun] = await noted();
  expect(created).toMatchObject({ details: { brandName: 'Audited', label: '' } });
  expect(begun).toMatchObject({ action: 'brand.delete.begin', details: {} });
  await deleteBrand(ann, made.brandId);
  expect(JSON.stringify(await noted())).not.toMatch(/Audited|label/);
  expect(await noted(other.brandId)).toMatchObject([{ details: { brandName: 'Audited' } }]);
});

it('The audit trail records an action once, and reports it as done, if its transaction is retried', async () => {
  const ben = repeating(ann);
  made = await createBrand(ben, 'Twice');
  const issued = await issueKey(ben, made.brandId, {});
  const rotated = await rotateKey(ben, issued.keyId, { overlap: 0 });
  await revokeKey(ben, rotated.keyId);
  await resetTokens(ben, made.brandId);
  await suspendBrand(ben, made.brandId);
  await resumeBrand(ben, made.brandId);
  await deleteBrand(ben, made.brandId);
  expect((await noted()).map(({ action }) => action)).toEqual([
    'brand.create',
    'key.issue',
    'key.rotate',
    'key.revoke',
    'tokens.reset',
    'brand.suspend',
    'brand.resume',
    'brand.delete.begin',
    'brand.delete.done',
  ]);
});

it('The audit trail notes a reset of all brands as one act, with their number', async () => {
  const brands = await resetAllTokens(ann);
  const last = (await listActs([ann])).items.at(-1);
  expect(last).toMatchObject({ action: 'tokens.reset', brandId: null, details: { brands } });
  expect((await noted()).map(({ action }) => action)).toEqual(['brand.create']);
});

it('The audit trail records nothing that was not done', async () => {
  await revokeKey(ann, made.keyId);
  const before = (await listActs([ann])).items;
  for (const act of [
    () => issueKey(ann, NOBODY, {}),
    () => rotateKey(ann, made.keyId, { overlap: 60 }),
    () => revokeKey(ann, made.keyId),
    () => revokeKey(ann, NOBODY),
    () => issueKey(ann, made.brandId, { label: 'two\nlines' }),
    () => createBrand(ann, ''),
    () => resetTokens(ann, NOBODY),
    () => resetTokens(ann, 'nonsense'),
    () => suspendBrand(ann, NOBODY),
    () => suspendBrand(ann, made.brandId, ''),
    () => resumeBrand(ann, made.brandId),
    () => resumeBrand(ann, NOBODY),
  ]) {
    await expect(act()).rejects.toThrow(Failure);
  }
  await deleteBrand(ann, NOBODY);
  expect((await listActs([ann])).items).toEqual(before);
});

it('The audit trail records in the transaction of the action: a record that cannot be written rolls the action back', async () => {
  const nobody = databaseOn(env.DB, '');
  for (const act of [
    () => createBrand(nobody, 'Unaudited'),
    () => issueKey(nobody, made.brandId, {}),
    () => rotateKey(nobody, made.keyId, { overlap: 0 }),
    () => revokeKey(nobody, made.keyId),
    () => deleteBrand(nobody, made.brandId),
    () => resetTokens(nobody, made.brandId),
    () => resetAllTokens(nobody),
    () => suspendBrand(nobody, made.brandId),
  ]) {
    await expect(act()).rejects.toThrow('refused a value');
  }
  const [keys, brands, tombstones] = await ann.run(
    sql`select id, expires_at, revoked_at, suspended_at from api_keys where brand_id = ${made.brandId}`,
    sql`select id from brands where brand_name = 'Unaudited'`,
    sql`select id from tombstones where brand_id = ${made.brandId}`,
  );
  expect(keys).toEqual([
    { id: made.keyId, expires_at: null, revoked_at: null, suspended_at: null },
  ]);
  expect(brands).toEqual([]);
  expect(tombstones).toEqual([]);
});
