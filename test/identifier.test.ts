import { Hono } from 'hono/tiny';
import { expect, it } from 'vitest';
import { v7, validate, version } from 'uuid';
import { isId, newId } from '../src/collection/identifier.ts';
import type { ApiEnv } from '../src/http/api-env.ts';
import { idInPath } from '../src/http/parameters.ts';

it('Ids are UUIDv7, each higher than the one before, also of one millisecond', () => {
  const before = Date.now();
  // The clock stands still here, as it does during a request.
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => parseInt(id.slice(0, 13).replace('-', ''), 16));
  expect(times[0]).toBeGreaterThanOrEqual(before);
  expect(times.at(-1)).toBeLessThanOrEqual(Date.now() + 10);
});

it('The id of a request is the parameter of its route, wherever it stands in the path', async () => {
  const app = new Hono<ApiEnv>();
  const id = idInPath(isId, () => 'Product');
  app.get('/products/:id/images/:image', id, (c) => c.text(c.req.valid('param')()));
  const [product, image] = [v7(), v7()];
  const answer = await app.request(`/products/${product}/images/${image}`);
  expect([answer.status, await answer.text()]).toEqual([200, product]);
});
