import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateApiKey } from '../src/auth/api-key.ts';
import { send, TestBrand } from './support/brand.ts';
import { collections, couponCodes } from './support/collections.ts';
import { misspell, withKey } from './support/keys.ts';
import type { Meter } from './support/meter.ts';
import { meter } from './support/meter.ts';
import type { Ids } from './support/operations.ts';
import {
  bearer,
  itemPath,
  makeResources,
  onItems,
  operations,
  perform,
  withBody,
  writes,
} from './support/operations.ts';

let brand: TestBrand;
let reader: TestBrand;
let foreign: Ids;
let ids: Ids;
let count: Meter;

beforeAll(async () => {
  const other = await TestBrand.create();
  foreign = await makeResources(other);
});

beforeEach(async () => {
  brand = await TestBrand.create();
  reader = await withKey(brand, { scope: 'read' });
  ids = await makeResources(brand);
  count = meter();
});

const absent = '01890000-0000-7000-8000-000000000000';

describe('exactly one call to D1', () => {
  it.each(operations)('is made by $name', async (operation) => {
    const answer = await perform(operation, ids, { headers: bearer(brand), db: count.db });
    expect(answer.status).toBe(operation.status);
    expect(count.calls).toBe(1);
  });

  it.each(operations)('is made by $name with an unknown key', async (operation) => {
    const headers = { Authorization: `Bearer ${generateApiKey()}` };
    const answer = await perform(operation, ids, { headers, db: count.db });
    expect(answer.status).toBe(401);
    expect(count.calls).toBe(1);
  });

  it.each(writes)('is made by $name with a read-only key', async (operation) => {
    const answer = await perform(operation, ids, { headers: bearer(reader), db: count.db });
    expect(answer.status).toBe(403);
    expect(count.calls).toBe(1);
  });

  const bodies = [
    { what: 'a body that is no JSON', raw: '{', status: 400 },
    { what: 'no body', raw: '', status: 400 },
    { what: 'an unknown field', raw: '{"nosuchfield":1}', status: 400 },
    { what: 'too large a body', raw: `"${'x'.repeat(2 * 1024 * 1024)}"`, status: 413 },
  ];
  it.each(withBody.flatMap((operation) => bodies.map((body) => ({ ...body, operation }))))(
    'is made by $operation.name with $what',
    async ({ operation, raw, status }) => {
      const answer = await perform(operation, ids, { headers: bearer(brand), raw, db: count.db });
      expect(answer.status).toBe(status);
      expect(count.calls).toBe(1);
    },
  );

  const unfound: readonly { what: string; named: () => Ids }[] = [
    { what: 'an id that is not there', named: () => () => absent },
    { what: 'an id that is no UUID', named: () => () => '42' },
    { what: "another brand's id", named: () => foreign },
  ];
  it.each(onItems.flatMap((operation) => unfound.map((id) => ({ ...id, operation }))))(
    'is made by $operation.name with $what',
    async ({ operation, named }) => {
      const options = { headers: bearer(brand), db: count.db };
      const answer = await perform(operation, named(), options);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: `${operation.noun ?? ''} not found.` });
      expect(count.calls).toBe(1);
    },
  );

  it.each([
    { method: 'POST', path: (): string => '/coupon-codes' },
    { method: 'PUT', path: (own: Ids): string => itemPath(couponCodes, own) },
    { method: 'PATCH', path: (own: Ids): string => itemPath(couponCodes, own) },
  ])('is made by $method of a coupon code that exists', async ({ method, path }) => {
    await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 5 });
    const body = { code: 'Taken', discountPercent: 5 };
    const answer = await brand.send(method, path(ids), body, { db: count.db });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ error: 'Coupon code "Taken" already exists.' });
    expect(count.calls).toBe(1);
  });

  it.each(['/profile', ...collections.map(({ path }) => path)])(
    'is made by HEAD %s',
    async (path) => {
      const answer = await brand.send('HEAD', path, undefined, { db: count.db });
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(count.calls).toBe(1);
    },
  );

  it.each(writes.filter(({ method }) => method === 'PATCH'))(
    'is made by a $name that changes nothing',
    async (operation) => {
      const options = { headers: bearer(brand), raw: '{}', db: count.db };
      expect((await perform(operation, ids, options)).status).toBe(200);
      expect(count.calls).toBe(1);
    },
  );
});

describe('no call to D1', () => {
  const unusable: readonly { what: string; headers: () => Record<string, string> }[] = [
    { what: 'without a key', headers: () => ({}) },
    {
      what: 'with a malformed key',
      headers: () => ({ Authorization: `Bearer ${misspell(brand.issued.apiKey, 30)}` }),
    },
    {
      what: 'with two keys',
      headers: () => ({ ...bearer(brand), 'x-service-api-key': reader.issued.apiKey }),
    },
  ];
  it.each(operations.flatMap((operation) => unusable.map((key) => ({ ...key, operation }))))(
    'is made by $operation.name $what',
    async ({ operation, headers }) => {
      const answer = await perform(operation, ids, { headers: headers(), db: count.db });
      expect(answer.status).toBe(401);
      expect(count.calls).toBe(0);
    },
  );

  it.each([
    ['GET', '/', 404],
    ['GET', '/api/brand/v1', 404],
    ['GET', '/api/brand/v1/nothing', 404],
    ['GET', '/api/brand/v1/products/', 404],
    ['POST', '/api/brand/v1/Products', 404],
    ['GET', '/api/brand/v2/products', 404],
    ['GET', `/api/brand/v1/products/${absent}/more`, 404],
    ['POST', '/api/brand/v1/profile', 405],
    ['DELETE', '/api/brand/v1/profile', 405],
    ['PUT', '/api/brand/v1/products', 405],
    ['DELETE', '/api/brand/v1/coupon-codes', 405],
    ['POST', `/api/brand/v1/products/${absent}`, 405],
    ['POST', `/api/brand/v1/coupon-codes/${absent}`, 405],
    ['OPTIONS', '/api/brand/v1/profile', 204],
    ['OPTIONS', '/api/brand/v1/products', 204],
    ['OPTIONS', `/api/brand/v1/coupon-codes/${absent}`, 204],
  ])('is made by %s %s, even with a good key', async (method, path, status) => {
    for (const headers of [bearer(brand), {}]) {
      expect((await send(method, path, { headers, db: count.db })).status).toBe(status);
    }
    expect(count.calls).toBe(0);
  });
});
