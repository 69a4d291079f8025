import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../../src/db/tables.ts';
import { describeBrand } from '../brand-details.ts';
import type { Execute } from '../execute.ts';
import { inGroups } from '../pages.ts';

/** A brand that is not at home in one database, or that is frozen. */
export interface Misplaced {
  readonly brandId: string;
  readonly brandName: string;
  readonly fault: 'twice' | 'nowhere' | 'frozen';
  /** The databases that have its row. */
  readonly databases: readonly {
    readonly number: number;
    readonly isHome: boolean;
    readonly movedTo: number | null;
    readonly frozenAt: string | null;
    readonly lastChange: string;
  }[];
}

interface Found {
  readonly execute: Execute;
  readonly brandId: string;
  readonly movedTo: number | null;
  readonly frozenAt: string | null;
}

/** Returns the brands that are at home in two databases, in none, or frozen. It reads the keys of all databases. */
export async function findMisplaced(databases: readonly Execute[]): Promise<Misplaced[]> {
  const byBrand = new Map<string, Found[]>();
  for (const found of (await inGroups(databases, readAll)).flat()) {
    const places = byBrand.get(found.brandId);
    if (places === undefined) byBrand.set(found.brandId, [found]);
    else places.push(found);
  }
  const misplaced: Misplaced[] = [];
  for (const [brandId, places] of byBrand) {
    const fault = faultOf(places);
    if (fault !== undefined) misplaced.push(await describe(brandId, fault, places));
  }
  return misplaced;
}

async function readAll(execute: Execute): Promise<Found[]> {
  const [rows = []] = await execute(
    sql`select ${brands.id}, max(moved_to) as moved_to, max(frozen_at) as frozen_at
      from ${brands} left join ${apiKeys} on ${apiKeys.brandId} = ${brands.id} group by ${brands.id}`,
  );
  return rows.map(({ id, moved_to: movedTo = null, frozen_at: frozenAt = null }) => ({
    execute,
    brandId: String(id),
    movedTo: movedTo === null ? null : Number(movedTo),
    frozenAt: frozenAt === null ? null : String(frozenAt),
  }));
}

function faultOf(places: readonly Found[]): Misplaced['fault'] | undefined {
  const homes = places.filter(({ movedTo }) => movedTo === null);
  // A move under way, or one that broke off: the same command ends it.
  if (homes.some(({ frozenAt }) => frozenAt !== null)) return 'frozen';
  if (homes.length === 1) return undefined;
  return homes.length === 0 ? 'nowhere' : 'twice';
}

async function describe(
  brandId: string,
  fault: Misplaced['fault'],
  places: readonly Found[],
): Promise<Misplaced> {
  const details = await inGroups(places, ({ execute }) => describeBrand(execute, brandId));
  return {
    brandId,
    brandName: details[0]?.brandName ?? '',
    fault,
    databases: places.map(({ execute: { database: number }, movedTo, frozenAt }, index) => ({
      ...{ number, isHome: movedTo === null, movedTo, frozenAt },
      lastChange: details[index]?.lastChange ?? '',
    })),
  };
}
