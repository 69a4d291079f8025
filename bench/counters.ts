import type { Call, Client } from './client.ts';
import { countersSchema } from './figures.ts';
import type { Counters } from './workers/instrument.ts';
import { COUNTERS } from './workers/instrument.ts';

/**
 * What one request asks of D1.
 * @param client of an instrumented Worker that nobody else asks
 */
export async function countedCost(client: Client, call: Call): Promise<Counters> {
  const counters: Call = { method: 'GET', path: COUNTERS, apiKey: '' };
  await client.send(counters);
  const { status } = await client.count(call);
  if (status >= 300) throw new Error(`${call.method} ${call.path}: ${status}`);
  const { text } = await client.send(counters);
  return countersSchema.parse(JSON.parse(text));
}
