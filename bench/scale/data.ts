import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrandData } from '../data.ts';
import { makeBrand } from '../data.ts';
import type { Servers } from '../servers.ts';
import { serve } from '../servers.ts';

/** Products of each brand that have values which no other has. */
export const RARE = 5;

/** Products of the brand that stands behind the others. */
const NEIGHBOUR = 100;

/** Of a product that is made while measuring, and goes again. */
export const NEW_TITLE = 'New product';

/** How large a database is. */
export interface Size {
  readonly name: string;
  readonly brands: number;
  /** Of each brand; each has as many coupon codes too. */
  readonly products: number;
}

export const SIZES: readonly Size[] = [
  { name: '1,000', brands: 1, products: 1000 },
  { name: '10,000', brands: 1, products: 10_000 },
  { name: '100,000', brands: 1, products: 100_000 },
  { name: '1,000 × 100', brands: 1000, products: 100 },
];

/** A database on disk. */
export interface Database {
  readonly size: Size;
  readonly folder: string;
  readonly brands: readonly BrandData[];
  /** The time at which the rare products were changed, after all others. */
  readonly rareSince: string;
  remove(): Promise<void>;
}

/** Serves the service alone, on the database in this folder. */
export function serveScale(folder: string): Promise<Servers> {
  const contestant = { name: 'service', module: 'bench/workers/service.ts' };
  return serve([contestant], { distance: 0, folder });
}

/** Makes a database of this size in a folder of its own. */
export async function makeDatabase(size: Size): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'));
  const servers = await serveScale(folder);
  try {
    const brands: BrandData[] = [];
    for (let count = 0; count < size.brands; count++) {
      brands.push(await makeBrand(servers, 'service', size.products));
    }
    // Nobody asks this one: it is there so that behind every brand there are the rows of another.
    await makeBrand(servers, 'service', NEIGHBOUR);
    // Later than all that was made, in whatever millisecond.
    const rareSince = new Date(Date.now() + 1).toISOString();
    for (const { brandId, ids } of brands) {
      await servers.execute('service', [
        [
          `update products set sync_status = 'PENDING', service_listing_status = 'REJECTED', store_status = 'DRAFT',
             updated_at = ?1 where brand_id = ?2 and id >= ?3`,
          ...[rareSince, brandId, ids.at(-RARE)],
        ],
        [
          `insert into coupon_codes (brand_id, id, revision, created_at, updated_at, code, active, category, current_uses,
             description, discount_percent, sync_status)
           select brand_id, id, revision, created_at, updated_at, sku, 1, 'OTHER', 0, '', 10, 'NOT_LINKED'
           from products where brand_id = ?`,
          brandId,
        ],
      ]);
    }
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
    return { size, folder, brands, rareSince, remove };
  } finally {
    await servers.stop();
  }
}

/** Takes out again what was created while measuring, so that the next round meets the same rows. */
export function removeNew(servers: Servers): Promise<void> {
  return servers.execute('service', [['delete from products where title = ?', NEW_TITLE]]);
}
