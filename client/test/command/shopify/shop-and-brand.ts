import type { WhenFinished } from '../listening.ts';
import type { SyncedBrand } from '../synced-brand.ts';
import { syncedBrand } from '../synced-brand.ts';
import { StandIn } from './stand-in.ts';

/** A shop, and a brand to which the command brings it. */
export interface ShopAndBrand extends SyncedBrand {
  readonly shop: StandIn;
}

export async function shopAndBrand(whenFinished?: WhenFinished): Promise<ShopAndBrand> {
  const shop = await StandIn.start(whenFinished);
  return { shop, ...(await syncedBrand('shopify', shop)) };
}
