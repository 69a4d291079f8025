import { resolve } from 'node:path';

/** Returns a `wrangler.toml` of the project so that it can be used from another folder. */
export function usableElsewhere(configuration: string): string {
  return configuration
    .replace('"src/index.ts"', `"${resolve('src/index.ts')}"`)
    .replace('"public"', `"${resolve('public')}"`)
    .replaceAll('"migrations"', `"${resolve('migrations')}"`);
}
