import { expect } from 'vitest';

/** The values that something may have, as far as its writer knows: several after an answer that was lost. */
export class Possible {
  readonly #values: Set<string | null>;

  /** @param value null if it does not exist */
  constructor(value: string | null) {
    this.#values = new Set([value]);
  }

  /** The value; undefined if it is not certain. */
  get certain(): string | null | undefined {
    const [value, ...others] = this.#values;
    return others.length === 0 ? value : undefined;
  }

  /** A write was done. */
  become(value: string | null): void {
    this.#values.clear();
    this.#values.add(value);
  }

  /** A write may have been done. */
  mayBecome(value: string | null): void {
    this.#values.add(value);
  }

  /** Expects a value that is possible. */
  expect(value: unknown, what: string): void {
    expect([...this.#values], what).toContain(value);
  }
}
