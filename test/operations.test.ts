import { describe, expect, it } from 'vitest';
import { UNKNOWN } from './support/attack.ts';
import { resourceOf, resourcesOf, TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { problems } from './support/field-tests.ts';
import { meter } from './support/meter.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(collections)(
  '$path',
  ({ path, one, many, deleted, noun, key, full, showsTimes, ...of }) => {
    const bare = of.bare(1);
    const names = ['id', ...Object.keys(full), ...(showsTimes ? ['createdAt', 'updatedAt'] : [])];

    it('POST answers 201 with what was created and nothing else', async () => {
      const brand = await TestBrand.create();
      const answer = await brand.send('POST', path, full);
      expect(answer.status).toBe(201);
      expect(Object.keys(answer.body)).toEqual([one]);
      const created = resourceOf(answer);
      expect(Object.keys(created).sort()).toEqual([...names].sort());
      expect(created).toMatchObject(full);
      expect(created.id).toMatch(UUID_V7);
      if (showsTimes) {
        expect(created['createdAt']).toMatch(TIME);
        expect(created['updatedAt']).toBe(created['createdAt']);
      }
      expect((await brand.send('GET', `${path}/${created.id}`)).text).toBe(answer.text);
    });

    it('The list contains all resources of the brand, oldest first, regardless of changes', async () => {
      const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
      expect((await brand.send('GET', path)).text).toBe(`{"${many}":[]}`);
      const made = [];
      for (let i = 0; i < 12; i++) {
        made.push(await brand.create(path, { ...full, [key]: `U${20 - i}` }));
        await other.create(path, { ...bare, [key]: `U${i}` });
      }
      await brand.send('PATCH', `${path}/${String(made[0]?.id)}`, bare);
      const answer = await brand.send('GET', path);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual([many]);
      const list = resourcesOf(answer);
      expect(list.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
      expect(list.slice(1)).toEqual(made.slice(1));
      expect(list[0]).toMatchObject({ ...bare, id: made[0]?.id });
    });

    it('PUT answers 200 and replaces all writable fields', async () => {
      const brand = await TestBrand.create();
      const created = await brand.create(path, bare);
      await scheduler.wait(5);
      const answer = await brand.send('PUT', `${path}/${created.id}`, full);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual([one]);
      const replaced = resourceOf(answer);
      expect(Object.keys(replaced).sort()).toEqual([...names].sort());
      expect(replaced).toMatchObject({ ...full, id: created.id });
      if ('updatedAt' in replaced) {
        expect(replaced['createdAt']).toBe(created['createdAt']);
        expect(replaced['updatedAt']).not.toBe(created['updatedAt']);
      }
      expect((await brand.send('GET', `${path}/${created.id}`)).text).toBe(answer.text);
    });

    it.each(Object.keys(bare))(
      'POST and PUT require each field without a default: %s',
      async (required) => {
        const brand = await TestBrand.create();
        const created = await brand.create(path, full);
        const body = Object.fromEntries(Object.entries(full).filter(([name]) => name !== required));
        for (const [method, where] of [
          ['POST', path],
          ['PUT', `${path}/${created.id}`],
        ] as const) {
          const answer = await brand.send(method, where, body);
          expect(answer.status).toBe(400);
          expect(answer.text).toBe(`{"error":"Invalid request: ${required}: required"}`);
        }
        expect(await brand.list(path)).toEqual([created]);
      },
    );

    it.each(Object.entries(full))(
      'PATCH changes a field and nothing else: %s',
      async (field, value) => {
        const brand = await TestBrand.create();
        const created = await brand.create(path, bare);
        await scheduler.wait(2);
        const answer = await brand.send('PATCH', `${path}/${created.id}`, { [field]: value });
        expect(answer.status).toBe(200);
        expect(Object.keys(answer.body)).toEqual([one]);
        const patched = resourceOf(answer);
        const updatedAt = 'updatedAt' in created ? { updatedAt: patched['updatedAt'] } : {};
        // links.test.ts has what depends on the link.
        const names = Object.keys(of.link?.field === field ? of.link.dependents(value) : {});
        const dependents = Object.fromEntries(names.map((name) => [name, patched[name]]));
        expect(patched).toEqual({ ...created, ...dependents, [field]: value, ...updatedAt });
        if ('updatedAt' in created) expect(patched['updatedAt']).not.toBe(created['updatedAt']);
        expect((await brand.send('GET', `${path}/${created.id}`)).text).toBe(answer.text);
      },
    );

    it('Read-only fields are ignored, whatever their values', async () => {
      const brand = await TestBrand.create();
      for (const value of [null, 1, 'x', [[]], { a: 1 }, '2020-01-01T00:00:00.000Z', UNKNOWN]) {
        const readOnly = { id: value, createdAt: value, updatedAt: value };
        const created = await brand.create(path, { ...full, ...readOnly });
        expect(created.id).toMatch(UUID_V7);
        expect(created.id).not.toBe(UNKNOWN);
        expect(Object.keys(created).sort()).toEqual([...names].sort());
        if ('createdAt' in created) {
          expect(Date.now() - Date.parse(String(created['createdAt']))).toBeLessThan(60_000);
        }
        for (const method of ['PATCH', 'PUT']) {
          const sent = { ...(method === 'PUT' && full), ...readOnly };
          const answer = await brand.send(method, `${path}/${created.id}`, sent);
          expect([answer.status, resourceOf(answer)]).toEqual([200, created]);
        }
        await brand.send('DELETE', `${path}/${created.id}`);
      }
    });

    it.each([
      'brandId',
      'brand_id',
      'brand',
      'revision',
      'created_at',
      'updated_at',
      'Title',
      'ID',
      '_id',
      'colour',
      'toString',
      'constructor',
      'hasOwnProperty',
      '',
      'scope',
      one,
      'hash',
      'rowid',
      'apiKey',
      'role',
      'isAdmin',
      'change_number',
    ])('An unknown field is refused by name: "%s"', async (unknown) => {
      const brand = await TestBrand.create();
      const created = await brand.create(path, { ...full, [key]: 'U1' });
      for (const [method, where, fields] of [
        ['POST', path, full],
        ['PUT', `${path}/${created.id}`, full],
        ['PATCH', `${path}/${created.id}`, {}],
      ] as const) {
        const answer = await brand.send(method, where, { ...fields, [unknown]: 'x' });
        expect(answer.status, method).toBe(400);
        if (unknown !== '') expect(problems(answer), method).toEqual([unknown]);
      }
      expect(await brand.list(path)).toEqual([created]);
    });

    it('DELETE answers 200 once, and 404 afterwards', async () => {
      const brand = await TestBrand.create();
      const { id } = await brand.create(path, bare);
      const kept = await brand.create(path, full);
      const answer = await brand.send('DELETE', `${path}/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ [deleted]: id, success: true });
      for (const method of ['DELETE', 'GET']) {
        const again = await brand.send(method, `${path}/${id}`);
        expect([again.status, again.body]).toEqual([404, { error: `${noun} not found.` }]);
      }
      expect(await brand.list(path)).toEqual([kept]);
    });

    it('Of twenty concurrent deletions, one succeeds', async () => {
      const brand = await TestBrand.create();
      const { id } = await brand.create(path, bare);
      const deletions = Array.from({ length: 20 }, () => brand.send('DELETE', `${path}/${id}`));
      const statuses = (await Promise.all(deletions)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, ...Array<number>(19).fill(404)]);
    });

    it('An id that the brand does not have is 404, byte for byte the same for all operations', async () => {
      const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
      const own = await brand.create(path, bare);
      const foreign = await other.create(path, bare);
      const ids = [UNKNOWN, foreign.id, own.id.toUpperCase(), 'abc', '1', '%00', '%', '%E0%A4'];
      ids.push(`${own.id}0`, own.id.slice(1), `{${own.id}}`, own.id.replaceAll('-', ''), '%20');
      // An id with an escape is another text, though hono decodes it to the id.
      ids.push(own.id.replace('-', '%2d'), own.id.replace(/^0/, '%30'));
      for (const id of ids) {
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
          const metered = meter();
          const sent = method.startsWith('P') ? full : undefined;
          const answer = await brand.send(method, `${path}/${id}`, sent, metered);
          expect([answer.status, answer.text], `${method} ${id}`).toEqual([
            404,
            `{"error":"${noun} not found."}`,
          ]);
          expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
        }
      }
      expect(await other.list(path)).toEqual([foreign]);
      expect(await brand.list(path)).toEqual([own]);
    });
  },
);
