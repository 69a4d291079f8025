import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../../src/operator.ts';
import { describeBrand } from '../brand/details.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { onDatabases } from '../database/on-databases.ts';
import type { Place } from '../home/places.ts';
import { homesOf } from '../home/places.ts';

/** A brand that is not at home in one database, or that is frozen. */
interface MisplacedBrand {
  readonly brandId: string;
  readonly brandName: string;
  readonly fault: 'twice' | 'nowhere' | 'frozen';
  readonly databases: readonly {
    readonly number: number;
    /** Where its keys point; null where it is at home. */
    readonly movedTo: number | null;
    readonly frozenAt: string | null;
    readonly lastChange: string;
  }[];
}

/** Returns the brands that are at home in two databases, in none, or frozen. It reads the keys of all databases. */
export async function findMisplaced(databases: readonly OpenDatabase[]): Promise<MisplacedBrand[]> {
  const all = await onDatabases(databases, async (database) => {
    const [rows] = await database.run(
      sql<Omit<KeyPlace, 'database'> & { readonly brandId: string }>`
        select ${brands.id} as brandId, max(moved_to) as movedTo, max(frozen_at) as frozenAt
        from ${brands} left join ${apiKeys} on ${apiKeys.brandId} = ${brands.id} group by ${brands.id}`,
    );
    return rows.map((row) => ({ database, ...row }));
  });
  const misplaced: MisplacedBrand[] = [];
  for (const [brandId, places] of Map.groupBy(all.flat(), (place) => place.brandId)) {
    const fault = faultOf(places);
    if (fault === undefined) continue;
    const details = await onDatabases(places, ({ database }) => describeBrand(database, brandId));
    misplaced.push({
      brandId,
      brandName: details[0]?.brandName ?? '',
      fault,
      databases: places.map(({ database, movedTo, frozenAt }, index) => ({
        number: database.number,
        movedTo,
        frozenAt,
        lastChange: details[index]?.lastChange ?? '',
      })),
    });
  }
  return misplaced;
}

type KeyPlace = Omit<Place, 'leavesTo'>;

function faultOf(places: readonly KeyPlace[]): MisplacedBrand['fault'] | undefined {
  const homes = homesOf(places);
  // A move under way, or one that broke off: the same command ends it.
  if (homes.some(({ frozenAt }) => frozenAt !== null)) return 'frozen';
  if (homes.length === 1) return undefined;
  return homes.length === 0 ? 'nowhere' : 'twice';
}
