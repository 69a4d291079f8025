import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { Failure } from '../../../common/failure.ts';
import type { KeyOptions } from '../../src/key/keys.ts';
import { listKeys } from '../../src/key/list.ts';
import { rotateBrandKeys, rotateKey } from '../../src/key/rotation.ts';
import { issueKey, revokeKey } from '../../src/key/keys.ts';
import type { Answer } from '../../../test/support/brand.ts';
import { resourcesOf, TestBrand } from '../../../test/support/brand.ts';
import { UNKNOWN } from '../../../test/support/attack.ts';
import { database } from './database.ts';

const product = { title: 'Whey', priceCents: 4999 };

let brand: TestBrand;
let other: TestBrand;

beforeEach(async () => {
  [brand, other] = await Promise.all([TestBrand.create(), TestBrand.create()]);
  await brand.create('/products', product);
});

async function issue(options: KeyOptions): Promise<TestBrand> {
  return brand.with(await issueKey(database, brand.issued.brandId, options));
}

/** Sets when a key was issued, and when it expires. */
async function setTimes(keyId: string, createdAt: string, expiresAt: string): Promise<void> {
  const change = env.DB.prepare('update api_keys set created_at = ?, expires_at = ? where id = ?');
  await change.bind(createdAt, expiresAt, keyId).run();
}

function expectRefused({ status, body, headers }: Answer): void {
  expect(status).toBe(401);
  expect(body).toEqual({ error: 'Invalid API key.' });
  expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="brand-api", error="invalid_token"');
}

async function expectServed(client: TestBrand): Promise<void> {
  const answer = await client.send('GET', '/products');
  expect(answer.status, answer.text).toBe(200);
  expect(resourcesOf(answer).map(({ title }) => title)).toEqual(['Whey']);
}

it.each([
  {
    what: 'keeps both keys good during the overlap',
    overlap: 3600,
    expiresIn: null,
    ends: false,
  },
  { what: 'expires the old key after the overlap', overlap: 1, expiresIn: null, ends: true },
  { what: 'never extends the life of the old key', overlap: 3600, expiresIn: 1, ends: true },
])(
  'A rotation lets the old key end with the overlap, and never later than its life: it $what',
  async ({ overlap, expiresIn, ends }) => {
    const old = await issue({ expiresIn });
    const rotated = await rotateKey(database, old.issued.keyId, { overlap, expiresIn: null });
    await expectServed(old);
    await scheduler.wait(1050);
    if (ends) expectRefused(await old.send('GET', '/products'));
    else await expectServed(old);
    await expectServed(brand.with(rotated));
  },
);

it('A rotation without an overlap expires the old key immediately', async () => {
  const rotated = await rotateKey(database, brand.issued.keyId, { overlap: 0 });
  expectRefused(await brand.send('GET', '/products'));
  await expectServed(brand.with(rotated));
});

it.each([
  ['read', 403],
  ['write', 201],
] as const)('A rotation keeps the scope and the label: %s', async (scope, status) => {
  const old = await issue({ scope, label: 'shop' });
  const rotated = await rotateKey(database, old.issued.keyId, { overlap: 3600 });
  expect((await brand.with(rotated).send('POST', '/products', product)).status).toBe(status);
  const keys = (await listKeys([database], { brandId: brand.issued.brandId })).items;
  const shown = keys.find(({ keyId }) => keyId === rotated.keyId);
  expect(shown).toMatchObject({ scope, label: 'shop' });
});

const DAY = 86_400;

it.each([
  ['inherits the lifetime', 90 * DAY, {}, 90 * DAY],
  ['inherits that the key does not expire', null, {}, null],
  ['takes another lifetime', 90 * DAY, { expiresIn: 7 * DAY }, 7 * DAY],
  ['takes a lifetime for a key that did not expire', null, { expiresIn: DAY }, DAY],
  ['takes no lifetime', 90 * DAY, { expiresIn: null }, null],
])(
  'A rotation inherits the lifetime of the key, or takes another one: it %s',
  async (_, first, options, second) => {
    const old = await issue({ expiresIn: first });
    const { expiresAt } = await rotateKey(database, old.issued.keyId, {
      overlap: 3600,
      ...options,
    });
    if (second === null) expect(expiresAt).toBeNull();
    else expect((Date.parse(String(expiresAt)) - Date.now()) / 1000).toBeCloseTo(second, -1);
  },
);

it('A rotation inherits a lifetime that has begun, and through any number of rotations', async () => {
  const first = await issue({ expiresIn: 90 * DAY });
  const { brandId, keyId } = first.issued;
  await setTimes(keyId, '2026-01-01T00:00:00.123Z', '2126-01-01T00:00:00.456Z');
  const lifetime = Date.parse('2126-01-01T00:00:00.456Z') - Date.parse('2026-01-01T00:00:00.123Z');
  let last = await rotateKey(database, keyId, { overlap: 0 });
  last = await rotateKey(database, last.keyId, { overlap: 0 });
  const keys = (await listKeys([database], { brandId })).items;
  const { createdAt, expiresAt } = keys.find((key) => key.keyId === last.keyId) ?? {};
  expect(Date.parse(String(expiresAt)) - Date.parse(String(createdAt))).toBe(lifetime);
});

it('A rotation is refused for a key that was rotated, and names the successor', async () => {
  const { keyId } = brand.issued;
  const rotated = await rotateKey(database, keyId, { overlap: 3600 });
  const again = `The key ${keyId} was rotated already. Its successor is ${rotated.keyId}.`;
  await expect(rotateKey(database, keyId, { overlap: 3600 })).rejects.toThrow(new Failure(again));
  await revokeKey(database, keyId);
  await revokeKey(database, rotated.keyId);
  await expect(rotateKey(database, keyId, { overlap: 3600 })).rejects.toThrow(new Failure(again));
  expect((await listKeys([database], { brandId: brand.issued.brandId })).items).toHaveLength(2);
});

it('A rotation gives one successor, however many rotate at once', async () => {
  const { brandId, keyId } = brand.issued;
  const rotations = await Promise.allSettled(
    Array.from({ length: 5 }, () => rotateKey(database, keyId, { overlap: 3600 })),
  );
  const done = rotations.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value.keyId] : [],
  );
  expect((await listKeys([database], { brandId })).items.map((key) => key.keyId)).toEqual([
    keyId,
    ...done,
  ]);
  expect(done).toHaveLength(1);
  for (const result of rotations) {
    if (result.status === 'rejected') expect(String(result.reason)).toContain(done[0]);
  }
});

it('A rotation is refused for an invalid key, and creates none', async () => {
  await revokeKey(database, brand.issued.keyId);
  const rotation = rotateKey(database, brand.issued.keyId, { overlap: 3600 });
  await expect(rotation).rejects.toBeInstanceOf(Failure);
  expect((await listKeys([database], { brandId: brand.issued.brandId })).items).toHaveLength(1);
});

it('A rotation of all keys of a brand replaces each live key in one transaction, and keeps its scope, label and lifetime', async () => {
  const { brandId, keyId } = brand.issued;
  const reader = await issue({ scope: 'read', label: 'report', expiresIn: 86_400 });
  const revoked = await issue({});
  await revokeKey(database, revoked.issued.keyId);
  const rotatedBefore = await issue({ label: 'before' });
  const successor = await rotateKey(database, rotatedBefore.issued.keyId, { overlap: 3600 });

  const { rotated, left } = await rotateBrandKeys(database, brandId, { overlap: 3600 });

  const replaced = [keyId, reader.issued.keyId];
  expect(rotated.map(({ replacedKeyId }) => replacedKeyId)).toEqual(replaced);
  // It has just replaced a key that is still valid.
  expect(left).toMatchObject([
    { keyId: successor.keyId, replacedKeyId: rotatedBefore.issued.keyId },
  ]);
  const keys = (await listKeys([database], { brandId })).items;
  expect(keys).toHaveLength(7);
  const [, second] = rotated;
  expect(keys.find((key) => key.keyId === second?.keyId)).toMatchObject({
    scope: 'read',
    label: 'report',
    status: 'live',
    expiresAt: second?.expiresAt,
  });
  expect(second?.expiresAt).not.toBeNull();
  for (const made of rotated)
    expect((await brand.with(made).send('GET', '/products')).status).toBe(200);
  await expectServed(brand);
  expect((await listKeys([database], { brandId: other.issued.brandId })).items).toHaveLength(1);
});

it('A rotation of all keys of a brand rotates nothing when it is run again, until the old keys are no longer valid', async () => {
  const { brandId } = brand.issued;
  const { rotated: first } = await rotateBrandKeys(database, brandId, { overlap: 3600 });
  const again = await rotateBrandKeys(database, brandId, { overlap: 3600 });
  expect([again.rotated, again.left.map(({ keyId }) => keyId)]).toEqual([
    [],
    first.map(({ keyId }) => keyId),
  ]);
  await revokeKey(database, brand.issued.keyId);
  const { rotated, left } = await rotateBrandKeys(database, brandId, { overlap: 3600 });
  expect([rotated.length, left]).toEqual([1, []]);
});

it('A rotation of all keys of a brand is refused without a live key, with too many, and for an unknown brand, and changes nothing', async () => {
  const { brandId, keyId } = brand.issued;
  await Promise.all(Array.from({ length: 250 }, () => issue({})));
  const rotation = async (id = brandId): Promise<unknown> =>
    (await rotateBrandKeys(database, id, { overlap: 0 })).rotated;
  await expect(rotation()).rejects.toThrow('has 251 live keys, and at most 250');
  await revokeKey(database, keyId);
  expect(await rotation()).toHaveLength(250);
  const live = (await listKeys([database], { brandId, live: true })).items;
  await Promise.all(live.map((key) => revokeKey(database, key.keyId)));
  await expect(rotation()).rejects.toThrow('has no live key to rotate');
  await expect(rotation(UNKNOWN)).rejects.toThrow(`There is no brand ${UNKNOWN}.`);
  expect((await listKeys([database], { brandId })).items).toHaveLength(501);
});

it('A key that is revoked in its overlap refuses its very next request', async () => {
  const rotated = brand.with(await rotateKey(database, brand.issued.keyId, { overlap: 3600 }));
  await expectServed(brand);
  await revokeKey(database, brand.issued.keyId);
  expectRefused(await brand.send('GET', '/products'));
  await expectServed(rotated);
  expect((await other.send('GET', '/products')).status).toBe(200);
});
