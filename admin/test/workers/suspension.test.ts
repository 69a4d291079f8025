import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import type { Answer } from '../../../test/support/brand.ts';
import { send, TestBrand } from '../../../test/support/brand.ts';
import { withNewKey } from '../../../test/support/keys.ts';
import { makeResources, readAll } from '../../../test/support/operations.ts';
import { apiKeys } from '../../../src/db/tables.ts';
import { listKeys } from '../../src/key/list.ts';
import { rotateKey } from '../../src/key/rotation.ts';
import { issueKey, revokeKey } from '../../src/key/keys.ts';
import { resumeBrand, suspendBrand } from '../../src/brand/suspension.ts';
import { database } from './database.ts';

// What the service answers to a key of a suspended brand is in test/suspension.test.ts.

let brand: TestBrand;
let reader: TestBrand;

beforeEach(async () => {
  brand = await TestBrand.create();
  reader = await withNewKey(brand, { scope: 'read' });
});

async function suspend(): Promise<void> {
  await suspendBrand(database, brand.issued.brandId);
}

function expectSuspended({ status, body }: Answer): void {
  expect([status, body]).toEqual([403, { error: 'This brand is suspended.' }]);
}

it('A rotated key is suspended as its brand is, whatever the row of the old key says', async () => {
  await suspend();
  const old = await withNewKey(brand);
  const { keyId } = old.issued;
  await database.run(sql`update ${apiKeys} set suspended_at = null where ${apiKeys.id} = ${keyId}`);
  const { apiKey } = await rotateKey(database, keyId, { overlap: 60 });
  const headers = { Authorization: `Bearer ${apiKey}` };
  expectSuspended(await send('GET', '/api/brand/v1/profile', { headers }));
});

it('A suspension holds for keys that are issued or rotated meanwhile, until the brand is resumed', async () => {
  const { brandId, keyId } = brand.issued;
  await suspend();
  const issued = brand.with(await issueKey(database, brandId, {}));
  const rotated = brand.with(await rotateKey(database, keyId, { overlap: 3600 }));
  const successor = brand.with(await rotateKey(database, issued.issued.keyId, { overlap: 3600 }));
  const all = [brand, reader, issued, rotated, successor];
  for (const key of all) expectSuspended(await key.send('GET', '/products'));
  const times = new Set(
    (await listKeys([database], { brandId })).items.map((key) => key.suspendedAt),
  );
  expect([...times]).toEqual([expect.stringMatching(/^\d{4}-.*Z$/)]);

  await resumeBrand(database, brandId);
  for (const key of all) expect((await key.send('GET', '/products')).status).toBe(200);
  const later = brand.with(await issueKey(database, brandId, {}));
  expect((await later.send('GET', '/products')).status).toBe(200);
});

it('Suspending and resuming leave everything else as it was', async () => {
  const ids = await makeResources(brand);
  const before = await readAll(brand, ids);
  await suspend();
  await resumeBrand(database, brand.issued.brandId);
  expect(await readAll(brand, ids)).toEqual(before);
});

it('A dead key does not come back when its brand is resumed', async () => {
  await suspend();
  await revokeKey(database, reader.issued.keyId);
  await resumeBrand(database, brand.issued.brandId);
  expect((await reader.send('GET', '/products')).status).toBe(401);
});
