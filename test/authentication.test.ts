import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { revokeKey } from '../tools/admin/keys.ts';
import { apiKeys } from '../src/db/tables.ts';
import { execute, send, TestBrand } from './support/brand.ts';
import type { UnusableKeys } from './support/keys.ts';
import { makeUnusableKeys, misspell, withKey } from './support/keys.ts';
import { meter } from './support/meter.ts';
import type { Ids } from './support/operations.ts';
import {
  bearer,
  makeResources,
  operations,
  perform,
  reads,
  snapshot,
  writes,
} from './support/operations.ts';

let brand: TestBrand;
let other: TestBrand;
let unusable: UnusableKeys;
let second: TestBrand;
let reader: TestBrand;
let ids: Ids;

beforeAll(async () => {
  brand = await TestBrand.create();
  other = await TestBrand.create();
  unusable = await makeUnusableKeys(brand);
  ids = await makeResources(brand);
  second = await withKey(brand);
  reader = await withKey(brand, { scope: 'read' });
});

type Credentials = () => Record<string, string>;
const key = (): string => brand.issued.apiKey;

const missing = 'Missing API key.';
const invalid = 'Invalid API key.';
const conflicting = 'Conflicting API keys.';

const refused: readonly [name: string, error: string, calls: number, credentials: Credentials][] = [
  ['no header', missing, 0, () => ({})],
  ['an empty Authorization', missing, 0, () => ({ Authorization: '' })],
  ['an empty x-service-api-key', missing, 0, () => ({ 'x-service-api-key': '' })],
  ['both empty', missing, 0, () => ({ Authorization: '', 'x-service-api-key': ' ' })],
  ['another scheme alone', missing, 0, () => ({ Authorization: `Basic ${btoa(`u:${key()}`)}` })],
  ['a scheme that begins like Bearer', missing, 0, () => ({ Authorization: `Bearers ${key()}` })],
  ['the key without a scheme', missing, 0, () => ({ Authorization: key() })],
  ['a cookie', missing, 0, () => ({ Cookie: `x-service-api-key=${key()}` })],
  ['a similar header', missing, 0, () => ({ 'x-api-key': key() })],
  ['Bearer with nothing', invalid, 0, () => ({ Authorization: 'Bearer' })],
  ['Bearer with garbage', invalid, 0, () => ({ Authorization: "Bearer ' or 1=1 --" })],
  ['Bearer with two keys', invalid, 0, () => ({ Authorization: `Bearer ${key()} ${key()}` })],
  [
    'Authorization twice',
    invalid,
    0,
    () => ({ Authorization: `Bearer ${key()}, Bearer ${key()}` }),
  ],
  [
    'two keys behind one Bearer',
    invalid,
    0,
    () => ({ Authorization: `Bearer ${key()}, ${key()}` }),
  ],
  ['x-service-api-key twice', invalid, 0, () => ({ 'x-service-api-key': `${key()}, ${key()}` })],
  ['a key cut short', invalid, 0, () => ({ Authorization: `Bearer ${key().slice(0, -1)}` })],
  ['a key with a tail', invalid, 0, () => ({ Authorization: `Bearer ${key()}0` })],
  ['a key in upper case', invalid, 0, () => ({ Authorization: `Bearer ${key().toUpperCase()}` })],
  ['a very long key', invalid, 0, () => ({ Authorization: `Bearer ${'x'.repeat(10_000)}` })],
  ['a mistyped secret', invalid, 0, () => ({ Authorization: `Bearer ${misspell(key(), 20)}` })],
  ['a mistyped checksum', invalid, 0, () => ({ Authorization: `Bearer ${misspell(key(), 52)}` })],
  ['a malformed service key', invalid, 0, () => ({ 'x-service-api-key': misspell(key(), 20) })],
  ['a key never issued', invalid, 1, () => ({ Authorization: `Bearer ${unusable.unknown}` })],
  ['a revoked key', invalid, 1, () => ({ Authorization: `Bearer ${unusable.revoked}` })],
  ['an expired key', invalid, 1, () => ({ Authorization: `Bearer ${unusable.expired}` })],
  ['an unknown service key', invalid, 1, () => ({ 'x-service-api-key': unusable.unknown })],
  [
    'two good keys of one brand in the two headers',
    conflicting,
    0,
    () => ({ ...bearer(brand), 'x-service-api-key': second.issued.apiKey }),
  ],
  [
    "another brand's key beside this one's",
    conflicting,
    0,
    () => ({ ...bearer(brand), 'x-service-api-key': other.issued.apiKey }),
  ],
  [
    'a good key beside a malformed one',
    conflicting,
    0,
    () => ({ ...bearer(brand), 'x-service-api-key': 'nonsense' }),
  ],
];

const accepted: readonly [
  name: string,
  credentials: (holder: TestBrand) => Record<string, string>,
][] = [
  ['Authorization: Bearer', (holder) => bearer(holder)],
  ['bearer in lower case', ({ issued }) => ({ Authorization: `bearer ${issued.apiKey}` })],
  ['BEARER in upper case', ({ issued }) => ({ Authorization: `BEARER ${issued.apiKey}` })],
  ['x-service-api-key', ({ issued }) => ({ 'x-service-api-key': issued.apiKey })],
  [
    'both headers with one key',
    (holder) => ({ ...bearer(holder), 'x-service-api-key': holder.issued.apiKey }),
  ],
  [
    'another scheme beside x-service-api-key',
    ({ issued }) => ({ Authorization: 'Basic dTpw', 'x-service-api-key': issued.apiKey }),
  ],
  [
    'a scheme that begins with Bearer beside x-service-api-key',
    ({ issued }) => ({ Authorization: 'Bearer-x dTpw', 'x-service-api-key': issued.apiKey }),
  ],
  [
    'an empty Authorization beside x-service-api-key',
    ({ issued }) => ({ Authorization: '', 'x-service-api-key': issued.apiKey }),
  ],
  [
    'an empty x-service-api-key beside Authorization',
    (holder) => ({ ...bearer(holder), 'x-service-api-key': '' }),
  ],
];

/** One middleware checks the key of all operations; `one-call.test.ts` tries each of them with bad keys. */
const samples = operations.filter(({ name }) => ['GET /profile', 'POST /products'].includes(name));

describe.each(samples)('$name', (operation) => {
  it.each(refused)('refuses %s: %s', async (_, error, calls, credentials) => {
    const used = meter();
    const answer = await perform(operation, ids, { headers: credentials(), db: used.db });

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(used.calls).toBe(calls);
  });

  it.each(accepted)('accepts %s', async (_, credentials) => {
    const fresh = await TestBrand.create();
    const own = await makeResources(fresh);
    const answer = await perform(operation, own, { headers: credentials(fresh) });
    expect(answer.status).toBe(operation.status);
  });

  it.each(['key', 'apiKey', 'api_key', 'access_token', 'x-service-api-key', 'Authorization'])(
    'does not read a key from the parameter %s of the URL',
    async (name) => {
      const used = meter();
      const query = `?${name}=${key()}`;
      const path = (own: Ids): string => operation.path(own) + query;
      const answer = await perform({ ...operation, path }, ids, { db: used.db });
      expect([answer.status, answer.body]).toEqual([401, { error: missing }]);
      expect(used.calls).toBe(0);
    },
  );
});

test('a key in the URL does not override that of a header, and no error repeats it', async () => {
  const answer = await other.send('GET', `/products?key=${key()}`);
  expect(answer.status).toBe(400);
  expect(answer.text).not.toContain(key());
});

describe('a read-only key', () => {
  it.each(reads)('may $name', async (operation) => {
    const answer = await perform(operation, ids, { headers: bearer(reader) });
    expect(answer.status).toBe(200);
  });

  it.each(writes)('may not $name', async (operation) => {
    const before = await snapshot(brand, ids);
    const answer = await perform(operation, ids, { headers: bearer(reader) });
    expect([answer.status, answer.body]).toEqual([403, { error: 'This API key is read-only.' }]);
    expect(answer.headers.has('WWW-Authenticate')).toBe(false);
    expect(answer.headers.has('x-d1-bookmark')).toBe(true);
    expect(await snapshot(brand, ids)).toEqual(before);
  });
});

describe('an issued key', () => {
  it('is stored only as its SHA-256 and its first 12 characters', async () => {
    const { apiKey, keyId } = brand.issued;
    const [[row]] = await execute(sql`select * from ${apiKeys} where ${apiKeys.id} = ${keyId}`);
    const { created_at: createdAt, ...rest } = row ?? {};
    expect(rest).toEqual({
      hash: await sha256(apiKey),
      id: keyId,
      brand_id: brand.issued.brandId,
      prefix: apiKey.slice(0, 12),
      label: '',
      scope: 'write',
      expires_at: null,
      revoked_at: null,
      suspended_at: null,
      replaced_by: null,
      moved_to: null,
      frozen_at: null,
    });
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is not replaced by what is stored of it', async () => {
    const { apiKey } = brand.issued;
    for (const stored of [await sha256(apiKey), apiKey.slice(0, 12)]) {
      const headers = { Authorization: `Bearer ${stored}` };
      const answer = await send('GET', '/api/brand/v1/profile', { headers });
      expect([answer.status, answer.body]).toEqual([401, { error: invalid }]);
    }
  });

  it('works until it is revoked or expires, and not for one request longer', async () => {
    const [get] = reads;
    if (get === undefined) throw new Error('There are no reads.');
    const status = async (holder: TestBrand): Promise<number> =>
      (await perform(get, ids, { headers: bearer(holder) })).status;

    const revoked = await withKey(brand);
    expect(await status(revoked)).toBe(200);
    await revokeKey(execute, revoked.issued.keyId);
    expect(await status(revoked)).toBe(401);

    const expiring = await withKey(brand, { expiresIn: 1 });
    expect(await status(expiring)).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect(await status(expiring)).toBe(401);
  });
});

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
