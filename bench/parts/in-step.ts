import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { SERVICE, USUAL } from '../bundle.ts';
import type { StoreProduct } from '../data.ts';
import { inBatches, makeBrand, product, storeProductId } from '../data.ts';
import { ask, get, patch, post, PRODUCTS, remove } from '../http.ts';
import { DISTANCE, measureTask } from '../measure-task.ts';
import type { Outcome, Row, Table } from '../report.ts';
import { log } from '../report.ts';
import type { Served } from '../servers.ts';
import { serve, servedFor } from '../servers.ts';
import { differences, forEachItem } from '../usual-client.ts';

// The daily work of an integration: read changes from the service, and write the store's changes to it. The service has
// operations for both. With the usual design, a client filters by time of change, and looks up and patches products one
// by one.

/** The number of the first product that exists only in imports. */
const IMPORTED = 1_000_000;

/** Where a client sends its requests. */
type Client = readonly [port: number, apiKey: string];

/** A client's copy: the ids of products with the times of their last change, and the position for the next read. */
interface Mirror {
  readonly products: Map<string, string>;
  /** A token or a time. */
  place?: string;
}

/** A way to synchronize. */
interface Design {
  readonly name: string;
  readonly worker: string;
  /** Updates a mirror. */
  poll(client: Client, mirror: Mirror): Promise<void>;
  /** Creates products with new store ids and updates the others; absent if another design measures it. */
  push?(client: Client, items: readonly StoreProduct[]): Promise<void>;
}

const shown = z.looseObject({ id: z.string(), updatedAt: z.string() });
const one = z.object({ product: shown });
const listed = z.object({ products: z.array(shown) });
const changes = listed.extend({ deletedProductIds: z.array(z.string()), since: z.string() });

const DESIGNS: readonly Design[] = [
  {
    name: 'service',
    worker: SERVICE.name,
    async poll(client, mirror) {
      for (let hasMore = true; hasMore;) {
        const path = `${PRODUCTS}?since=${encodeURIComponent(mirror.place ?? '0')}`;
        const { body, headers } = await ask(...client, get(path), changes);
        for (const { id, updatedAt } of body.products) mirror.products.set(id, updatedAt);
        for (const id of body.deletedProductIds) mirror.products.delete(id);
        mirror.place = body.since;
        hasMore = headers.has('link');
      }
    },
    async push(client, items) {
      const path = `${PRODUCTS}?match=storeProductId`;
      for (const products of inBatches(items)) {
        await ask(...client, post(path, { products }, { Prefer: 'return=minimal' }), z.unknown());
      }
    },
  },
  {
    name: 'usual, updatedSince',
    worker: USUAL.name,
    async poll(client, mirror) {
      const path = mirror.place ? `${PRODUCTS}?updatedSince=${mirror.place}` : PRODUCTS;
      mirror.place = new Date().toISOString();
      await addAll(client, path, mirror);
    },
    async push(client, items) {
      await forEachItem(items, (item) => pushOne(client, item));
    },
  },
  {
    // How the usual design learns about deletions.
    name: 'usual, complete list',
    worker: USUAL.name,
    async poll(client, mirror) {
      mirror.products.clear();
      await addAll(client, PRODUCTS, mirror);
    },
  },
];

async function addAll(client: Client, path: string, { products }: Mirror): Promise<void> {
  const { body } = await ask(...client, get(path), listed);
  for (const { id, updatedAt } of body.products) products.set(id, updatedAt);
}

async function pushOne(client: Client, item: StoreProduct): Promise<void> {
  const path = `${PRODUCTS}?storeProductId=${encodeURIComponent(item.storeProductId)}`;
  const [found] = (await ask(...client, get(path), listed)).body.products;
  if (found === undefined) {
    await ask(...client, post(PRODUCTS, item), one);
    return;
  }
  const changed = differences(item, found);
  if (changed) await ask(...client, patch(`${PRODUCTS}/${found.id}`, changed), one);
}

/** A brand that a design synchronizes with. */
interface Brand {
  readonly design: Design;
  readonly served: Served;
  readonly apiKey: string;
  /** The ids of its products, oldest first. */
  readonly ids: string[];
  readonly mirror: Mirror;
  /** Grows with each change. */
  generation: number;
}

/** The measured tasks by name, and their preparation. */
const TASKS: Readonly<Record<string, Task>> = {
  'poll, nothing changed': [poll],
  'poll, 10 changed': [poll, changeTen],
  'push, 5 % changed': [push, (brand) => brand.generation++],
  'push, nothing changed': [push],
  'import, half new': [(brand, client) => push(brand, client, true)],
};
type Work = (brand: Brand, client: Client) => Promise<void>;
type Task = readonly [work: Work, prepare?: (brand: Brand) => unknown];

function poll({ design, mirror }: Brand, client: Client): Promise<void> {
  return design.poll(client, mirror);
}

/** Pushes the store's products. Each generation changes the price of every twentieth product. */
async function push(brand: Brand, client: Client, isImport = false): Promise<void> {
  const length = Math.min(500, brand.ids.length / 2);
  const known = Array.from({ length }, (_, index) => ({
    ...product(index),
    ...(index % 20 === 0 && { priceCents: 20_000 + brand.generation }),
  }));
  const fresh = known.map((_, index) => product(IMPORTED + index));
  await brand.design.push?.(client, isImport ? [...known, ...fresh] : known);
}

/** Deletes 2 products, patches 6 and creates 2, like another client. */
async function changeTen(brand: Brand): Promise<void> {
  const client = [brand.served.fillingPort, brand.apiKey] as const;
  const removed = brand.ids.splice(-2).map((id) => remove(`${PRODUCTS}/${id}`));
  for (const call of removed) await ask(...client, call, z.unknown());
  for (const id of brand.ids.slice(-6)) {
    const body = { serviceInventoryQuantity: ++brand.generation };
    await ask(...client, patch(`${PRODUCTS}/${id}`, body), one);
  }
  for (const number of [1, 2]) {
    const call = post(PRODUCTS, product(brand.ids.length + number));
    brand.ids.push((await ask(...client, call, one)).body.product.id);
  }
}

/** Measures every task of every design, in brands of different sizes. */
export async function inStep(quick: boolean): Promise<Outcome> {
  // Not more: with three brands of 100,000 in one workerd, a request failed.
  const [rounds, sizes] = quick ? [1, [60, 120]] : [5, [1000, 10_000]];
  await using servers = await serve([SERVICE, USUAL], DISTANCE);
  const [tables, wrong]: [Table[], string[]] = [[], []];
  for (const size of sizes) {
    const brands: Brand[] = [];
    for (const design of DESIGNS) {
      const served = servedFor(servers, design.worker);
      const { apiKey, ids } = await makeBrand(served, size);
      // Without statistics, SQLite scans all of the brand's products to find one.
      if (served.name !== SERVICE.name) await served.execute(sql`analyze`);
      const mirror: Mirror = { products: new Map() };
      await design.poll([served.port, apiKey], mirror);
      brands.push({ design, served, apiKey, ids: [...ids], mirror, generation: 0 });
    }
    const rows: Row[] = [];
    for (const [name, task] of Object.entries(TASKS)) {
      const isPoll = task[0] === poll;
      for (const brand of brands) {
        if (!isPoll && brand.design.push === undefined) continue;
        const figures = await measure(servers.pid, brand, task, rounds);
        const missed = isPoll ? await countMissed(brand) : '';
        rows.push({ task: name, design: brand.design.name, ...figures, missed });
        if (missed && brand.design === DESIGNS[0]) wrong.push(`${name}: missed ${missed}.`);
      }
      log(`${size} products: ${name}`);
    }
    tables.push({ title: `${size.toLocaleString('en')} products`, rows });
  }
  return { tables, wrong };
}

function measure(pid: number, brand: Brand, task: Task, rounds: number): Promise<Row> {
  const [work, prepare] = task;
  return measureTask(pid, brand.served, rounds, {
    prepare: () => prepare?.(brand),
    work: (port) => work(brand, [port, brand.apiKey]),
    async restore() {
      // For the next import.
      const first = storeProductId(IMPORTED);
      await brand.served.execute(sql`delete from products where store_product_id >= ${first}`);
    },
  });
}

/** Returns the number of products that differ between mirror and service. */
async function countMissed({ served, apiKey, mirror }: Brand): Promise<number> {
  const { body } = await ask(served.fillingPort, apiKey, get(PRODUCTS), listed);
  const actual = new Map(body.products.map(({ id, updatedAt }) => [id, updatedAt]));
  const ids = new Set([...actual.keys(), ...mirror.products.keys()]);
  return [...ids].filter((id) => actual.get(id) !== mirror.products.get(id)).length;
}
