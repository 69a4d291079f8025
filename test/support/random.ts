import { inject } from 'vitest';

/**
 * What fast-check needs for a test that usually has so many runs. The seed is always the same, unless `npm run random`
 * chooses another one, which the error of fast-check names.
 */
export function random(usualRuns: number): { readonly numRuns: number; readonly seed: number } {
  const { seed, times } = inject('random');
  return { numRuns: Math.ceil(usualRuns * times), seed };
}
