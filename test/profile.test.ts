import { describe, expect, test } from 'vitest';
import { TestBrand } from './support/brand.ts';
import { partOf, problems } from './support/field-tests.ts';
import { bareProfile, fullProfile } from './support/samples.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const halves = ['brand', 'connection'] as const;
const fields = halves.flatMap((half) =>
  Object.entries<unknown>(fullProfile[half]).map(([field, value]) => ({ half, field, value })),
);

describe('the operations on the profile', () => {
  test('GET, PUT and PATCH answer 200 with both halves and nothing else', async () => {
    const brand = await TestBrand.create();
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', fullProfile],
      ['PATCH', {}],
    ] as const) {
      const answer = await brand.send(method, '/profile', body);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body).sort()).toEqual(['brand', 'connection']);
      expect(Object.keys(partOf(answer.body, 'brand')).sort()).toEqual(
        [...Object.keys(fullProfile.brand), 'createdAt', 'updatedAt'].sort(),
      );
      expect(Object.keys(partOf(answer.body, 'connection')).sort()).toEqual(
        Object.keys(fullProfile.connection).sort(),
      );
      const { createdAt, updatedAt } = partOf(answer.body, 'brand');
      expect(createdAt).toMatch(TIME);
      expect(updatedAt).toMatch(TIME);
    }
  });

  test('PUT replaces both halves', async () => {
    const brand = await TestBrand.create();
    const answer = await brand.send('PUT', '/profile', fullProfile);
    expect(answer.body).toMatchObject(fullProfile);
    expect((await brand.send('GET', '/profile')).text).toBe(answer.text);
  });

  test.each([
    { body: {}, missing: ['brand', 'connection'] },
    { body: { brand: fullProfile.brand }, missing: ['connection'] },
    { body: { connection: {} }, missing: ['brand'] },
    { body: { brand: {}, connection: {} }, missing: ['brand.brandName'] },
    { body: { brand: { contactName: 'A' } }, missing: ['brand.brandName', 'connection'] },
  ])('PUT without $missing is refused', async ({ body, missing }) => {
    const brand = await TestBrand.create();
    const before = await brand.send('GET', '/profile');
    const answer = await brand.send('PUT', '/profile', body);
    expect(answer.status).toBe(400);
    expect(answer.text.match(/: required/g)).toHaveLength(missing.length);
    expect(problems(answer).sort()).toEqual(missing);
    expect((await brand.send('GET', '/profile')).text).toBe(before.text);
  });

  test.each(fields)(
    'PATCH changes $field of $half and nothing else',
    async ({ half, field, value }) => {
      const brand = await TestBrand.create();
      const { body: before } = await brand.send('GET', '/profile');
      await scheduler.wait(2);
      const answer = await brand.send('PATCH', '/profile', { [half]: { [field]: value } });
      expect(answer.status).toBe(200);
      const { updatedAt } = partOf(answer.body, 'brand');
      expect(updatedAt).not.toBe(partOf(before, 'brand')['updatedAt']);
      const expected = {
        brand: { ...partOf(before, 'brand'), updatedAt },
        connection: partOf(before, 'connection'),
      };
      expect(answer.body).toEqual({
        ...expected,
        [half]: { ...expected[half], [field]: value },
      });
      expect((await brand.send('GET', '/profile')).text).toBe(answer.text);
    },
  );

  test('PATCH changes fields of both halves at once', async () => {
    const brand = await TestBrand.create('Old');
    await brand.send('PUT', '/profile', fullProfile);
    const changes = { brand: { website: null }, connection: { syncEnabled: false } };
    const { body } = await brand.send('PATCH', '/profile', changes);
    expect(body).toMatchObject({
      brand: { ...fullProfile.brand, website: null },
      connection: { ...fullProfile.connection, syncEnabled: false },
    });
  });

  test.each([fullProfile, bareProfile])('GET, PUT, GET is the identity', async (profile) => {
    const brand = await TestBrand.create();
    await brand.send('PUT', '/profile', profile);
    const before = await brand.send('GET', '/profile');
    for (const method of ['PUT', 'PATCH']) {
      await scheduler.wait(2);
      const answer = await brand.send(method, '/profile', before.body);
      expect([answer.status, answer.text]).toEqual([200, before.text]);
      expect((await brand.send('GET', '/profile')).text).toBe(before.text);
    }
  });

  test.each([
    {},
    { brand: {} },
    { connection: {} },
    { brand: {}, connection: {} },
    { brand: { updatedAt: '2020-01-01T00:00:00.000Z', createdAt: null, id: 7 }, id: 'x' },
    { connection: { id: 1, createdAt: 'a', updatedAt: [] }, createdAt: 1, updatedAt: {} },
    { brand: fullProfile.brand },
    { connection: fullProfile.connection },
  ])('PATCH with %j changes nothing, the time of change neither', async (body) => {
    const brand = await TestBrand.create();
    const before = await brand.send('PUT', '/profile', fullProfile);
    await scheduler.wait(5);
    const answer = await brand.send('PATCH', '/profile', body);
    expect([answer.status, answer.text]).toEqual([200, before.text]);
  });

  test.each([
    { body: { brand: null }, path: 'brand' },
    { body: { connection: null }, path: 'connection' },
    { body: { brand: [] }, path: 'brand' },
    { body: { connection: 'CONNECTED' }, path: 'connection' },
    { body: { brandName: 'A' }, path: 'brandName' },
    { body: { status: 'CONNECTED' }, path: 'status' },
    { body: { profile: fullProfile }, path: 'profile' },
    { body: { brand: { status: 'CONNECTED' } }, path: 'brand.status' },
    { body: { connection: { brandName: 'A' } }, path: 'connection.brandName' },
    { body: { brand: { brandId: 'x' } }, path: 'brand.brandId' },
    { body: { brand: { revision: 'x' } }, path: 'brand.revision' },
    { body: { brand: { connectionStatus: 'ERROR' } }, path: 'brand.connectionStatus' },
    { body: { brand: { brand_name: 'x' } }, path: 'brand.brand_name' },
    { body: { connection: { connection_status: 'ERROR' } }, path: 'connection.connection_status' },
    { body: { brandId: 'x' }, path: 'brandId' },
    { body: { brand_id: 'x' }, path: 'brand_id' },
  ])('PUT and PATCH refuse $path', async ({ body, path }) => {
    const brand = await TestBrand.create();
    const before = await brand.send('PUT', '/profile', fullProfile);
    const merged = {
      ...fullProfile,
      ...body,
      ...('brand' in body &&
        !Array.isArray(body.brand) &&
        body.brand && {
          brand: { ...fullProfile.brand, ...body.brand },
        }),
    };
    for (const [method, sent] of [
      ['PATCH', body],
      ['PUT', merged],
    ] as const) {
      const answer = await brand.send(method, '/profile', sent);
      expect(answer.status, method).toBe(400);
      expect(problems(answer), method).toEqual([path]);
    }
    expect((await brand.send('GET', '/profile')).text).toBe(before.text);
  });

  test('a brand neither sees nor changes the profile of another', async () => {
    const [brand, other] = [await TestBrand.create('A'), await TestBrand.create('B')];
    const before = await other.send('GET', '/profile');
    await brand.send('PUT', '/profile', fullProfile);
    expect((await other.send('GET', '/profile')).text).toBe(before.text);
  });
});
