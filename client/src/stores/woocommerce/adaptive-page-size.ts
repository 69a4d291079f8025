import { Failure } from '../../../../common/failure.ts';
import type { TooLarge } from './api.ts';

/** How many entries a page may have, the largest first: 100 is the most that WooCommerce gives. */
const SIZES = [100, 50, 20, 10] as const;

/** The size of pages that every host gives. */
export const SMALLEST_PAGE = SIZES[3];

/** How a question for a page is asked. */
export interface PageAttempt {
  /** How many entries the page may have. */
  readonly size: number;
  /** How often its answer may be lost; undefined for the usual number. */
  readonly tries?: number | undefined;
}

/**
 * The size of the pages of a store, for all its lists: some hosts give fewer entries than they are asked for, refuse so many, or
 * fail on them. What one list finds out holds for the next.
 */
export class AdaptivePageSize {
  #index = 0;
  /** Whether the size has not worked yet, though a larger one did not. */
  #isTrial = false;

  /** Asks with smaller and smaller pages, until they are not too large. @throws Failure if the smallest ones are */
  async fit<Found extends { readonly found: string }>(
    ask: (page: PageAttempt) => Promise<Found | TooLarge>,
  ): Promise<Found> {
    for (;;) {
      const index = this.#index;
      const size = SIZES[index] ?? SMALLEST_PAGE;
      const found = await ask({ size, tries: this.#isTrial ? 1 : undefined });
      if (!isTooLarge(found)) {
        if (index === this.#index) this.#isTrial = false;
        return found;
      }
      // Another question may have found it out meanwhile.
      if (index !== this.#index) continue;
      if (size === SMALLEST_PAGE) throw new Failure(found.why);
      this.#index++;
      this.#isTrial = true;
    }
  }
}

function isTooLarge(one: { readonly found: string }): one is TooLarge {
  return one.found === 'tooLarge';
}
