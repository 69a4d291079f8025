import { expect } from 'vitest';
import type { Answer } from './brand.ts';

/** An id that nothing has. */
export const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Expects one of these error statuses, with a body in the form of all errors. */
export function expectError({ status, body, text }: Answer, ...allowed: number[]): void {
  expect(allowed, text).toContain(status);
  expect(Object.keys(body)).toEqual(['error']);
  expect(typeof body['error']).toBe('string');
}
