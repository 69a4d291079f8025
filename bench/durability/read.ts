import * as z from 'zod';
import type { Client } from '../client.ts';
import type { Shown } from './ledger.ts';
import { shownSchema } from './ledger.ts';

const many = z.object({ products: z.array(shownSchema) });

/** Reads the products of a list, oldest first. */
export async function readProducts(client: Client, apiKey: string, path: string): Promise<Shown[]> {
  const { status, text } = await client.send({ method: 'GET', path, apiKey });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return many.parse(JSON.parse(text)).products;
}
