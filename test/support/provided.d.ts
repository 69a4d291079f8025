import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The number of request sequences that the fuzzer runs, and their seed. */
    readonly fuzz: { readonly runs: number; readonly seed: number };
    /** Whether each act of others meets each failure of each call of a move, instead of one of them. */
    readonly crossed: boolean;
    /** The OpenAPI document of a service that also has widgets. */
    readonly widgetDocument: object;
    /**
     * The address of what the node tests share: an unused brand of a running server at `/brand`, and databases to copy at
     * `/migrated` and `/filled`.
     */
    readonly brandPool: string;
  }
}
