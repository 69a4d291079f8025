import { expect } from 'vitest';
import type { Answer } from './brand.ts';

/** An id that nothing has. */
export const UNKNOWN = '00000000-0000-7000-8000-000000000000';

export const product = { title: 'Whey', priceCents: 4999 };
export const coupon = { code: 'SAVE10', discountPercent: 10 };

export const COLLECTIONS = [
  { path: '/products', full: product, patch: { title: 'Stolen' } },
  { path: '/coupon-codes', full: coupon, patch: { active: false } },
] as const;

/** Expects one of these error statuses, with a body in the form of all errors. */
export function expectError({ status, body, text }: Answer, ...allowed: number[]): void {
  expect(allowed, text).toContain(status);
  expect(Object.keys(body)).toEqual(['error']);
  expect(typeof body['error']).toBe('string');
}
