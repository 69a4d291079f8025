/** How many entries a page may have, the largest first: 100 is the most that WooCommerce gives. */
const SIZES = [100, 50, 20, 10] as const;

/** The size of pages that every host gives. */
export const SMALLEST_PAGE = SIZES[3];

/** How many entries a page of a list has. Some hosts give fewer than they are asked for, refuse so many, or fail on them. */
export class PageSize {
  #index = 0;
  /** Whether the size has not worked yet, though a larger one did not. */
  #isTrial = false;

  get now(): number {
    return SIZES[this.#index] ?? SMALLEST_PAGE;
  }

  /** How often a question of this size is sent; undefined for the usual number. */
  get tries(): number | undefined {
    return this.#isTrial ? 1 : undefined;
  }

  /** Notes that there was an answer to a question of a size. */
  works(size: number): void {
    if (size === this.now) this.#isTrial = false;
  }

  /** Chooses a smaller one than that of a question, unless another question has done so. Returns whether there is one. */
  shrink(size: number): boolean {
    if (size !== this.now || size === SMALLEST_PAGE) return size > this.now;
    this.#index++;
    this.#isTrial = true;
    return true;
  }
}
