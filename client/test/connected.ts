import type { ClientOptions } from '../src/index.ts';
import { BrandClient } from '../src/index.ts';
import type { Delivery } from './faulty-network.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { takeBrand } from '../../test/node/pool.ts';

/** A client, and what goes through its network. */
export interface Connected {
  readonly client: BrandClient;
  readonly network: FaultyNetwork;
}

/** Returns a function that connects a client to a new brand, and says what happens to its first requests. */
export async function newBrand(): Promise<(...deliveries: readonly Delivery[]) => Connected> {
  const brand = await takeBrand();
  return (...deliveries) => connectTo(brand, ...deliveries);
}

/** Connects a client to a service that is not there: each of its requests needs a response as its delivery. */
export function connectNowhere(
  options: Partial<ClientOptions>,
  ...deliveries: readonly Delivery[]
): Connected {
  return connectTo({ apiKey: 'k', baseUrl: 'https://api.example.com', ...options }, ...deliveries);
}

/** Connects a client through a network of its own. */
export function connectTo(options: ClientOptions, ...deliveries: readonly Delivery[]): Connected {
  const network = new FaultyNetwork(...deliveries);
  return { client: new BrandClient({ fetch: network.fetch, ...options }), network };
}
