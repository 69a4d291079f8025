import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sum } from 'simple-statistics';
import { Client } from '../client.ts';
import { makeBrand } from '../data.ts';
import type { Verified } from './verify.ts';
import { verify } from './verify.ts';
import { Writer } from './writer.ts';
import type { DurabilityFigures } from '../figures.ts';
import { Random } from '../random.ts';
import { startServer } from '../server-child.ts';
import { serve } from '../servers.ts';

// Kills the whole server in the middle of writes, starts it again, and looks whether it kept what it promised.

const CONNECTIONS = 12;
/** How long it writes before it is killed, in milliseconds. */
const [SHORTEST, LONGEST] = [100, 2500];

/**
 * Kills the server again and again, on one database.
 * @param seed of the writes and of the moments of the kills
 * @param log is told how far it is
 * @returns the figures, and what was wrong
 */
export async function durability(
  { kills, seed }: { readonly kills: number; readonly seed: number },
  log: (text: string) => void,
): Promise<{ figures: DurabilityFigures; wrong: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-durability-'));
  try {
    const apiKey = await makeKey(folder);
    const acknowledged = new Map<string, number>();
    const writers = Array.from(
      { length: CONNECTIONS },
      (_, index) => new Writer(String(index), new Random(seed + index), apiKey, acknowledged),
    );
    const random = new Random(seed - 1);
    const results: Verified[] = [];
    for (let kill = 0; kill <= kills; kill++) {
      const server = await startServer(folder);
      const client = new Client(server.port, CONNECTIONS);
      try {
        const verified = await verify(
          client,
          apiKey,
          writers.map(({ ledger }) => ledger),
        );
        results.push(verified);
        log(`after ${kill} of ${kills} kills: ${summary(verified)}`);
        if (kill === kills) break;
        const writing = Promise.all(writers.map((writer) => writer.run(client)));
        await Promise.race([writing, setTimeout(random.integer(SHORTEST, LONGEST))]);
        await server.kill();
        await writing;
      } finally {
        client.close();
        await server.kill();
      }
    }
    const total = (what: 'compared' | 'inFlight' | 'inFlightDone'): number =>
      sum(results.map((verified) => verified[what]));
    // What is lost is missed again after each restart.
    const wrong = [...new Set(results.flatMap(({ violations }) => violations))];
    const figures = {
      ...{ seed, kills, connections: CONNECTIONS, acknowledged: Object.fromEntries(acknowledged) },
      ...{ inFlight: total('inFlight'), inFlightDone: total('inFlightDone') },
      ...{ rowsCompared: total('compared'), violations: wrong.length },
    };
    return { figures, wrong };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes the database with one brand. */
async function makeKey(folder: string): Promise<string> {
  const contestant = { name: 'service', module: 'bench/workers/service.ts' };
  const servers = await serve([contestant], { distance: 0, folder });
  try {
    return (await makeBrand(servers, 'service', 0)).apiKey;
  } finally {
    await servers.stop();
  }
}

function summary({ compared, inFlight, inFlightDone, violations }: Verified): string {
  return `${compared} rows, ${inFlight} writes under way of which ${inFlightDone} took effect, ${violations.length} violations`;
}
