import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The number of request sequences that the fuzzer runs, and their seed. */
    readonly fuzz: { readonly runs: number; readonly seed: number };
    /** The OpenAPI document of a service that also has widgets. */
    readonly widgetDocument: object;
    /** The environment that a store of each platform is asked with, by its name: `client/test/stand-ins-setup.ts`. */
    readonly storeEnvironments: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** The address of what the node tests share: `test/node/brand-pool.ts` says which part is at which path. */
    readonly brandPool: string;
  }
}
