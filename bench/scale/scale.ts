import { median } from 'simple-statistics';
import type { Call, Counted } from '../client.ts';
import { Client } from '../client.ts';
import { countedCost } from '../counters.ts';
import type { ScaleFigures } from '../figures.ts';
import { cpuMicroseconds, memory, resetPeak } from '../process.ts';
import type { Database } from './data.ts';
import { makeDatabase, removeNew, serveScale, SIZES } from './data.ts';
import type { Operation } from './operations.ts';
import { OPERATIONS } from './operations.ts';

// The same operations on databases of four sizes. What is promised flat must cost the same in all of them.

type Cost = ScaleFigures['costs'][number];
type List = ScaleFigures['lists'][number];

/**
 * Measures all operations on all databases.
 * @param rounds in each of which each database has its turn, in a workerd of its own
 * @param log is told how far it is
 */
export async function scale(rounds: number, log: (text: string) => void): Promise<ScaleFigures> {
  const databases: Database[] = [];
  try {
    for (const size of SIZES) {
      databases.push(await makeDatabase(size));
      log(`made ${size.name} products`);
    }
    const [costs, lists]: [Cost[], List[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      for (const database of databases) {
        const measured = await measure(database);
        costs.push(...measured.costs);
        lists.push(measured.list);
      }
      log(`round ${round} of ${rounds}`);
    }
    return { rounds, costs: medianCosts(costs), lists: medianLists(lists) };
  } finally {
    for (const database of databases) await database.remove();
  }
}

/**
 * Holds the rows read and written against what is promised.
 * @returns the promises that are broken, in words
 */
export function brokenPromises({ costs }: ScaleFigures): string[] {
  return OPERATIONS.filter(({ promise }) => promise === 'flat').flatMap(({ name }) => {
    const all = costs.filter(({ operation }) => operation === name);
    const rows = all.map(({ d1 }) => `${d1.rowsRead}/${d1.rowsWritten}`);
    return new Set(rows).size === 1
      ? []
      : [`${name} is promised flat, but reads/writes ${rows.join(', ')} rows.`];
  });
}

async function measure(database: Database): Promise<{ costs: Cost[]; list: List }> {
  const { size, brands, folder } = database;
  const servers = await serveScale(folder);
  // One connection each: what a request takes while nobody else asks.
  const client = new Client(servers.served[0]?.port ?? 0, 1);
  const counting = new Client(servers.served[0]?.instrumentedPort ?? 0, 1);

  const callOf = (operation: Operation, number: number): Call => {
    // Another brand with each request, where there are several.
    const brand = brands[(number * 37) % brands.length];
    if (brand === undefined) throw new Error('There is no brand.');
    return operation.call({ database, brand }, number);
  };
  const ask = async (operation: Operation, requests: number): Promise<Asked> => {
    const before = await cpuMicroseconds(servers.pid);
    const answers: Counted[] = [];
    for (let number = 0; number < requests; number++) {
      const call = callOf(operation, number);
      const answer = await client.count(call);
      if (answer.status >= 300) throw new Error(`${call.method} ${call.path}: ${answer.status}`);
      answers.push(answer);
    }
    const cpu = ((await cpuMicroseconds(servers.pid)) - before) / requests;
    return {
      firstByte: median(answers.map(({ firstByte }) => firstByte)),
      lastByte: median(answers.map(({ lastByte }) => lastByte)),
      bytes: median(answers.map(({ bytes }) => bytes)),
      cpu,
    };
  };

  const common = { size: size.name, productsOfBrand: size.products };
  const costs: Cost[] = [];
  let list: List | undefined;
  try {
    for (const operation of OPERATIONS) {
      // Warms up; but of the lists the first one tells what memory it takes.
      if (operation.promise !== 'list') await ask(operation, Math.ceil(operation.requests / 2));
    }
    await removeNew(servers);
    for (const operation of OPERATIONS) {
      const { name, promise, requests } = operation;
      if (promise === 'list') {
        const { now } = await memory(servers.pid);
        await resetPeak(servers.pid);
        await ask(operation, 1);
        const added = (await memory(servers.pid)).peak - now;
        const { firstByte, lastByte, bytes } = await ask(operation, 1);
        const memories = { memoryBefore: now, memoryAdded: added };
        list = { ...common, bytes, firstByte, lastByte, ...memories };
      }
      const { cpu, lastByte } = await ask(operation, requests);
      const d1 = await countedCost(counting, callOf(operation, 0));
      const products = size.products * size.brands;
      costs.push({ operation: name, promise, ...common, products, d1, cpu, p50: lastByte });
    }
    await removeNew(servers);
  } finally {
    client.close();
    counting.close();
    await servers.stop();
  }
  if (list === undefined) throw new Error('No list was measured.');
  return { costs, list };
}

/** What requests took: medians in milliseconds, and the CPU time of each in microseconds. */
interface Asked {
  readonly firstByte: number;
  readonly lastByte: number;
  readonly cpu: number;
  /** Of the body. */
  readonly bytes: number;
}

function medianCosts(costs: readonly Cost[]): Cost[] {
  const groups = Map.groupBy(costs, ({ operation, size }) => `${operation} ${size}`);
  return Array.from(groups.values(), (group) => ({
    ...firstOf(group),
    cpu: median(group.map(({ cpu }) => cpu)),
    p50: median(group.map(({ p50 }) => p50)),
  }));
}

function medianLists(lists: readonly List[]): List[] {
  const groups = Map.groupBy(lists, ({ size }) => size);
  return Array.from(groups.values(), (group) => ({
    ...firstOf(group),
    firstByte: median(group.map(({ firstByte }) => firstByte)),
    lastByte: median(group.map(({ lastByte }) => lastByte)),
    memoryBefore: median(group.map(({ memoryBefore }) => memoryBefore)),
    memoryAdded: median(group.map(({ memoryAdded }) => memoryAdded)),
  }));
}

function firstOf<T>(items: readonly T[]): T {
  const [first] = items;
  if (first === undefined) throw new Error('Nothing was measured.');
  return first;
}
