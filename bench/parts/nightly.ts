import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { BrandClient } from '../../client/src/index.ts';
import { SERVICE, USUAL } from '../bundle.ts';
import type { StoreProduct } from '../data.ts';
import { inBatches, makeBrand, product } from '../data.ts';
import { ask, get, patch, post, PRODUCTS, remove } from '../http.ts';
import { DISTANCE, measureTask, SECONDS } from '../measure-task.ts';
import type { Picture } from '../picture.ts';
import type { Outcome, Row } from '../report.ts';
import { log } from '../report.ts';
import { serve, servedFor } from '../servers.ts';

// A nightly sync: the service is made equal to the complete list of a store.

/** Makes the service at a port equal to a list. */
type Sync = (port: number, apiKey: string, items: readonly StoreProduct[]) => Promise<void>;

const listed = z.object({
  products: z.array(z.looseObject({ id: z.string(), storeProductId: z.string().nullable() })),
});

/** The ways to sync, by the Worker that they need. */
const DESIGNS: Readonly<Record<string, Sync>> = {
  async [SERVICE.name](port, apiKey, items) {
    const client = new BrandClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey });
    await client.products.sync(items, {
      match: 'storeProductId',
      deleteMissing: { max: '10%' },
    });
  },
  async [USUAL.name](port, apiKey, items) {
    const { body } = await ask(port, apiKey, get(PRODUCTS), listed);
    const left = new Map(body.products.map((found) => [found.storeProductId, found]));
    await forEachItem(items, async (item) => {
      const found = left.get(item.storeProductId);
      left.delete(item.storeProductId);
      if (found === undefined) throw new Error(`${item.storeProductId} is not in the service.`);
      const changed = differences(item, found);
      const path = `${PRODUCTS}/${found.id}`;
      if (changed) await ask(port, apiKey, patch(path, changed), z.unknown());
    });
    await forEachItem([...left.values()], ({ id }) =>
      ask(port, apiKey, remove(`${PRODUCTS}/${id}`), z.unknown()),
    );
  },
};

const NO_CHANGE = 'nothing changed';

/** Measures a nightly sync of both designs. */
export async function nightly(quick: boolean): Promise<Outcome> {
  const [rounds, size, few] = quick ? [1, 200, 10] : [2, 10_000, 100];
  const items = Array.from({ length: size }, (_, number) => product(number));
  const removed = items.slice(-few);
  let price = 20_000;
  const tasks = new Map<string, () => readonly StoreProduct[]>([
    [NO_CHANGE, () => items],
    // Before the changes: they stay in the service.
    [`${few} deleted`, () => items.slice(0, -few)],
    [
      `${few} changed`,
      () => {
        const priceCents = ++price;
        return items.map((item, index) => (index < few ? { ...item, priceCents } : item));
      },
    ],
  ]);

  await using servers = await serve([SERVICE, USUAL], DISTANCE);
  const rows: Row[] = [];
  for (const [design, sync] of Object.entries(DESIGNS)) {
    const served = servedFor(servers, design);
    const { apiKey } = await makeBrand(served, size);
    // Without statistics, SQLite scans all of the brand's products to find one.
    if (design === USUAL.name) await served.database.run(sql`analyze`);
    for (const [task, list] of tasks) {
      const figures = await measureTask(servers.pid, served, rounds, {
        work: (port) => sync(port, apiKey, list()),
        async restore() {
          const path = `${PRODUCTS}?match=storeProductId`;
          for (const products of inBatches(removed)) {
            await ask(served.fillingPort, apiKey, post(path, { products }), z.unknown());
          }
        },
      });
      rows.push({ task, design, ...figures });
      log(`${design}: ${task}`);
    }
  }
  rows.sort((one, other) => order(tasks, one) - order(tasks, other));
  const title = `${size.toLocaleString('en')} products`;
  return { tables: [{ title, rows }], pictures: pictures(rows, title), wrong: broken(rows, few) };
}

/** The position of a row's task: both designs of a task stand side by side. */
function order(tasks: ReadonlyMap<string, unknown>, { task }: Row): number {
  return [...tasks.keys()].indexOf(String(task));
}

/** Returns the promises that the service does not keep. */
function broken(rows: readonly Row[], few: number): string[] {
  const figure = (task: string, column: string): number =>
    Number(rows.find((row) => row['task'] === task && row['design'] === SERVICE.name)?.[column]);
  const wrong: string[] = [];
  const calls = figure(NO_CHANGE, 'D1 calls');
  if (!(calls <= 12)) wrong.push(`${NO_CHANGE}: ${calls} calls to D1, more than 12.`);
  const written = figure(NO_CHANGE, 'rows written');
  if (written !== 0) wrong.push(`${NO_CHANGE}: ${written} rows written.`);
  const more = figure(`${few} changed`, 'requests') - figure(NO_CHANGE, 'requests');
  if (!(more <= 2)) wrong.push(`${few} changed: ${more} requests more, above 2.`);
  return wrong;
}

function pictures(rows: readonly Row[], products: string): Picture[] {
  const bars = (column: string): Picture['bars'] =>
    rows.map((row) => [`${row['task'] ?? ''}: ${row['design'] ?? ''}`, Number(row[column])]);
  return [
    { title: `A night, ${products}: calls to D1`, axis: 'calls', bars: bars('D1 calls') },
    { title: `A night, ${products}: time at ${DISTANCE} ms`, axis: 'seconds', bars: bars(SECONDS) },
  ];
}

/** The number of concurrent requests of a client of the usual design. */
const AT_ONCE = 4;

/** Sends a request for each item, four at a time. */
async function forEachItem<T>(
  items: readonly T[],
  send: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const sender = async (): Promise<void> => {
    for (const item of left) await send(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

/** Returns the fields of an item that differ from those in the service; undefined if none does. */
function differences(
  item: object,
  found: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const different = Object.entries(item).filter(
    ([field, value]) => !isDeepStrictEqual(found[field], value),
  );
  return different.length > 0 ? Object.fromEntries(different) : undefined;
}
