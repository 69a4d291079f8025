import { expect } from 'vitest';
import type { SyncedBrand } from './synced-brand.ts';
import { syncedBrand } from './synced-brand.ts';
import type { StandIn, StandInOptions } from './woocommerce-stand-in.ts';
import { woocommerce } from './woocommerce-stand-in.ts';

/** A store, and a brand to which the command brings it. */
interface ConnectedStore extends SyncedBrand {
  readonly store: StandIn;
}

export async function connectedStore(options: StandInOptions = {}): Promise<ConnectedStore> {
  const store = await woocommerce(options);
  return { store, ...(await syncedBrand('woocommerce', store)) };
}

/** Expects a text in which another one is. */
export function containing(text: string): unknown {
  return expect.stringContaining(text);
}
