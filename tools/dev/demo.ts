import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { BrandClient } from '../../client/src/index.ts';
import { createBrand, databaseOn } from '../../admin/src/index.ts';
import { apiKeys, databaseTime, keyIsLiveAt, newApiKey, sha256 } from '../../src/operator.ts';
import * as data from './demo-data.ts';

/** The demo brand of a local database. */
export interface DemoBrand {
  readonly apiKey: string;
  /** Whether it still lacks its data. */
  readonly isNew: boolean;
}

/**
 * A developer needs the demo brand's key at every start, and D1 has only its hash. So a file beside the database has it,
 * once the brand has its data. What an interrupted start leaves is a brand that nobody uses.
 */
function keyFile(folder: string): string {
  return join(folder, 'demo-api-key');
}

/**
 * Opens the demo brand of a local database, or creates one if there is none with a live key.
 * @param folder the folder of the local database
 */
export async function openDemoBrand(d1: D1Database, folder: string): Promise<DemoBrand> {
  const database = databaseOn(d1, 'npm run dev');
  const kept = await readFile(keyFile(folder), 'utf8').catch(() => '');
  const [live] = await database.run(
    sql`select 1 from ${apiKeys} where ${apiKeys.hash} = ${await sha256(kept)} and ${keyIsLiveAt(databaseTime)}`,
  );
  if (live.length > 0) return { apiKey: kept, isNew: false };
  const apiKey = newApiKey();
  await createBrand(database, data.profile.brand.brandName, { label: 'demo', apiKey });
  return { apiKey, isNew: true };
}

/** Sends the demo data through the API, then keeps the key for the next start. */
export async function fillDemoBrand(
  client: BrandClient,
  folder: string,
  { apiKey }: DemoBrand,
): Promise<void> {
  await client.profile.replace(data.profile);
  await client.couponCodes.createMany(data.couponCodes);
  await client.products.createMany(data.products);
  await mkdir(folder, { recursive: true });
  await writeFile(keyFile(folder), apiKey, { mode: 0o600 });
}
