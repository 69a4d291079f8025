import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The number of request sequences that the fuzzer runs, and their seed. */
    readonly fuzz: { readonly runs: number; readonly seed: number };
    /** The OpenAPI document of a service that also has widgets. */
    readonly widgetDocument: object;
    /**
     * The address where a GET returns an unused brand of the server that the node tests share: its key, and the
     * server's port.
     */
    readonly brandPool: string;
  }
}
