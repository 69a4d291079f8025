import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client.ts';
import type { Ledger, Shown } from './ledger.ts';
import { lookUp, repeat, settle } from './pending.ts';
import { readProducts } from './read.ts';
import { PRODUCTS } from './writer.ts';

/** What came out when the server was there again. */
export interface Verified {
  readonly violations: readonly string[];
  /** Rows that were held against what was promised. */
  readonly compared: number;
  /** Writes that were under way, and how many of them had taken effect. */
  readonly inFlight: number;
  readonly inFlightDone: number;
}

/**
 * Holds what the server has after a restart against what it promised before, and brings the ledgers up to it.
 * Writes that were under way have taken effect as a whole or not at all; where they can be repeated they are, twice.
 */
export async function verify(
  client: Client,
  apiKey: string,
  ledgers: readonly Ledger[],
): Promise<Verified> {
  const violations: string[] = [];
  const found = await readAll(client, apiKey);
  let [inFlight, inFlightDone] = [0, 0];
  for (const ledger of ledgers) {
    if (ledger.pending === undefined) continue;
    inFlight++;
    if (settle(ledger.pending, ledger, found, violations)) inFlightDone++;
  }
  for (const ledger of ledgers) {
    const { pending } = ledger;
    if (pending && 'items' in pending && pending.repeatable) {
      violations.push(...(await repeat(client, pending, ledger)));
    }
    if (pending) violations.push(...(await lookUp(client, pending, ledger)));
    ledger.pending = undefined;
  }

  const now = await readAll(client, apiKey);
  const known = new Map(ledgers.flatMap(({ rows }) => [...rows]));
  for (const [id, row] of known) {
    const shown = now.get(id);
    if (shown === undefined) violations.push(`${id} must be there and is lost.`);
    else if (!isDeepStrictEqual(shown, row)) {
      violations.push(`${id} is ${JSON.stringify(shown)} and must be ${JSON.stringify(row)}.`);
    }
  }
  for (const id of now.keys()) {
    if (!known.has(id)) violations.push(`${id} must not be there: deleted, or never asked for.`);
  }
  return { violations, compared: known.size, inFlight, inFlightDone };
}

/** The complete list by ids. */
async function readAll(client: Client, apiKey: string): Promise<Map<string, Shown>> {
  const products = await readProducts(client, apiKey, PRODUCTS);
  return new Map(products.map((product) => [product.id, product]));
}
