import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client.ts';
import type { Fields, Ledger, Pending, Shown } from './ledger.ts';
import { readProducts } from './read.ts';
import { PRODUCTS, productsOf } from './writer.ts';

// What became of a write that was under way when the server was killed: the whole of it, or nothing.

/**
 * Finds out whether a write that was under way has taken effect, and notes it.
 * @param found all products, by ids
 * @param violations takes what is neither
 */
export function settle(
  pending: Pending,
  { rows }: Ledger,
  found: ReadonlyMap<string, Shown>,
  violations: string[],
): boolean {
  if ('items' in pending) {
    const made = [...found.values()].filter(({ sku, id }) => sku === pending.sku && !rows.has(id));
    if (made.length > 0 && !isWhole(made, pending.items)) {
      violations.push(
        `${pending.sku}: ${made.length} of ${pending.items.length} made, or not as sent.`,
      );
    }
    for (const product of made) rows.set(product.id, product);
    return made.length > 0;
  }
  const shown = found.get(pending.id);
  const before = rows.get(pending.id);
  if (pending.kind === 'delete') {
    if (shown !== undefined) return false;
    rows.delete(pending.id);
    return true;
  }
  if (shown === undefined || isDeepStrictEqual(shown, before)) return false;
  const { updatedAt } = shown;
  if (isDeepStrictEqual(shown, { ...before, ...pending.fields, updatedAt })) {
    rows.set(pending.id, shown);
    return true;
  }
  // It differs from what was before, which is reported for it.
  return false;
}

/** Repeats a creation with its Idempotency-Key, twice: what was made is shown again, or is made now, once. */
export async function repeat(
  client: Client,
  { call, items, sku }: Extract<Pending, { items: unknown }>,
  { rows }: Ledger,
): Promise<string[]> {
  const violations: string[] = [];
  for (const time of ['first', 'second']) {
    const before = [...rows.values()].filter((row) => row.sku === sku);
    const answer = await client.send(call);
    const replayed = answer.headers['idempotent-replayed'] === 'true';
    if (answer.status !== 201 || replayed !== before.length > 0) {
      violations.push(
        `${sku}: ${before.length} there, the ${time} repeat gave ${answer.status}, ${replayed ? '' : 'not '}replayed.`,
      );
      if (answer.status !== 201) continue;
    }
    const products = productsOf(answer);
    const isSame = before.length === 0 || isDeepStrictEqual(products, before);
    if (!isSame || !isWhole(products, items)) {
      violations.push(`${sku}: the ${time} repeat gave ${answer.text}`);
    }
    for (const product of products) rows.set(product.id, product);
  }
  return violations;
}

/** Looks for what a write touched by the field that has an index: row and index must have changed together. */
export async function lookUp(
  client: Client,
  pending: Pending,
  { rows }: Ledger,
): Promise<string[]> {
  const touched = [...rows.values()].filter((row) =>
    'items' in pending ? row.sku === pending.sku : row.id === pending.id,
  );
  const violations: string[] = [];
  for (const row of touched) {
    const query = new URLSearchParams({ storeProductId: String(row['storeProductId']) });
    const path = `${PRODUCTS}?${query.toString()}`;
    const found = await readProducts(client, pending.call.apiKey, path);
    if (!isDeepStrictEqual(found, [row])) {
      violations.push(
        `${path} gives ${JSON.stringify(found)} and must give ${JSON.stringify(row)}`,
      );
    }
  }
  return violations;
}

/** Whether these are all the products that were sent, in order, with the fields that were sent. */
function isWhole(products: readonly Shown[], items: readonly Fields[]): boolean {
  return (
    products.length === items.length &&
    products.every((product, index) => isDeepStrictEqual({ ...product, ...items[index] }, product))
  );
}
