import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Makes decisions that look random, and are the same for the same seed. */
export class Chance {
  readonly #numbers: ReturnType<typeof mersenne>;

  constructor(seed: number) {
    // For seeds in a row, the first numbers of the other generators are alike.
    this.#numbers = mersenne(seed);
  }

  happens(probability: number): boolean {
    return uniformFloat64(this.#numbers) < probability;
  }

  /** Returns a whole number from 0 to `count`, without `count`. */
  below(count: number): number {
    return uniformInt(this.#numbers, 0, count - 1);
  }

  /** @throws Error if there is nothing to choose from */
  of<T>(items: readonly T[]): T {
    const item = items.length === 0 ? undefined : items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }

  /** Returns the index of one of some weights: of 3 three times as often as of 1; -1 if there is none. */
  index(weights: readonly number[]): number {
    let left = uniformFloat64(this.#numbers) * weights.reduce((sum, weight) => sum + weight, 0);
    return weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
  }
}
