import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import { Failure } from '../../../common/failure.ts';
import { FolderFailure } from './folder.ts';

/** After so many failures of the database, with no success between them, nothing further is tried. */
const MOST_FAILURES = 5;

/** Attempts for many brands, of which one may fail while the others go on, unless what fails is in the way of all. */
export class Attempts {
  /** Why the last attempt for a brand failed. */
  readonly failed = new Map<string, string>();
  readonly #obstacles: { readonly error: unknown }[] = [];
  #failures = 0;

  /** Makes an attempt for brands, unless something is in the way. */
  async of(brandIds: readonly string[], act: () => Promise<void>): Promise<void> {
    if (this.#obstacles.length > 0) return;
    try {
      await act();
      this.#failures = 0;
    } catch (error) {
      if (error instanceof DatabaseFailure) this.#failures += 1;
      const isItsOwn = error instanceof Failure && !(error instanceof FolderFailure);
      if (!isItsOwn || this.#failures === MOST_FAILURES) this.#obstacles.push({ error });
      else for (const brandId of brandIds) this.failed.set(brandId, error.message);
    }
  }

  /** @throws what was in the way */
  end(): void {
    const [obstacle] = this.#obstacles;
    if (obstacle !== undefined) throw obstacle.error;
  }
}
