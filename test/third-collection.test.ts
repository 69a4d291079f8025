import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteExpiredTombstones, deleteInSteps } from '../src/db/sweep.ts';
import type { Answer, Service } from './support/brand.ts';
import { resourceOf, resourcesOf, TestBrand } from './support/brand.ts';
import type { Execute } from './support/statements.ts';
import { statementsOn } from './support/statements.ts';
import { serviceWithWidgets } from './support/widget-service.ts';
import { UNKNOWN } from './support/attack.ts';

// A third collection: fixtures/widgets.ts has everything that it needs. Every answer is validated against the document
// that is made of it. The tests of tenancy and the fuzzer try its operations too; here is what they leave out.

let service: Service;
let brand: TestBrand;

beforeAll(async () => {
  service = await serviceWithWidgets();
});

beforeEach(async () => {
  brand = await newBrand();
});

async function newBrand(): Promise<TestBrand> {
  return TestBrand.create('Widgets Ltd', service);
}

const make = async (body: object): Promise<{ readonly id: string }> =>
  brand.create('/widgets', body);

function namesIn(answer: Answer): unknown[] {
  return resourcesOf(answer).map(({ name }) => name);
}

it('A third collection has defaults, derived ones too, and entity tags', async () => {
  const created = await brand.send('POST', '/widgets', { name: 'Gear' });
  const { id, createdAt, updatedAt: _, ...fields } = resourceOf(created);
  expect(fields).toEqual({ name: 'Gear', size: 5, label: 'Gear', colour: null });
  const path = `/widgets/${id}`;
  const headers = { 'If-Match': created.headers.get('ETag') ?? '' };
  const put = await brand.send('PUT', path, { name: 'Cog', size: 7 }, { headers });
  expect(resourceOf(put)).toMatchObject({
    id,
    createdAt,
    name: 'Cog',
    size: 7,
    label: 'Gear',
    colour: null,
  });
  expect((await brand.send('PATCH', path, { size: 2 }, { headers })).status).toBe(412);
  const deleted = await brand.send('DELETE', path);
  expect(deleted.body).toEqual({ deletedWidgetId: id, success: true });
});

it('A third collection holds a name unique whatever the case of A to Z, and of no other letter', async () => {
  const statuses: number[] = [];
  for (const name of ['Gear É', 'GEAR É', 'Gear é']) {
    statuses.push((await brand.send('POST', '/widgets', { name })).status);
  }
  expect(statuses).toEqual([201, 409, 201]);
});

it.each([
  ['😀😀', 400],
  ['😀😀😀', 201],
])(
  'A third collection measures a text in code points, also for its shortest length: %s is %i',
  async (colour, status) => {
    const answer = await brand.send('POST', '/widgets', { name: `Gear ${colour}`, colour });
    expect(answer.status).toBe(status);
  },
);

it.each<[method: string, path: string, body: object | undefined, status: number, text: string]>([
  ['POST', '/widgets', { size: -1 }, 400, 'Invalid request: name: required; size: expected'],
  ['POST', '/widgets', { name: 'x', weight: 1 }, 400, 'Invalid request: weight: unknown field'],
  ['POST', '/widgets', { name: 'TAKEN' }, 409, 'Widget "TAKEN" already exists.'],
  ['POST', '/widgets?match=size', { widgets: [] }, 400, 'Invalid request: match: expected'],
  ['GET', '/widgets?size=1', undefined, 400, 'Invalid request: size: unknown parameter'],
  ['PATCH', `/widgets/${UNKNOWN}`, {}, 404, 'Widget not found.'],
  ['PUT', '/widgets', {}, 405, 'Method not allowed. Use GET or POST.'],
  ['POST', `/widgets/${UNKNOWN}`, {}, 405, 'Method not allowed. Use GET, PUT, PATCH or DELETE.'],
])(
  'A third collection names itself in errors: %s %s %j',
  async (method, path, body, status, text) => {
    await make({ name: 'Taken' });
    const answer = await brand.send(method, path, body);
    expect([answer.status, answer.body['error']]).toEqual([status, expect.stringContaining(text)]);
  },
);

it('A third collection is filtered and paged', async () => {
  const widgets = ['a', 'b', 'c'].map((name, n) => ({ name, colour: n % 2 ? 'red' : null }));
  expect((await brand.send('POST', '/widgets', { widgets })).status).toBe(201);
  expect(namesIn(await brand.send('GET', '/widgets?colour=red'))).toEqual(['b']);
  const page = await brand.send('GET', '/widgets?limit=2');
  const next = /v1(.+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
  expect([...namesIn(page), ...namesIn(await brand.send('GET', next))]).toEqual(['a', 'b', 'c']);
});

const execute = (): Execute => statementsOn(service.db);
const rowsOf = async (table: string): Promise<number> => {
  const [rows] = await execute()(
    sql`select id from ${sql.identifier(table)} where brand_id = ${brand.issued.brandId}`,
  );
  return rows.length;
};

it('The daily job sweeps the tombstones of a third collection with the others, and keeps the newest', async () => {
  for (const name of ['a', 'b', 'c']) {
    const { id } = await make({ name });
    await brand.send('DELETE', `/widgets/${id}`);
  }
  await execute()(
    sql`update tombstones set deleted_at = '2000-01-01T00:00:00.000Z' where brand_id = ${brand.issued.brandId}`,
  );
  expect(await rowsOf('tombstones')).toBe(3);
  await deleteInSteps(service.db, deleteExpiredTombstones, 1);
  expect(await rowsOf('tombstones')).toBe(1);
});
