import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { brands, collections } from '../../../src/operator.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { andAtHome, homesIn } from '../home/home.ts';
import { onDatabases } from '../database/on-databases.ts';
import { Attempts } from './attempts.ts';
import { exportBrands } from './export.ts';
import { fingerprintOf, versionsOf } from './fingerprint.ts';
import type { ExportFolder } from './folder.ts';
import { exportParts } from './parts.ts';
import type { LargeFile } from './texts.ts';

/** How many brands are listed per call, and how many are read: most are small, and a call of wrangler takes a second. */
const LISTED_AT_A_TIME = 1000;
const READ_AT_A_TIME = 20;

/** How often a brand is tried that changes, or moves to another database, meanwhile. */
const TRIES = 3;

interface Order {
  readonly folder: ExportFolder;
  /** Where the files are of brands that are left out if they have not changed since. */
  readonly since?: ExportFolder | undefined;
  /** Whether the keys work again where a brand is imported. */
  readonly withKeyHashes?: boolean;
}

interface FolderReport {
  /** How many files were written. */
  readonly exported: number;
  /** How many brands have not changed. */
  readonly unchanged: number;
  readonly failed: readonly { readonly brandId: string; readonly error: string }[];
  /** The files that `brand import` cannot read. */
  readonly tooLarge: readonly LargeFile[];
  /** The files of brands that the service no longer has. They stay. */
  readonly deleted: readonly string[];
}

/**
 * Exports all brands, each into a file of its own. A brand whose file has its present state is left as it is. So the same
 * call goes on where another one was killed.
 * @param onProgress called with the number of brands that are done, and of all
 * @throws Failure if a folder or the database cannot be used
 */
export async function exportAll(
  all: readonly OpenDatabase[],
  { folder, since, withKeyHashes = false }: Order,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<FolderReport> {
  const [unchanged, exported] = [new Set<string>(), new Set<string>()];
  const versions = versionsOf(exportParts(collections, withKeyHashes), collections);
  let found = await findBrands(all, versions);
  let attempts = new Attempts();
  for (let tried = 0; tried < TRIES; tried++) {
    const left = [...found].filter(([id]) => !unchanged.has(id) && !exported.has(id));
    if (left.length === 0) break;
    attempts = new Attempts();
    const changed = new Map<OpenDatabase, string[]>();
    await onDatabases(left, ([brandId, homes]) =>
      attempts.of([brandId], async () => {
        const [home, second] = homes;
        if (home === undefined || second !== undefined) throw homesIn(brandId, homes);
        const known =
          (await folder.fingerprintOf(brandId)) ?? (await since?.fingerprintOf(brandId));
        if (known === home.fingerprint) unchanged.add(brandId);
        else changed.set(home.database, [...(changed.get(home.database) ?? []), brandId]);
      }),
    );
    // What keeps one brand from being read must not keep others from it again.
    const atATime = tried === 0 ? READ_AT_A_TIME : 1;
    await onDatabases(partsOf(changed, atATime), ([database, brandIds]) =>
      attempts.of(brandIds, async () => {
        for (const { brandId, open } of await exportBrands(database, brandIds, {
          withKeyHashes,
        })) {
          await attempts.of([brandId], async () => {
            onProgress(unchanged.size + exported.size, found.size);
            await folder.write(brandId, open());
            exported.add(brandId);
          });
        }
      }),
    );
    attempts.end();
    // Some were created, moved or deleted meanwhile.
    found = await findBrands(all, versions);
  }
  onProgress(unchanged.size + exported.size, found.size);
  const both = [folder, ...(since === undefined ? [] : [since])];
  return {
    exported: exported.size,
    unchanged: unchanged.size,
    failed: [...attempts.failed]
      .filter(([brandId]) => found.has(brandId))
      .map(([brandId, error]) => ({ brandId, error })),
    tooLarge: await folder.largeFiles(),
    deleted: (await Promise.all(both.map((one) => one.filesExcept(found)))).flat(),
  };
}

/** Where a brand is at home. */
interface Home {
  readonly database: OpenDatabase;
  readonly fingerprint: string;
}

/** Finds all brands and where they are at home: in one database, except after a restore. */
async function findBrands(
  all: readonly OpenDatabase[],
  versions: SQL<string>,
): Promise<ReadonlyMap<string, readonly Home[]>> {
  const found = new Map<string, Home[]>();
  await onDatabases(all, async (database) => {
    for (let [after, isMore] = ['', true]; isMore;) {
      const [rows] = await database.run(
        sql<{
          id: string;
          versions: string;
        }>`select ${brands.id}, ${versions} as versions
          from ${brands} where ${brands.id} > ${after}${andAtHome(database, sql`${brands.id}`)} order by ${brands.id} limit ${LISTED_AT_A_TIME}`,
      );
      for (const { id, versions } of rows) {
        const home = { database, fingerprint: fingerprintOf(versions) };
        found.set(id, [...(found.get(id) ?? []), home]);
      }
      [after, isMore] = [rows.at(-1)?.id ?? '', rows.length === LISTED_AT_A_TIME];
    }
  });
  return found;
}

/** Divides the brands of each database into parts. */
function partsOf(
  brandsOf: ReadonlyMap<OpenDatabase, readonly string[]>,
  atATime: number,
): (readonly [database: OpenDatabase, brandIds: readonly string[]])[] {
  return [...brandsOf].flatMap(([database, brandIds]) =>
    Array.from(
      { length: Math.ceil(brandIds.length / atATime) },
      (_, n) => [database, brandIds.slice(n * atATime, (n + 1) * atATime)] as const,
    ),
  );
}
