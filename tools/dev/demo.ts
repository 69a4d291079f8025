import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { BrandClient } from '../../client/src/index.ts';
import { generateApiKey, hashApiKey } from '../../src/auth/api-key.ts';
import { apiKeys } from '../../src/db/tables.ts';
import { createBrand } from '../admin/brands.ts';
import type { Execute } from '../admin/execute.ts';
import { executeOn } from '../admin/execute.ts';
import { issueKey } from '../admin/keys.ts';
import { keyIsLiveAt } from '../../src/db/key.ts';
import { databaseTime } from '../../src/db/statement.ts';
import * as data from './demo-data.ts';

// A developer needs the demo brand's key at every start, and D1 has only its hash. So a file beside the database stores
// the key.
const FINISHED = 'demo-api-key';
// The same while the brand is being created. It is written before the key is issued, so that an interrupted start can
// be continued.
const BEGUN = 'demo-api-key.begun';

/** The demo brand of a local database. */
export interface DemoBrand {
  readonly apiKey: string;
  /** Whether its data is complete. */
  readonly isComplete: boolean;
}

/**
 * Opens the demo brand of a local database. A missing brand is created; one that an interrupted start left incomplete
 * is continued.
 * @param folder the folder of the local database
 */
export async function openDemoBrand(database: D1Database, folder: string): Promise<DemoBrand> {
  const execute = executeOn(database, 'npm run dev');
  const finished = await keptKey(execute, join(folder, FINISHED));
  if (finished?.isLive) return { apiKey: finished.apiKey, isComplete: true };

  const begun = await keptKey(execute, join(folder, BEGUN));
  if (begun?.isLive) return { apiKey: begun.apiKey, isComplete: false };

  const apiKey = generateApiKey();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, BEGUN), apiKey, { mode: 0o600 });
  const brandId = begun?.brandId ?? finished?.brandId;
  const key = { label: 'demo', apiKey };
  if (brandId === undefined) await createBrand(execute, data.profile.brand.brandName, key);
  else await issueKey(execute, brandId, key);
  return { apiKey, isComplete: false };
}

/** Sends the demo data through the API, except data that already exists. */
export async function completeDemoBrand(client: BrandClient, folder: string): Promise<void> {
  const { products, couponCodes } = client;
  // The products come last: if they exist, everything does. Each list is created completely or not at all.
  if ((await products.list().next()).done) {
    await client.replaceProfile(data.profile);
    if ((await couponCodes.list().next()).done) await couponCodes.createMany(data.couponCodes);
    await products.createMany(data.products);
  }
  await rename(join(folder, BEGUN), join(folder, FINISHED));
}

/** A key that was stored in a file. */
interface KeptKey {
  readonly apiKey: string;
  readonly isLive: boolean;
  /** Undefined if the database has no such key. */
  readonly brandId: string | undefined;
}

async function keptKey(execute: Execute, file: string): Promise<KeptKey | undefined> {
  const apiKey = await readFile(file, 'utf8').catch(() => undefined);
  if (apiKey === undefined) return undefined;
  const hash = await hashApiKey(apiKey);
  const [[row]] = await execute(
    sql<{
      brand_id: string;
      is_live: number;
    }>`select ${apiKeys.brandId}, ${keyIsLiveAt(databaseTime)} as is_live from ${apiKeys} where ${apiKeys.hash} = ${hash}`,
  );
  return { apiKey, brandId: row?.brand_id, isLive: row?.is_live === 1 };
}
