import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { apiKeys } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import { deleteData } from '../brand/data.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import type { Part } from '../export/parts.ts';
import { KEYS, movedParts, PROFILE } from '../export/parts.ts';
import { readBrand, rowsOf, selectState } from '../export/read.ts';
import { insertCalls } from '../export/write.ts';
import type { Move } from './steps.ts';
import { isCopy, mayCopy } from './steps.ts';

interface CopyReport {
  readonly rows: number;
  /** The length of the rows as JSON. */
  readonly bytes: number;
}

/** @throws Failure if two databases have different migrations */
export async function requireSameTables(one: OpenDatabase, other: OpenDatabase): Promise<void> {
  const [first, second] = await Promise.all(
    [one, other].map((database) => database.run(sql`select name from d1_migrations order by name`)),
  );
  if (JSON.stringify(first) === JSON.stringify(second)) return;
  throw new Failure(
    `The databases ${one.number} and ${other.number} do not have the same migrations. Apply them to both first. Nothing was changed.`,
  );
}

/**
 * Copies a frozen brand into the target, where it replaces what was there, and compares the two.
 * @param onProgress called with the number of rows that are copied, and of all
 * @throws Failure if the copy is not the same
 */
export async function copyBrand(
  move: Move,
  onProgress: (done: number, total: number) => void,
  all: readonly Collection[],
): Promise<CopyReport> {
  const { source, target, brandId, frozenAt } = move;
  const parts = movedParts(all);
  const signs = parts.filter(({ name }) => name === PROFILE || name === KEYS);
  const data = parts.filter((part) => !signs.includes(part));
  const reader = await readBrand(source, brandId, parts, selectState(parts, all, brandId));
  const counts = reader.further[0]?.[0] ?? {};
  const total = parts.reduce((sum, { name }) => sum + Number(counts[name]), 0);
  let done = 0;
  const insert = async (
    some: readonly Part[],
    how: Omit<Parameters<typeof insertCalls>[1], 'brandId'>,
  ): Promise<void> => {
    for await (const call of insertCalls(rowsOf(reader, some), { brandId, ...how })) {
      await target.run(...call.statements);
      done += call.rows;
      onProgress(done, total);
    }
  };

  onProgress(done, total);
  // They come first: the keys say that this is a copy, and every later statement asks them.
  await insert(signs, {
    condition: mayCopy(move),
    replacing: ({ name }) => (name === KEYS ? 'hash' : 'id'),
    moreOf: ({ part: { name } }) =>
      name === KEYS ? { moved_to: source.number, frozen_at: frozenAt } : {},
  });
  // A key that the source does not have opens nothing.
  const strayKeys = sql`delete from ${apiKeys}
    where ${apiKeys.brandId} = ${brandId} and ${apiKeys.frozenAt} is not ${frozenAt} and ${isCopy(move)}`;
  await deleteData(target, brandId, { condition: isCopy(move), first: [strayKeys], all });
  await insert(data, { condition: isCopy(move) });

  const [copied, original] = await Promise.all(
    [target, source].map((database) => digest(database, brandId, parts)),
  );
  if (original === undefined || copied?.hash !== original.hash) {
    throw new Failure(
      `The copy in database ${target.number} is not the same as the brand ${brandId} in database ${source.number}.`,
    );
  }
  return { rows: original.rows, bytes: original.bytes };
}

/** Reads all rows of a brand in one order. */
async function digest(
  database: OpenDatabase,
  brandId: string,
  parts: readonly Part[],
): Promise<CopyReport & { readonly hash: string }> {
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const reader = await readBrand(database, brandId, parts);
  for await (const { part, values } of rowsOf(reader, parts)) {
    const text = `${JSON.stringify([part.name, values])}\n`;
    hash.update(text);
    rows += 1;
    bytes += text.length;
  }
  return { rows, bytes, hash: `${rows} ${hash.digest('hex')}` };
}
