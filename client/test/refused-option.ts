import { inspect } from 'node:util';
import { expect } from 'vitest';

/** Returns an error's kind and message. */
export async function problem(call: () => unknown): Promise<readonly unknown[]> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return [error.name, error.message];
  }
  return [];
}

/** Expects that a bad value of an option is refused, by the rule that it breaks. */
export async function expectRefusal(
  call: () => unknown,
  name: string,
  rule: string,
  value: unknown,
): Promise<void> {
  const kind = typeof value === 'number' ? 'RangeError' : 'TypeError';
  const text = `Expected ${name} to be ${rule}.`;
  expect(await problem(call), inspect(value)).toEqual([kind, text]);
}
