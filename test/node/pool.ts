import { inject } from 'vitest';
import * as z from 'zod';
import type { TemporaryFolder } from './processes.ts';
import { copyOf } from './processes.ts';

const brand = z.object({ port: z.int(), apiKey: z.string() });

/**
 * Creates a brand of the server that the test files share.
 * @throws Error if the server does not start
 */
export function takeBrand(): Promise<z.infer<typeof brand>> {
  return ask('/brand', brand);
}

/** Returns the port of a server that has the static assets too, and the key of its only brand. */
export function takeSite(): Promise<z.infer<typeof brand>> {
  return ask('/site', brand);
}

/** Returns a folder with a database that has all tables and no rows. The migrations take seconds, a copy does not. */
export async function migratedFolder(): Promise<TemporaryFolder> {
  return copyOf(await ask('/migrated', z.string()));
}

/** Asks what runs beside all test files. */
async function ask<T>(part: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(inject('brandPool') + part);
  if (!response.ok) throw new Error(await response.text());
  return schema.parse(await response.json());
}
