import { setTimeout } from 'node:timers/promises';
import { Client } from '../client.ts';
import { config } from '../config.ts';
import { makeBrand, makeKey } from '../data.ts';
import type { LoadFigures } from '../figures.ts';
import { collectAll, liveHeap } from '../heap.ts';
import { Connection } from './connection.ts';
import type { Rest } from './judge.ts';
import { judge, memoryFigures } from './judge.ts';
import { OPERATIONS } from './operations.ts';
import { completeList } from './reads.ts';
import { Tally } from './tally.ts';
import { memory } from '../process.ts';
import { Random } from '../random.ts';
import type { RateLimits, Servers } from '../servers.ts';
import { serve } from '../servers.ts';

// Mixed reads and writes of many connections, with the limits that wrangler.toml sets. Half of the connections share one
// key, more than it bears, so that 429 comes; the others have keys enough.

const BRANDS = 8;
/** Of each brand but the first, which has one. */
const KEYS = 2;
/** Products of each brand that nobody touches, beside those of the connections. */
const PRODUCTS = 200;

/**
 * Loads the service.
 * @param log is told how far it is
 * @returns the figures, and what was wrong
 */
export async function load(
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
  log: (text: string) => void,
): Promise<{ figures: LoadFigures; wrong: string[] }> {
  const contestant = { name: 'service', module: 'src/index.ts', limits: realLimits() };
  const servers = await serve([contestant], { distance: 0, inspector: true });
  const client = new Client(servers.served[0]?.port ?? 0, connections);
  try {
    const tally = new Tally();
    const keys = await makeKeys(servers);
    const all = Array.from({ length: connections }, (_, index) => {
      const key = index % 2 === 0 ? keys[0] : keys[1 + (((index - 1) / 2) % (keys.length - 1))];
      return new Connection(String(index), new Random(index), client, key ?? '', tally);
    });
    const samples: number[] = [];
    const work = async (until: number): Promise<void> => {
      const end = performance.now() + (until - samples.length) * 1000;
      const running = all.map(async (connection) => {
        while (performance.now() < end) {
          await connection.random.weighted(OPERATIONS)?.run(connection);
        }
      });
      while (performance.now() < end) {
        await setTimeout(1000);
        samples.push((await memory(servers.pid)).now);
        if (samples.length % 10 === 0) log(`${samples.length} of ${seconds} seconds`);
      }
      await Promise.all(running);
    };
    // What the first half leaves behind for good is there once; what the second half adds would be added for ever.
    const inspector = await servers.inspector('service');
    const rest = async (): Promise<Rest> => {
      client.close();
      await collectAll(inspector);
      const resident = (await memory(servers.pid)).now;
      return { requests: tally.requests, resident, heap: await liveHeap(inspector) };
    };
    await work(seconds / 2);
    const before = await rest();
    await work(seconds);
    const after = await rest();
    const [requests, operations] = [tally.requests, tally.operations()];
    // Nobody writes any more, and the limits count anew: each finds what it left.
    await setTimeout(11_000);
    for (const connection of all) await completeList(connection);
    const figures = {
      ...{ connections, seconds, requests, requestsPerSecond: requests / seconds },
      ...{ errors: tally.errors, operations, ...memoryFigures(samples, before, after) },
    };
    return { figures, wrong: [...tally.errorTexts, ...judge(figures)] };
  } finally {
    client.close();
    await servers.stop();
  }
}

/** The limits of wrangler.toml, by their bindings. */
function realLimits(): RateLimits {
  return Object.fromEntries(config.ratelimits.map(({ name, ...limit }) => [name, limit]));
}

/** Makes the brands; the first key is the only one of its brand. */
async function makeKeys(servers: Servers): Promise<string[]> {
  const keys: string[] = [];
  for (let brand = 0; brand < BRANDS; brand++) {
    const { brandId, apiKey } = await makeBrand(servers, 'service', PRODUCTS);
    keys.push(apiKey);
    for (let key = 1; brand > 0 && key < KEYS; key++) {
      keys.push(await makeKey(servers, 'service', brandId));
    }
  }
  return keys;
}
