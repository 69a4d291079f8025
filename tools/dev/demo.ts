import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { generateApiKey, hashApiKey } from '../../src/auth/api-key.ts';
import { apiKeys } from '../../src/db/tables.ts';
import { createBrand } from '../admin/brands.ts';
import type { Execute } from '../admin/execute.ts';
import { executeOn } from '../admin/execute.ts';
import { issueKey } from '../admin/keys.ts';
import { keyIsLiveAt } from '../../src/db/key.ts';
import { databaseTime } from '../../src/db/statement.ts';
import { AdminError } from '../admin/admin-error.ts';
import * as data from './demo-data.ts';

// A developer needs the demo brand's key at every start, and D1 has only its hash. So a file beside the database stores
// the key.
const FINISHED = 'demo-api-key';
// The same while the brand is being created. It is written before the key is issued, so that an interrupted start can
// be continued.
const BEGUN = 'demo-api-key.begun';

const list = z.object({
  products: z.optional(z.array(z.unknown())),
  couponCodes: z.optional(z.array(z.unknown())),
});

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

/** Sends a request to a path below `/api/brand/v1/` and returns the parsed response. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/**
 * Sends requests to the local service.
 * @param service the address, such as `http://localhost:8787`
 * @returns a function that sends a request; it throws AdminError if the service rejects it
 */
export function sendTo(service: string, apiKey: string): Send {
  return async (method, path, body) => {
    const response = await fetch(`${service}/api/brand/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new AdminError(`The service rejected the demo data: ${answer}`);
    const parsed: unknown = JSON.parse(answer);
    return parsed;
  };
}

/** Sends the demo data through the API, except data that already exists. */
export async function completeDemoBrand(send: Send, folder: string): Promise<void> {
  const { products } = list.parse(await send('GET', 'products?limit=1'));
  const { couponCodes } = list.parse(await send('GET', 'coupon-codes?limit=1'));
  // The products come last: if they exist, everything does. Each list is created completely or not at all.
  if (products?.length === 0) {
    await send('PUT', 'profile', data.profile);
    if (couponCodes?.length === 0) {
      await send('POST', 'coupon-codes', { couponCodes: data.couponCodes });
    }
    await send('POST', 'products', { products: data.products });
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
