import type { Obstacle } from '../store-product.ts';

/** Returns the obstacle that nobody can read a type; undefined if it is a word, whatever it means. */
export function unreadableType(type: unknown): Obstacle | undefined {
  if (typeof type === 'string' && type.trim() !== '') return undefined;
  return { reason: 'it has no type that can be read', kind: 'problem' };
}
