import { inject } from 'vitest';
import * as z from 'zod';
import type { TemporaryFolder } from './processes.ts';
import { copyOf } from './processes.ts';

const brand = z.object({ port: z.int(), apiKey: z.string() });
const filled = z.object({ folder: z.string(), apiKeys: z.tuple([z.string()], z.string()) });

/**
 * Takes the key of an unused brand of the server that the test files share.
 * @throws Error if the server does not start
 */
export function takeBrand(): Promise<z.infer<typeof brand>> {
  return ask('/brand', brand);
}

/** Returns a folder with a database that has all tables and no rows. The migrations take seconds, a copy does not. */
export async function migratedFolder(): Promise<TemporaryFolder> {
  return copyOf(await ask('/migrated', z.string()));
}

/** Returns a folder with a database that has brands, and the key of one. */
export async function filledFolder(): Promise<TemporaryFolder & { readonly apiKey: string }> {
  const { folder, apiKeys } = await ask('/filled', filled);
  return { ...(await copyOf(folder)), apiKey: apiKeys[0] };
}

/** Asks what runs beside all test files. */
async function ask<T>(part: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(inject('brandPool') + part);
  if (!response.ok) throw new Error(await response.text());
  return schema.parse(await response.json());
}
