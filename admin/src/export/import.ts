import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { collections } from '../../../src/operator.ts';
import { reasonOf } from '../../../common/terminal/reason.ts';
import { OperatorError, DatabaseFailure } from '../../../common/operator-error.ts';
import { newAct, noteAct, notedAct } from '../audit.ts';
import type { OpenDatabase, Row } from '../database/open-database.ts';
import { hashOfImported } from '../key/keys.ts';
import { inGroups } from '../database/pages.ts';
import type { ExportedRow } from './exported-row.ts';
import { readBrandFile } from './file.ts';
import { exportParts, KEYS } from './parts.ts';
import { selectState } from './read.ts';
import { insertCalls, insertRow } from './write.ts';

interface ImportedBrand {
  readonly brandId: string;
  readonly brandName: string;
  /** The numbers of imported rows, by the name of the list. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Creates a brand again from a file that `brand export` wrote: under its ids, with everything except the hashes of its
 * keys. So its keys do not work until they are rotated.
 * @param places the database to create it in, and others, which must not have it
 * @param onProgress called with the number of imported rows, and of all
 * @throws OperatorError if the file is not valid, or if the brand exists; nothing is changed then
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
  const { profile, rows, counts } = await readBrandFile(file, parts, all);
  const brandId = String(profile.values['id']);
  const brandName = String(profile.values['brandName']);
  await inGroups(others, (other) => refuseExisting(other, brandId));
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
    await end(database, brandId);
    onProgress(done, done);
  } catch (error) {
    const reason = error instanceof DatabaseFailure ? error.reason : reasonOf(error);
    throw new OperatorError(
      `${reason} The brand is partly imported. Delete it with brand delete ${brandId}, and import it again.`,
      { cause: error },
    );
  }
  return { brandId, brandName, counts };
}

/** @throws OperatorError if the brand exists */
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

/** @throws OperatorError if the brand has been deleted meanwhile, or is being deleted */
async function end(database: OpenDatabase, brandId: string): Promise<void> {
  const act = newAct(database, 'brand.import.done');
  const isImported = sql`id = ${brandId} and unfinished = 'import'`;
  const [, , noted] = await database.run(
    // First, so that a retry finds the entry of the first try.
    noteAct(act, {
      brandId: sql`id`,
      details: sql`json_object('brandName', brand_name)`,
      from: sql`brands where ${isImported}`,
    }),
    sql`update brands set unfinished = null where ${isImported}`,
    notedAct(act),
  );
  if (noted.length === 0)
    throw new OperatorError('Another command has deleted the brand meanwhile.');
}

/** @throws OperatorError if another database has rows of the brand */
async function refuseExisting(other: OpenDatabase, brandId: string): Promise<void> {
  const [[row]] = await other.run(sql`select id from brands where id = ${brandId}`);
  if (row !== undefined) throw brandExists(brandId);
}

function brandExists(brandId: string): OperatorError {
  return new OperatorError(
    `The brand ${brandId} exists, so nothing was imported. If an import of it broke off, delete it first: brand delete ${brandId}`,
  );
}

/** @throws OperatorError if a row is missing: another one has what must be unique */
function refuseMissing(stored: Row, counts: ImportedBrand['counts']): void {
  const missing = Object.keys(counts).filter((name) => Number(stored[name]) < Number(counts[name]));
  if (missing.length === 0) return;
  throw new OperatorError(
    `Some rows have an id or a code that another row has. Look at ${missing.join(', ')} in the file.`,
  );
}

/** A file has no hashes of keys. */
function hashOf({ part, values }: ExportedRow): Readonly<Record<string, unknown>> {
  return part.name === KEYS ? { hash: hashOfImported(String(values['id'])) } : {};
}
