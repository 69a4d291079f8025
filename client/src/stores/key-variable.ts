import { UsageError } from './failure.ts';
import type { Environment } from './store.ts';

/**
 * Returns the key, or another visible text, that a variable has; empty if it is not set.
 * @throws UsageError without the value, if it has a character that cannot be in a header
 */
export function keyVariable(env: Environment, name: string): string {
  const value = env[name]?.trim() ?? '';
  if (/^[\x21-\x7e]*$/.test(value)) return value;
  throw new UsageError(`${name} has a character that no key has. Copy it again.`);
}
