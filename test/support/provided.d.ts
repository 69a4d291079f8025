import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The seed of the random tests, and how many times their usual runs they have: `test/support/random.ts`. */
    readonly random: { readonly seed: number; readonly times: number };
    /** The OpenAPI document of a service that also has everything in `test/fixtures`. */
    readonly fixtureDocument: object;
    /** The environment that a store of each platform is asked with, by its name: `client/test/stand-ins-setup.ts`. */
    readonly storeEnvironments: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** The address of what the node tests share: `test/node/brand-pool.ts` says which part is at which path. */
    readonly brandPool: string;
    /** The path of the command, as it is in its package: `client/test/command/command-setup.ts`. */
    readonly command: string;
  }
}
