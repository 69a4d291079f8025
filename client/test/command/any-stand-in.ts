/** A product of any store, with one variant. */
export interface Thing {
  /** Its id, or the last part of it. */
  readonly number: number;
  readonly title: string;
  readonly price: string;
}

/** A store on this machine, whose prices are in EUR. */
export interface AnyStandIn {
  /** What the command needs to ask it. */
  readonly env: Readonly<Record<string, string>>;
  /** Asks it in this process. */
  readonly fetch: typeof fetch;
  /**
   * Gives it these products, with the SKU `T-number`, and a shirt in two sizes, with two and three pieces: two products, if
   * the platform has no variants.
   */
  readonly sell: (things: readonly Thing[]) => void;
  /** Lets its lists lack a product, which it has if it is asked for it. */
  readonly hide: (number: number) => void;
}
