import { inject } from 'vitest';
import * as z from 'zod';
import type { TemporaryFolder } from './processes.ts';
import { copyOf } from './processes.ts';

const brand = z
  .object({ port: z.int(), apiKey: z.string() })
  .transform((made) => ({ ...made, baseUrl: `http://127.0.0.1:${made.port}` }));

/** A key of a brand, and the server that has it. */
export type TakenBrand = z.infer<typeof brand>;

/**
 * Creates a brand of the server that the test files share. The first call starts the server, which answers below `/api`
 * only. It is stopped after the last test.
 * @throws Error if it does not start
 */
export function takeBrand(): Promise<TakenBrand> {
  return ask('/brand', brand);
}

/** Returns the port of a server that has the static assets too, and the key of its only brand. */
export function takeSite(): Promise<TakenBrand> {
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
