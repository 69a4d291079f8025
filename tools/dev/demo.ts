import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { BrandClient } from '../../client/src/index.ts';
import { sha256 } from '../../src/hash.ts';
import { apiKeys } from '../../src/db/tables.ts';
import type { OpenDatabase } from '../../admin/src/index.ts';
import { createBrand, databaseOn, issueKey } from '../../admin/src/index.ts';
import { newApiKey } from '../../src/auth/new-api-key.ts';
import { keyIsLiveAt } from '../../src/db/key.ts';
import { databaseTime } from '../../src/db/statement.ts';
import * as data from './demo-data.ts';

// A developer needs the demo brand's key at every start, and D1 has only its hash. So a file beside the database stores
// the key. Until the brand is complete, a word follows it, so that an interrupted start can be continued.
const FILE = 'demo-api-key';
const BEGUN = ' begun';

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
export async function openDemoBrand(d1: D1Database, folder: string): Promise<DemoBrand> {
  const database = databaseOn(d1, 'npm run dev');
  const file = join(folder, FILE);
  const text = await readFile(file, 'utf8').catch(() => '');
  const kept = text.replace(BEGUN, '');
  const found = await findKey(database, kept);
  if (found?.is_live) return { apiKey: kept, isComplete: text === kept };

  const apiKey = newApiKey();
  const key = { label: 'demo', apiKey };
  await mkdir(folder, { recursive: true });
  const save = (): Promise<void> => writeFile(file, apiKey + BEGUN, { mode: 0o600 });
  // The file names a brand at each moment in which this may be killed, except before there is one.
  if (found === undefined) {
    await save();
    await createBrand(database, data.profile.brand.brandName, key);
  } else {
    await issueKey(database, found.brand_id, key);
    await save();
  }
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
  const file = join(folder, FILE);
  await writeFile(file, (await readFile(file, 'utf8')).replace(BEGUN, ''));
}

/** Returns the brand of a key, and whether the key is live; undefined if the database has no such key. */
async function findKey(
  database: OpenDatabase,
  apiKey: string,
): Promise<{ readonly brand_id: string; readonly is_live: number } | undefined> {
  const [[row]] = await database.run(
    sql<{
      brand_id: string;
      is_live: number;
    }>`select ${apiKeys.brandId}, ${keyIsLiveAt(databaseTime)} as is_live from ${apiKeys} where ${apiKeys.hash} = ${await sha256(apiKey)}`,
  );
  return row;
}
