import { expect, it } from 'vitest';
import * as z from 'zod';
import { newId } from '../src/collection/identifier.ts';

it('Ids are UUIDv7, each higher than the one before, also of one millisecond', () => {
  const before = Date.now();
  // The clock stands still here, as it does during a request.
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids.every((id) => z.uuidv7().safeParse(id).success)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => parseInt(id.slice(0, 13).replace('-', ''), 16));
  expect(times[0]).toBeGreaterThanOrEqual(before);
  expect(times.at(-1)).toBeLessThanOrEqual(Date.now() + 10);
});
