import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { collections } from '../../../src/operator.ts';
import { reasonOf } from '../../../common/terminal/reason.ts';
import { Failure } from '../../../common/failure.ts';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import { newAct, noteAct, notedAct } from '../audit.ts';
import { deleteRest } from '../brand/brands.ts';
import type { OpenDatabase, Row } from '../database/open-database.ts';
import { hashOfImported } from '../key/keys.ts';
import { readPlaces } from '../home/places.ts';
import { readBrandFile } from './file.ts';
import { keysIn, leadKeys, refuseTaken, refuseUnknown, revive } from './imported-keys.ts';
import type { ExportedRow } from './parts.ts';
import { exportParts, KEYS } from './parts.ts';
import { selectState } from './read.ts';
import { insertCalls, insertRow } from './write.ts';

interface ImportedBrand {
  readonly brandId: string;
  readonly brandName: string;
  /** The numbers of imported rows, by the name of the list. */
  readonly counts: Readonly<Record<string, number>>;
  /** When the file was made whose keys work again; null if it has no hashes, and they do not. */
  readonly exportedAt: string | null;
  /** How many keys do not work, because the file has no hash of them. */
  readonly keysWithoutHash: number;
}

/**
 * Creates a brand again from a file that `brand export` wrote: under its ids, with everything. If the file has the hashes of
 * its keys, these work again; otherwise they do not until they are rotated.
 * @param places the database to create it in, and others, which must not have it
 * @param onProgress called with the number of imported rows, and of all
 * @throws Failure if the file is not valid, or if the brand exists; nothing is changed then
 */
export async function importBrand(
  {
    database,
    others,
  }: { readonly database: OpenDatabase; readonly others: readonly OpenDatabase[] },
  file: string,
  onProgress: (done: number, total: number) => void = () => undefined,
  all: readonly Collection[] = collections,
): Promise<ImportedBrand> {
  const parts = exportParts(all);
  const { profile, rows, counts, exportedAt } = await readBrandFile(file, parts, all);
  const brandId = String(profile.values['id']);
  const brandName = String(profile.values['brandName']);
  const databases = [database, ...others];
  const keys = keysIn(rows);
  refuseUnknown(databases, keys);
  await refuseTaken(databases, brandId, keys);
  // With one database, the first transaction decides it.
  const places = others.length === 0 ? [] : await readPlaces(databases, brandId);
  if (places.some(({ movedTo, frozenAt }) => movedTo === null || frozenAt !== null))
    throw brandExists(brandId);
  const led = new Set(places.map((place) => place.database.number));
  if (led.has(database.number)) await deleteRest(database, brandId);
  await begin(database, profile, brandId);
  try {
    let done = 0;
    for await (const call of insertCalls(rows, { brandId, moreOf: hashOf })) {
      onProgress(done, rows.length);
      await database.run(...call.statements);
      done += call.rows;
    }
    const [[stored = {}]] = await database.run(selectState(parts, all, brandId));
    refuseMissing(stored, counts);
    await leadKeys(database, databases, led, { brandId, profile, rows });
    await end(database, brandId, keys);
    onProgress(done, done);
  } catch (error) {
    const reason = error instanceof DatabaseFailure ? error.reason : reasonOf(error);
    throw new Failure(
      `${reason} The brand is partly imported. Delete it with brand delete ${brandId}, and import it again.`,
      { cause: error },
    );
  }
  const keysWithoutHash = rows.filter(({ part }) => part.name === KEYS).length - keys.length;
  return { brandId, brandName, counts, exportedAt, keysWithoutHash };
}

/** @throws Failure if the brand exists */
async function begin(database: OpenDatabase, profile: ExportedRow, brandId: string): Promise<void> {
  const act = newAct(database, 'brand.import.begin');
  const results = await database.run(
    // First, so that a retry finds the entry of the first try.
    noteAct(act, {
      brandId: sql`${brandId}`,
      details: sql`json_object('brandName', ${profile.values['brandName']})`,
      from: sql`(select 1) where not exists (select 1 from brands where id = ${brandId})`,
    }),
    ...insertRow(profile, { brandId, moreOf: () => ({ unfinished: 'import' }) }),
    notedAct(act),
  );
  if (results.at(-1)?.length === 0) throw brandExists(brandId);
}

/** @throws Failure if the brand has been deleted meanwhile, or is being deleted */
async function end(
  database: OpenDatabase,
  brandId: string,
  keys: ReturnType<typeof keysIn>,
): Promise<void> {
  const act = newAct(database, 'brand.import.done');
  const isImported = sql`id = ${brandId} and unfinished = 'import'`;
  const results = await database.run(
    // First, so that a retry finds the entry of the first try.
    noteAct(act, {
      brandId: sql`id`,
      details: sql`json_object('brandName', brand_name)`,
      from: sql`brands where ${isImported}`,
    }),
    ...revive(brandId, keys, sql`exists (select 1 from brands where ${isImported})`),
    sql`update brands set unfinished = null where ${isImported}`,
    notedAct(act),
  );
  if (results.at(-1)?.length === 0)
    throw new Failure('Another command has deleted the brand meanwhile.');
}

function brandExists(brandId: string): Failure {
  return new Failure(
    `The brand ${brandId} exists, so nothing was imported. If an import of it broke off, delete it first: brand delete ${brandId}`,
  );
}

/** @throws Failure if a row is missing: another one has what must be unique */
function refuseMissing(stored: Row, counts: ImportedBrand['counts']): void {
  const missing = Object.keys(counts).filter((name) => Number(stored[name]) < Number(counts[name]));
  if (missing.length === 0) return;
  throw new Failure(
    `Some rows have an id or a code that another row has. Look at ${missing.join(', ')} in the file.`,
  );
}

/** Nobody can use the keys until all is there. */
function hashOf({ part, values }: ExportedRow): Readonly<Record<string, unknown>> {
  return part.name === KEYS ? { hash: hashOfImported(String(values['id'])) } : {};
}
