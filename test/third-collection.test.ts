import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storedKey } from '../client/src/stored.ts';
import { deleteExpiredTombstones, deleteInSteps } from '../src/db/sweep.ts';
import { deleteBrand } from '../admin/src/brands.ts';
import { executeOn } from '../admin/src/execute.ts';
import { resetTokens } from '../admin/src/tokens.ts';
import type { Answer, Service } from './support/brand.ts';
import { resourceOf, resourcesOf, TestBrand } from './support/brand.ts';
import { serviceWithWidgets } from './support/widget-service.ts';
import { UNKNOWN } from './support/attack.ts';
import { collectionsWithWidgets } from './support/widgets.ts';

// A third collection: support/widgets.ts has everything that it needs. Every answer is validated against the document
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

describe('A collection of a resource file, a table, a migration and a line in the registry', () => {
  it('has defaults, derived ones too, and entity tags', async () => {
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
      label: 'Cog',
      colour: null,
    });
    expect((await brand.send('PATCH', path, { size: 2 }, { headers })).status).toBe(412);
    const deleted = await brand.send('DELETE', path);
    expect(deleted.body).toEqual({ deletedWidgetId: id, success: true });
  });

  it('holds a name unique whatever the case of A to Z, as the client compares it', async () => {
    const statuses: number[] = [];
    for (const name of ['Gear É', 'GEAR É', 'Gear é']) {
      statuses.push((await brand.send('POST', '/widgets', { name })).status);
    }
    expect(statuses).toEqual([201, 409, 201]);
    const keys = ['Gear É', 'GEAR É', 'Gear é'].map((name) => storedKey(name, 'code'));
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false]);
  });

  it.each([
    ['😀😀', 400],
    ['😀😀😀', 201],
  ])(
    'measures a text in code points, also for its shortest length: %s is %i',
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
  ])('names itself in errors: %s %s %j', async (method, path, body, status, text) => {
    await make({ name: 'Taken' });
    const answer = await brand.send(method, path, body);
    expect([answer.status, answer.body['error']]).toEqual([status, expect.stringContaining(text)]);
  });

  it('is filtered and paged', async () => {
    const widgets = ['a', 'b', 'c'].map((name, n) => ({ name, colour: n % 2 ? 'red' : null }));
    expect((await brand.send('POST', '/widgets', { widgets })).status).toBe(201);
    expect(namesIn(await brand.send('GET', '/widgets?colour=red'))).toEqual(['b']);
    const page = await brand.send('GET', '/widgets?limit=2');
    const next = /v1(.+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
    expect([...namesIn(page), ...namesIn(await brand.send('GET', next))]).toEqual(['a', 'b', 'c']);
  });
});

describe('The operators', () => {
  const execute = (): ReturnType<typeof executeOn> => executeOn(service.db, 'tests');
  const rowsOf = async (table: string): Promise<number> => {
    const [rows] = await execute()(
      sql`select id from ${sql.identifier(table)} where brand_id = ${brand.issued.brandId}`,
    );
    return rows.length;
  };

  it('sweep its tombstones with the others, and keep the newest', async () => {
    for (const name of ['a', 'b', 'c']) {
      const { id } = await make({ name });
      await brand.send('DELETE', `/widgets/${id}`);
    }
    await execute()(
      sql`update tombstones set deleted_at = '2000-01-01T00:00:00.000Z' where brand_id = ${brand.issued.brandId}`,
    );
    expect(await rowsOf('tombstones')).toBe(3);
    await deleteInSteps(service.db, deleteExpiredTombstones);
    expect(await rowsOf('tombstones')).toBe(1);
  });

  it('reset its tokens', async () => {
    await make({ name: 'Kept' });
    const start = await brand.send('GET', '/widgets?since=0');
    const path = `/widgets?since=${String(start.body['since'])}`;
    expect((await brand.send('GET', path)).status).toBe(200);
    await resetTokens(execute(), brand.issued.brandId, collectionsWithWidgets);
    expect((await brand.send('GET', path)).status).toBe(410);
  });

  it('delete its resources with the brand', async () => {
    const other = await newBrand();
    await other.send('POST', '/widgets', { name: 'Kept' });
    await make({ name: 'Kept' });
    const { id } = await make({ name: 'Gone' });
    await brand.send('DELETE', `/widgets/${id}`);
    expect([await rowsOf('widgets'), await rowsOf('tombstones')]).toEqual([1, 1]);
    await deleteBrand(execute(), brand.issued.brandId, collectionsWithWidgets);
    expect(await rowsOf('widgets')).toBe(0);
    expect(await rowsOf('tombstones')).toBe(0);
    expect((await brand.send('GET', '/widgets')).status).toBe(401);
    expect(namesIn(await other.send('GET', '/widgets'))).toEqual(['Kept']);
  });
});
