import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { hashApiKey } from '../../src/auth/api-key.ts';
import { keyIsLive } from '../../src/db/statement.ts';
import { apiKeys } from '../../src/db/tables.ts';
import { AdminError } from '../admin/admin-error.ts';
import { createBrand } from '../admin/brands.ts';
import { openDatabase } from '../admin/database.ts';
import type { Execute } from '../admin/execute.ts';
import { couponCodes, products, profile } from './demo-data.ts';

/** The API key of the demo brand, and whether its data is still to be sent. */
export interface DemoBrand {
  readonly apiKey: string;
  readonly isNew: boolean;
}

/**
 * The demo brand of a local database, made where it is not there.
 * A developer needs its key at every start, and D1 has only the hash: it is kept in a file beside the database.
 * @param folder where the local database lies
 */
export async function openDemoBrand(folder: string): Promise<DemoBrand> {
  const execute = openDatabase({ persistTo: folder });
  const known = await readFile(keyFile(folder), 'utf8').catch(() => undefined);
  if (known !== undefined && (await isLive(execute, known))) return { apiKey: known, isNew: false };

  const { apiKey } = await createBrand(execute, profile.brand.brandName, 'demo');
  return { apiKey, isNew: true };
}

/** Keeps the key of a demo brand whose data is in: one that was left half way is not opened again. */
export async function keepDemoBrand(folder: string, apiKey: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(keyFile(folder), apiKey, { mode: 0o600 });
}

function keyFile(folder: string): string {
  return join(folder, 'demo-api-key');
}

/**
 * Sends the demo data to the running service, as any integration would.
 * @throws AdminError where the service does not take it
 */
export async function fillDemoBrand(service: string, apiKey: string): Promise<void> {
  const send = async (method: string, path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${service}/api/brand/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new AdminError(`The demo data was refused: ${await response.text()}`);
  };
  await send('PUT', 'profile', profile);
  for (const product of products) await send('POST', 'products', product);
  for (const couponCode of couponCodes) await send('POST', 'coupon-codes', couponCode);
}

async function isLive(execute: Execute, apiKey: string): Promise<boolean> {
  const hash = await hashApiKey(apiKey);
  const [rows = []] = await execute(
    sql`select ${apiKeys.id} from ${apiKeys} where ${apiKeys.hash} = ${hash} and ${keyIsLive}`,
  );
  return rows.length > 0;
}
