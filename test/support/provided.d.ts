import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many sequences of requests the fuzzer tries, and the seed from which it draws them. */
    readonly fuzz: { readonly runs: number; readonly seed: number };
    /** The OpenAPI document of a service with widgets besides. */
    readonly widgetDocument: object;
    /** Where a GET gives a brand of the server that the node tests share: its key, and the server's port. */
    readonly brandStock: string;
  }
}
