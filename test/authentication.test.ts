import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiKeys } from '../src/db/tables.ts';
import { execute, send, TestBrand } from './support/brand.ts';
import type { UnusableKeys } from './support/keys.ts';
import { makeUnusableKeys, misspell, withNewKey } from './support/keys.ts';
import { meter } from './support/meter.ts';
import type { Ids } from './support/operations.ts';
import {
  bearer,
  makeResources,
  operations,
  perform,
  readOperations,
  readAll,
  writeOperations,
} from './support/operations.ts';

let brand: TestBrand;
let other: TestBrand;
let unusable: UnusableKeys;
let second: string;
let hash: string;
let reader: TestBrand;
let ids: Ids;

beforeAll(async () => {
  brand = await TestBrand.create();
  other = await TestBrand.create();
  unusable = await makeUnusableKeys(brand);
  ids = await makeResources(brand);
  second = (await withNewKey(brand)).issued.apiKey;
  hash = await sha256(brand.issued.apiKey);
  reader = await withNewKey(brand, { scope: 'read' });
});

type Credentials = () => Record<string, string>;
const key = (): string => brand.issued.apiKey;

const missing = 'Missing API key.';
const invalid = 'Invalid API key.';
const conflicting = 'Conflicting API keys.';

/** The word and the challenge of an error. What a key may be in has a challenge that says so: credentials.test.ts. */
const shown: Readonly<Record<string, readonly [code: string, challenge: RegExp]>> = {
  [missing]: ['missing-key', /^Bearer realm="brand-api"(, error_description="[\w. -]+")?$/],
  [invalid]: ['invalid-key', /^Bearer realm="brand-api", error="invalid_token"$/],
  [conflicting]: ['conflicting-keys', /^Bearer realm="brand-api"$/],
};

/** One of each kind: `credentials.test.ts` has all forms of the headers, and `api-key.test.ts` all forms of a key. */
const refused: readonly [name: string, error: string, calls: number, credentials: Credentials][] = [
  ['no header', missing, 0, () => ({})],
  ['another scheme alone', missing, 0, () => ({ Authorization: `Basic ${btoa(`u:${key()}`)}` })],
  ['a cookie', missing, 0, () => ({ Cookie: `x-service-api-key=${key()}` })],
  ['a similar header', missing, 0, () => ({ 'x-api-key': key() })],
  ['a mistyped key', invalid, 0, () => ({ Authorization: `Bearer ${misspell(key(), 20)}` })],
  ['a very long key', invalid, 0, () => ({ Authorization: `Bearer ${'x'.repeat(10_000)}` })],
  ['the hash of a key', invalid, 0, () => ({ Authorization: `Bearer ${hash}` })],
  ['a key never issued', invalid, 1, () => ({ Authorization: `Bearer ${unusable.unknown}` })],
  ['a revoked key', invalid, 1, () => ({ Authorization: `Bearer ${unusable.revoked}` })],
  ['an expired key', invalid, 1, () => ({ Authorization: `Bearer ${unusable.expired}` })],
  ['an unknown service key', invalid, 1, () => ({ 'x-service-api-key': unusable.unknown })],
  ['two good keys', conflicting, 0, () => ({ ...bearer(brand), 'x-service-api-key': second })],
];

describe.each(operations)('$name', (operation) => {
  it.each(refused)(
    'An operation refuses a request without a good key: %s: %s',
    async (_, error, calls, credentials) => {
      const used = meter();
      const answer = await perform(operation, ids, { headers: credentials(), db: used.db });
      expect([answer.status, answer.body]).toEqual([401, { error }]);
      const [code, challenge = /./] = shown[error] ?? [];
      expect(answer.headers.get('X-Error')).toBe(code);
      expect(answer.headers.get('WWW-Authenticate')).toMatch(challenge);
      expect([used.calls, used.rowsWritten]).toEqual([calls, 0]);
    },
  );

  it('An operation does not read a key from the URL', async () => {
    const used = meter();
    for (const name of ['key', 'apiKey', 'access_token', 'x-service-api-key', 'Authorization']) {
      const path = (own: Ids): string => `${operation.path(own)}?${name}=${key()}`;
      const answer = await perform({ ...operation, path }, ids, { db: used.db });
      expect([answer.status, answer.body], name).toEqual([401, { error: missing }]);
    }
    expect(used.calls).toBe(0);
  });
});

it.each<[name: string, credentials: Credentials]>([
  ['Authorization', () => bearer(brand)],
  ['x-service-api-key', () => ({ 'x-service-api-key': key() })],
  ['both headers with one key', () => ({ ...bearer(brand), 'x-service-api-key': key() })],
])('A good key gives access in each header: %s', async (_, credentials) => {
  const answer = await send('GET', '/api/brand/v1/profile', { headers: credentials() });
  expect(answer.status).toBe(200);
});

it('A key in the URL does not override that of a header, and no error repeats it', async () => {
  const answer = await other.send('GET', `/products?key=${key()}`);
  expect(answer.status).toBe(400);
  expect(answer.text).not.toContain(key());
});

it.each(readOperations)('A read-only key may read: $name', async (operation) => {
  const answer = await perform(operation, ids, { headers: bearer(reader) });
  expect(answer.status).toBe(200);
  const head = await perform({ ...operation, method: 'HEAD' }, ids, { headers: bearer(reader) });
  expect([head.status, head.text]).toEqual([200, '']);
});

it.each(writeOperations)(
  'A read-only key may not write, which is refused in one call: $name',
  async (operation) => {
    const before = await readAll(brand, ids);
    const used = meter();
    const answer = await perform(operation, ids, { headers: bearer(reader), db: used.db });
    expect([answer.status, answer.body]).toEqual([403, { error: 'This API key is read-only.' }]);
    expect(answer.headers.has('WWW-Authenticate')).toBe(false);
    expect(answer.headers.has('x-d1-bookmark')).toBe(true);
    expect([used.calls, used.rowsWritten]).toEqual([1, 0]);
    expect(await readAll(brand, ids)).toEqual(before);
  },
);

it('An issued key is stored only as its SHA-256 and its first 12 characters', async () => {
  const { apiKey, keyId } = brand.issued;
  const [[row]] = await execute(sql`select * from ${apiKeys} where ${apiKeys.id} = ${keyId}`);
  const { created_at: createdAt, ...rest } = row ?? {};
  expect(rest).toEqual({
    hash,
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

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
