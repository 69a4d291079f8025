import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { makeBrand } from '../data.ts';
import type { Call } from '../http.ts';
import { ask, get, patch, post, PRODUCTS, RefusedError, remove } from '../http.ts';
import type { Outcome } from '../report.ts';
import { log } from '../report.ts';
import { serve, SERVICE } from '../servers.ts';

// Kills workerd during writes, restarts it on the same files, and checks that acknowledged writes are there.

const CONNECTIONS = 12;
/** The number of products above which a connection deletes more than it creates. */
const ENOUGH = 200;

const shown = z.looseObject({ id: z.string(), sku: z.nullable(z.string()) });
type Shown = z.infer<typeof shown>;
const many = z.object({ products: z.array(shown) });
/** The products after a write. */
const left = z
  .object({ products: z.optional(z.array(shown)), product: z.optional(shown) })
  .transform(({ products, product }) => products ?? [product].flatMap((row) => row ?? []));

/** A write, the product that it changes or deletes, and the fields of the products after it. */
interface Write {
  readonly kind: string;
  readonly call: Call;
  readonly id?: string;
  readonly fields: readonly Readonly<Record<string, unknown>>[];
}

/** A connection that writes to its own products. */
interface Writer {
  /** The products according to acknowledged writes. */
  readonly rows: Map<string, Shown>;
  /** The write without a response so far. */
  pending?: Write | undefined;
}

type Client = readonly [port: number, apiKey: string];
type Count = (what: string, number?: number) => unknown;

/** Kills the server repeatedly, on one database. */
export async function durability(quick: boolean): Promise<Outcome> {
  const kills = quick ? 2 : 20;
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-durability-'));
  const writers = Array.from({ length: CONNECTIONS }, (): Writer => ({ rows: new Map() }));
  const counts = new Map<string, number>();
  const count: Count = (what, number = 1) => counts.set(what, (counts.get(what) ?? 0) + number);
  const wrong = new Set<string>();
  let apiKey: string | undefined;
  for (let kill = 0; kill <= kills; kill++) {
    await using servers = await serve([SERVICE], { folder: folder.path });
    const service = await servers.served(SERVICE.name);
    apiKey ??= (await makeBrand(service, 0)).apiKey;
    const client = [service.port, apiKey] as const;
    for (const text of await verify(client, writers, count)) wrong.add(text);
    log(`after ${kill} of ${kills} kills: ${wrong.size} wrong`);
    if (kill === kills) break;
    const stop = new AbortController();
    const writing = Promise.all(writers.map((one) => writeOn(one, client, stop.signal, count)));
    await Promise.race([writing, setTimeout(100 + 2400 * Math.random())]);
    stop.abort();
    process.kill(servers.pid, 'SIGKILL');
    await writing;
  }
  count('lost, half or double', wrong.size);
  const rows = Array.from(counts, ([what, number]) => ({ what, number }));
  return { tables: [{ title: `kill -9, ${kills} times`, rows }], wrong: [...wrong] };
}

/**
 * Writes until it is stopped or the server is killed.
 * @throws RefusedError if the server rejects a write
 */
async function writeOn(
  writer: Writer,
  client: Client,
  stop: AbortSignal,
  count: Count,
): Promise<void> {
  while (!stop.aborted) {
    const { id, kind, call } = (writer.pending = nextWrite(writer.rows));
    try {
      const { body } = await ask(...client, call, left);
      writer.pending = undefined;
      count(`acknowledged: ${kind}`);
      replace(writer.rows, id, body);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      // No response: the restart shows whether it took effect.
      return;
    }
  }
}

function replace(rows: Map<string, Shown>, id: string | undefined, by: readonly Shown[]): void {
  if (id !== undefined) rows.delete(id);
  for (const row of by) rows.set(row.id, row);
}

let writes = 0;

function nextWrite(rows: Writer['rows']): Write {
  const sku = `write-${++writes}`;
  const ids = [...rows.keys()];
  const id = ids[Math.floor(Math.random() * ids.length)];
  const chance = Math.random();
  if (id !== undefined && chance < 0.4) {
    // All fields get one value, so that a partial change would show. One of them has an index.
    const texts = { title: sku, description: sku, lastSyncError: sku, storeProductId: sku };
    const fields = { ...texts, priceCents: writes, storeInventoryQuantity: writes };
    const call = patch(`${PRODUCTS}/${id}`, fields);
    return { kind: 'patch', id, call, fields: [{ ...rows.get(id), ...fields }] };
  }
  if (id !== undefined && chance < (ids.length > ENOUGH ? 0.9 : 0.6)) {
    return { kind: 'delete', id, call: remove(`${PRODUCTS}/${id}`), fields: [] };
  }
  const fields = Array.from({ length: chance < 0.9 ? 1 : 20 }, (_, index) => ({
    ...{ sku, title: `Product ${sku} ${index}`, storeProductId: `${sku}/${index}` },
    ...{ priceCents: index, storeInventoryQuantity: index },
  }));
  const call = post(PRODUCTS, { products: fields }, { 'Idempotency-Key': sku });
  return { kind: `create ${fields.length}`, call, fields };
}

/**
 * Compares the server's data with the acknowledged writes. A write without a response must have taken effect completely
 * or not at all. A creation is retried with its Idempotency-Key, and must exist once.
 * @returns the differences
 */
async function verify(client: Client, writers: readonly Writer[], count: Count): Promise<string[]> {
  const wrong: string[] = [];
  const found = (await ask(...client, get(PRODUCTS), many)).body.products;
  for (const writer of writers) {
    const { pending, rows } = writer;
    if (pending === undefined) continue;
    writer.pending = undefined;
    const { id, fields, call, kind } = pending;
    const before = id === undefined ? [] : [rows.get(id)];
    const after = found.filter((row) =>
      id === undefined ? row.sku === fields[0]?.['sku'] : row.id === id,
    );
    const isDone = isAsSent(after, fields);
    count('writes under way at a kill');
    if (isDone) count('of these, took effect');
    else if (!isDeepStrictEqual(after, before)) wrong.push(`${kind}: ${JSON.stringify(after)}`);
    replace(rows, id, after);
    if (id !== undefined) continue;
    const { body, headers } = await ask(...client, call, left);
    const isReplayed = headers.get('idempotent-replayed') === 'true';
    const isSame = isDone ? isDeepStrictEqual(body, after) : isAsSent(body, fields);
    if (isReplayed !== isDone || !isSame) wrong.push(`${kind} again: ${JSON.stringify(body)}`);
    replace(rows, id, body);
  }
  const { products } = (await ask(...client, get(PRODUCTS), many)).body;
  const now = new Map(products.map((row) => [row.id, row]));
  const known = new Map(writers.flatMap(({ rows }) => [...rows]));
  count('rows compared after restarts', known.size);
  for (const id of new Set([...now.keys(), ...known.keys()])) {
    const [is, must] = [now.get(id), known.get(id)];
    if (isDeepStrictEqual(is, must)) continue;
    wrong.push(`${id} must be ${JSON.stringify(must)}, and is ${JSON.stringify(is)}.`);
  }
  return wrong;
}

/** Whether these are the products after a write, with all sent values. */
function isAsSent(rows: readonly Shown[], fields: Write['fields']): boolean {
  const wanted = rows.map((row, index) => ({
    ...{ ...row, ...fields[index], updatedAt: row['updatedAt'] },
  }));
  return rows.length === fields.length && isDeepStrictEqual(rows, wanted);
}
