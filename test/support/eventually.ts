import { vi } from 'vitest';

/** Waits until a function no longer throws, and returns what it returns. A busy machine has time for it. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 50_000, interval: 10 });
}
