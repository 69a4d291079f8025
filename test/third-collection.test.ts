import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { expiredTombstones, remove } from '../src/db/sweep.ts';
import { deleteBrand } from '../tools/admin/brands.ts';
import { executeOn } from '../tools/admin/execute.ts';
import { resetTokens } from '../tools/admin/tokens.ts';
import type { Answer, Service } from './support/brand.ts';
import { resourceOf, resourcesOf, TestBrand } from './support/brand.ts';
import { serviceWithWidgets } from './support/widget-service.ts';
import { collectionsWithWidgets } from './support/widgets.ts';

// Tests a third collection: support/widgets.ts contains everything that it needs. Every answer is validated against the
// document that is made of it. The tests of tenancy and repeats and the fuzzer run on it too.

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

let service: Service;
let brand: TestBrand;

beforeAll(async () => {
  service = await serviceWithWidgets();
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
  beforeAll(async () => {
    brand = await newBrand();
  });

  it('has the six operations', async () => {
    const created = await brand.send('POST', '/widgets', { name: 'Gear' });
    expect(created.status).toBe(201);
    const { id, createdAt, updatedAt, ...fields } = resourceOf(created);
    expect(created.body).toHaveProperty('widget');
    expect(fields).toEqual({ name: 'Gear', size: 5, label: 'Gear', colour: null });
    expect(createdAt).toBe(updatedAt);

    const path = `/widgets/${id}`;
    const read = await brand.send('GET', path);
    expect(read.body).toEqual(created.body);
    expect(read.headers.get('ETag')).toBe(created.headers.get('ETag'));
    expect((await brand.send('GET', '/widgets')).body).toEqual({ widgets: [read.body['widget']] });

    const patched = await brand.send('PATCH', path, { colour: 'red' });
    expect(resourceOf(patched)).toMatchObject({ name: 'Gear', label: 'Gear', colour: 'red' });
    const replaced = await brand.send('PUT', path, { name: 'Cog', size: 7 });
    expect(resourceOf(replaced)).toMatchObject({
      name: 'Cog',
      size: 7,
      label: 'Cog',
      colour: null,
    });

    const deleted = await brand.send('DELETE', path);
    expect(deleted.body).toEqual({ deletedWidgetId: id, success: true });
    for (const method of ['GET', 'DELETE']) {
      const answer = await brand.send(method, path);
      expect([answer.status, answer.body]).toEqual([404, { error: 'Widget not found.' }]);
    }
  });

  it('rejects invalid bodies, with errors that name the collection', async () => {
    await make({ name: 'Taken' });
    const refused: readonly [string, string, object | undefined, number, string][] = [
      ['POST', '/widgets', { size: -1 }, 400, 'Invalid request: name: required; size: expected'],
      ['POST', '/widgets', { name: 'x', weight: 1 }, 400, 'Invalid request: weight: unknown field'],
      ['POST', '/widgets', { name: 'TAKEN' }, 409, 'Widget "TAKEN" already exists.'],
      ['POST', '/widgets?match=size', { widgets: [] }, 400, 'Invalid request: match: expected'],
      ['GET', '/widgets?size=1', undefined, 400, 'Invalid request: size: unknown parameter'],
      ['PATCH', `/widgets/${UNKNOWN}`, {}, 404, 'Widget not found.'],
      ['PUT', '/widgets', {}, 405, 'Method not allowed. Use GET or POST.'],
      [
        'POST',
        `/widgets/${UNKNOWN}`,
        {},
        405,
        'Method not allowed. Use GET, PUT, PATCH or DELETE.',
      ],
    ];
    for (const [method, path, body, status, text] of refused) {
      const answer = await brand.send(method, path, body);
      expect(answer.status, `${method} ${path}`).toBe(status);
      expect(answer.body['error']).toContain(text);
    }
  });

  it('is filtered and paged', async () => {
    brand = await newBrand();
    const widgets = ['a', 'b', 'c', 'd', 'e'].map((name, n) => ({
      name,
      colour: n % 2 ? 'red' : null,
    }));
    expect((await brand.send('POST', '/widgets', { widgets })).status).toBe(201);
    expect(namesIn(await brand.send('GET', '/widgets?colour=red'))).toEqual(['b', 'd']);

    const names: unknown[] = [];
    for (let path: string | undefined = '/widgets?limit=2'; path !== undefined;) {
      const page: Answer = await brand.send('GET', path);
      names.push(...namesIn(page));
      path = /<http:\/\/api\.test\/api\/brand\/v1(.+)>; rel="next"/.exec(
        page.headers.get('Link') ?? '',
      )?.[1];
    }
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('supports safe retries and prevents lost updates', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await brand.send('POST', '/widgets', { name: 'Once' }, { headers });
    const second = await brand.send('POST', '/widgets', { name: 'Once' }, { headers });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await brand.send('POST', '/widgets', { name: 'Else' }, { headers })).status).toBe(422);

    const path = `/widgets/${resourceOf(first).id}`;
    const tag = { 'If-Match': first.headers.get('ETag') ?? '' };
    expect((await brand.send('PATCH', path, { size: 1 }, { headers: tag })).status).toBe(200);
    expect((await brand.send('PATCH', path, { size: 2 }, { headers: tag })).status).toBe(412);
  });
});

describe('Synchronizing with it', () => {
  beforeAll(async () => {
    brand = await newBrand();
  });

  it('follows what changed, deletions included', async () => {
    const gone = await make({ name: 'Gone' });
    await make({ name: 'Stays' });
    const start = await brand.send('GET', '/widgets?since=0');
    expect(namesIn(start)).toEqual(['Gone', 'Stays']);

    await brand.send('DELETE', `/widgets/${gone.id}`);
    await make({ name: 'New' });
    const next = await brand.send('GET', `/widgets?since=${String(start.body['since'])}`);
    expect(namesIn(next)).toEqual(['New']);
    expect(next.body['deletedWidgetIds']).toEqual([gone.id]);

    const token = String(next.body['since']);
    const foreign = await brand.send('GET', `/products?since=${token}`);
    expect(foreign.status).toBe(400);
    const empty = await brand.send('GET', `/widgets?since=${token}`);
    expect(empty.body).toMatchObject({ widgets: [], deletedWidgetIds: [] });
  });

  it('pushes: creates, updates, leaves unchanged and refuses', async () => {
    brand = await newBrand();
    await make({ name: 'Same', size: 1 });
    await make({ name: 'Other', size: 1 });
    const widgets = [{ name: 'same', size: 1 }, { name: 'Other', size: 2 }, { name: 'New' }, {}];
    const statuses = async (query: string): Promise<unknown[]> => {
      const headers = { Prefer: 'handling=lenient' };
      const answer = await brand.send('POST', `/widgets?${query}`, { widgets }, { headers });
      expect(answer.status).toBe(200);
      const { results } = z
        .looseObject({ results: z.array(z.looseObject({ status: z.string() })) })
        .parse(answer.body);
      return results.map(({ status }) => status);
    };
    // A name in another case is a change.
    const expected = ['updated', 'updated', 'created', 'refused'];
    expect(await statuses('match=name&dryRun=true')).toEqual(expected);
    expect(namesIn(await brand.send('GET', '/widgets'))).toEqual(['Same', 'Other']);
    expect(await statuses('match=name')).toEqual(expected);
    expect(namesIn(await brand.send('GET', '/widgets'))).toEqual(['same', 'Other', 'New']);
    expect(await statuses('match=name')).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'refused',
    ]);
    const strict = await brand.send('POST', '/widgets?match=name', { widgets });
    expect([strict.status, strict.body]).toEqual([
      400,
      { error: 'Invalid request: widgets.3.name: required' },
    ]);
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

  beforeAll(async () => {
    brand = await newBrand();
  });

  it('sweep its tombstones with the others, and keep the newest', async () => {
    for (const name of ['a', 'b', 'c']) {
      const { id } = await make({ name });
      await brand.send('DELETE', `/widgets/${id}`);
    }
    await execute()(
      sql`update tombstones set deleted_at = '2000-01-01T00:00:00.000Z' where brand_id = ${brand.issued.brandId}`,
    );
    expect(await rowsOf('tombstones')).toBe(3);
    await remove(service.db, expiredTombstones);
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
    expect(await rowsOf('widgets')).toBe(1);
    await deleteBrand(execute(), brand.issued.brandId, collectionsWithWidgets);
    expect(await rowsOf('widgets')).toBe(0);
    expect(await rowsOf('tombstones')).toBe(0);
    expect((await brand.send('GET', '/widgets')).status).toBe(401);
    expect(namesIn(await other.send('GET', '/widgets'))).toEqual(['Kept']);
  });
});
