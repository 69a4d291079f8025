import { sql } from 'drizzle-orm';
import { brands } from '../../../src/db/tables.ts';
import { collections } from '../../../src/resources/registry.ts';
import { DatabaseFailure, OperatorError } from '../../../common/operator-error.ts';
import type { Execute } from '../execute.ts';
import { andAtHome, homesIn } from '../home.ts';
import { inGroups } from '../pages.ts';
import { exportBrand } from './export.ts';
import { fingerprintOf, versionsOf } from './fingerprint.ts';
import type { ExportFolder } from './folder.ts';
import { FolderFailure } from './folder.ts';
import type { LargeFile } from './write-pieces.ts';

/** How many brands are listed per call. */
const AT_A_TIME = 1000;

/** How often a brand is tried that changes, or moves to another database, meanwhile. */
const TRIES = 3;

/** After so many failures of the database, with no success between them, no further brand is tried. */
const MOST_FAILURES = 5;

interface Folders {
  readonly folder: ExportFolder;
  /** Where the files are of brands that are left out if they have not changed since. */
  readonly since?: ExportFolder | undefined;
}

export interface FolderReport {
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
 * @throws OperatorError if a folder or the database cannot be used
 */
export async function exportAll(
  all: readonly Execute[],
  folders: Folders,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<FolderReport> {
  const done = new Map<string, 'exported' | 'unchanged'>();
  const failed = new Map<string, string>();
  let found = await findBrands(all);
  for (let tried = 0; tried < TRIES; tried++) {
    const left = [...found].filter(([brandId]) => !done.has(brandId));
    if (left.length === 0) break;
    failed.clear();
    await tryAll(left, async ([brandId, places]) => {
      onProgress(done.size, found.size);
      try {
        done.set(brandId, await exportInto(folders, brandId, places));
      } catch (error) {
        if (error instanceof OperatorError) failed.set(brandId, error.message);
        throw error;
      }
    });
    // Some were created, moved or deleted meanwhile.
    found = await findBrands(all);
  }
  onProgress(done.size, found.size);
  const outcomes = [...done.values()];
  const exported = outcomes.filter((outcome) => outcome === 'exported').length;
  const both = [folders.folder, ...(folders.since === undefined ? [] : [folders.since])];
  return {
    exported,
    unchanged: outcomes.length - exported,
    failed: [...failed]
      .filter(([brandId]) => found.has(brandId))
      .map(([brandId, error]) => ({ brandId, error })),
    tooLarge: await folders.folder.largeFiles(),
    deleted: (await Promise.all(both.map((one) => one.filesExcept(found)))).flat(),
  };
}

/** Where a brand is at home. */
interface Home {
  readonly execute: Execute;
  readonly fingerprint: string;
}

async function exportInto(
  { folder, since }: Folders,
  brandId: string,
  homes: readonly Home[],
): Promise<'exported' | 'unchanged'> {
  const [home, second] = homes;
  if (home === undefined || second !== undefined) throw homesIn(brandId, homes);
  const known = (await folder.fingerprintOf(brandId)) ?? (await since?.fingerprintOf(brandId));
  if (known === home.fingerprint) return 'unchanged';
  await folder.write(brandId, await exportBrand(home.execute, brandId));
  return 'exported';
}

/**
 * Does the same for all, some at a time, although some fail.
 * @throws what stands in the way of the others too
 */
async function tryAll<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  let failures = 0;
  const obstacles: { readonly error: unknown }[] = [];
  await inGroups(all, async (one) => {
    if (obstacles.length > 0) return;
    try {
      await act(one);
      failures = 0;
    } catch (error) {
      if (error instanceof DatabaseFailure) failures += 1;
      const isItsOwn = error instanceof OperatorError && !(error instanceof FolderFailure);
      if (!isItsOwn || failures === MOST_FAILURES) obstacles.push({ error });
    }
  });
  const [obstacle] = obstacles;
  if (obstacle !== undefined) throw obstacle.error;
}

/** Finds all brands and where they are at home: in one database, except after a restore. */
async function findBrands(all: readonly Execute[]): Promise<ReadonlyMap<string, readonly Home[]>> {
  const found = new Map<string, Home[]>();
  await inGroups(all, async (execute) => {
    for (let [after, isMore] = ['', true]; isMore;) {
      const [rows] = await execute(
        sql<{
          id: string;
          versions: string;
        }>`select ${brands.id}, ${versionsOf(collections)} as versions
          from ${brands} where ${brands.id} > ${after}${andAtHome(execute, sql`${brands.id}`)} order by ${brands.id} limit ${AT_A_TIME}`,
      );
      for (const { id, versions } of rows) {
        const home = { execute, fingerprint: fingerprintOf(versions) };
        found.set(id, [...(found.get(id) ?? []), home]);
      }
      [after, isMore] = [rows.at(-1)?.id ?? '', rows.length === AT_A_TIME];
    }
  });
  return found;
}
