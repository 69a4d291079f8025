import { expect, it } from 'vitest';
import { TestBrand } from './support/brand.ts';
import { partOf, problems } from './support/field-tests.ts';
import { fullProfile } from './support/samples.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const halves = ['brand', 'connection'] as const;
const fields = halves.flatMap((half) =>
  Object.entries<unknown>(fullProfile[half]).map(([field, value]) => ({ half, field, value })),
);

it('GET, PUT and PATCH of the profile answer 200 with both halves and nothing else', async () => {
  const brand = await TestBrand.create();
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', fullProfile],
    ['PATCH', {}],
  ] as const) {
    const answer = await brand.send(method, '/profile', body);
    expect(answer.status).toBe(200);
    const time: unknown = expect.stringMatching(TIME);
    const shown = method === 'GET' ? answer.body : fullProfile;
    expect(answer.body).toEqual({
      brand: { ...partOf(shown, 'brand'), createdAt: time, updatedAt: time },
      connection: partOf(shown, 'connection'),
    });
    expect((await brand.send('GET', '/profile')).text).toBe(answer.text);
  }
});

it.each([
  { body: {}, missing: ['brand', 'connection'] },
  { body: { brand: fullProfile.brand }, missing: ['connection'] },
  { body: { connection: {} }, missing: ['brand'] },
  { body: { brand: {}, connection: {} }, missing: ['brand.brandName'] },
  { body: { brand: { contactName: 'A' } }, missing: ['brand.brandName', 'connection'] },
])(
  'PUT of the profile requires both halves and the name: without $missing',
  async ({ body, missing }) => {
    const brand = await TestBrand.create();
    const before = await brand.send('GET', '/profile');
    const answer = await brand.send('PUT', '/profile', body);
    expect(answer.status).toBe(400);
    expect(answer.text.match(/: required/g)).toHaveLength(missing.length);
    expect(problems(answer).sort()).toEqual(missing);
    expect((await brand.send('GET', '/profile')).text).toBe(before.text);
  },
);

it.each(fields)(
  'PATCH of the profile changes a field and nothing else: $field of $half',
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

it('PATCH of the profile changes fields of both halves at once', async () => {
  const brand = await TestBrand.create('Old');
  await brand.send('PUT', '/profile', fullProfile);
  const changes = { brand: { website: null }, connection: { syncEnabled: false } };
  const { body } = await brand.send('PATCH', '/profile', changes);
  expect(body).toMatchObject({
    brand: { ...fullProfile.brand, website: null },
    connection: { ...fullProfile.connection, syncEnabled: false },
  });
});

it.each<[path: string, body: object]>([
  ['brand', { brand: null }],
  ['connection', { connection: null }],
  ['brand', { brand: [] }],
  ['connection', { connection: 'CONNECTED' }],
  ['brandName', { brandName: 'A' }],
  ['brandId', { brandId: 'x' }],
  ['profile', { profile: fullProfile }],
  ['brand.status', { brand: { status: 'CONNECTED' } }],
  ['connection.brandName', { connection: { brandName: 'A' } }],
  ['brand.brandId', { brand: { brandId: 'x' } }],
  ['brand.revision', { brand: { revision: 'x' } }],
  ['brand.brand_name', { brand: { brand_name: 'x' } }],
  ['connection.connection_status', { connection: { connection_status: 'ERROR' } }],
])('PATCH and PUT of the profile refuse what is not writable: %s of %j', async (path, body) => {
  const brand = await TestBrand.create();
  const before = await brand.send('PUT', '/profile', fullProfile);
  const patched = await brand.send('PATCH', '/profile', body);
  expect([patched.status, problems(patched)]).toEqual([400, [path]]);
  const put = await brand.send('PUT', '/profile', { ...fullProfile, ...body });
  expect(put.status).toBe(400);
  expect(problems(put)).toContain(path);
  expect((await brand.send('GET', '/profile')).text).toBe(before.text);
});

it('A brand neither sees nor changes the profile of another', async () => {
  const [brand, other] = [await TestBrand.create('A'), await TestBrand.create('B')];
  const before = await other.send('GET', '/profile');
  await brand.send('PUT', '/profile', fullProfile);
  expect((await other.send('GET', '/profile')).text).toBe(before.text);
});
