import { vi } from 'vitest';

/**
 * Lets the time of the fake clock pass until something has happened.
 * @param step how much of it passes at once, in milliseconds
 * @returns it, or its error, and how long that took, in milliseconds
 */
export async function passed<T>(
  work: Promise<T>,
  step = 1000,
): Promise<{ readonly result: unknown; readonly time: number }> {
  const start = Date.now();
  const results: unknown[] = [];
  void work.catch((error: unknown) => error).then((result) => results.push(result));
  while (results.length === 0) await vi.advanceTimersByTimeAsync(step);
  return { result: results[0], time: Date.now() - start };
}
