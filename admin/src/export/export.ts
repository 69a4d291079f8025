import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { collections, databaseTime } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { hasMoved } from '../home/home.ts';
import { partlyThere } from '../home/unfinished.ts';
import { checkedId } from '../validation.ts';
import { ending, FINGERPRINT, fingerprintOf } from './fingerprint.ts';
import type { Part } from './parts.ts';
import { exportParts, FORMAT, PROFILE } from './parts.ts';
import type { BrandReader, PartPage } from './read.ts';
import { readBrands, selectState } from './read.ts';

/** The numbers of rows of an exported brand, by the name of the list. */
export type Counts = Readonly<Record<string, number>>;

export interface BrandExport {
  readonly counts: Counts;
  /** The document, in pieces that fit into memory, with the number of rows in each: those that `counts` has. */
  readonly pieces: AsyncIterable<{ readonly text: string; readonly rows: number }>;
}

interface ExportOptions {
  /** Also what a brand has left behind in this database, where it is no longer at home. */
  readonly evenIfMoved?: boolean;
  /** Whether its keys work again where it is imported. */
  readonly withKeyHashes?: boolean;
  readonly all?: readonly Collection[];
}

/**
 * Exports all that the service holds of a brand as one JSON document. A brand that fits into one call is read in one
 * transaction. Otherwise the pieces end with an error if the brand has changed meanwhile: the file would mix two states.
 * @throws Failure if there is no such brand, or only a part of it
 * @throws HasMoved if it is at home in another database
 */
export async function exportBrand(
  database: OpenDatabase,
  brandId: string,
  options: ExportOptions = {},
): Promise<BrandExport> {
  const [opened] = await exportBrands(database, [brandId], options);
  if (opened === undefined) throw new Error('A brand has an export.');
  return opened.open();
}

/** A brand whose beginning is read. */
interface OpenedBrand {
  readonly brandId: string;
  /** Returns its export. @throws what `exportBrand` throws */
  readonly open: () => BrandExport;
}

/** Reads the beginnings of brands in one call, to export each. */
export async function exportBrands(
  database: OpenDatabase,
  brandIds: readonly string[],
  { evenIfMoved = false, withKeyHashes = false, all = collections }: ExportOptions = {},
): Promise<OpenedBrand[]> {
  const parts = exportParts(all, withKeyHashes);
  const lists = parts.filter(({ name }) => name !== PROFILE);
  const ids = brandIds.map((brandId) => checkedId('brand', brandId));
  const readers = await readBrands(database, ids, parts, (id) => [
    selectState(parts, all, id),
    sql`select ${databaseTime} as now`,
  ]);
  return readers.map((reader) => ({
    brandId: reader.brandId,
    open: () => openedBrand(reader),
  }));

  function openedBrand({ brandId, further, isWhole, pagesOf }: BrandReader): BrandExport {
    const [[before] = [], [clock] = []] = further;
    if (before === undefined) throw new Failure(`There is no brand ${brandId}.`);
    const { unfinished, movedTo, versions } = before;
    if (unfinished === 'delete' || unfinished === 'import') throw partlyThere(brandId, unfinished);
    if (movedTo !== null && !evenIfMoved) throw hasMoved(brandId, Number(movedTo));
    const counts = Object.fromEntries(lists.map(({ name }) => [name, Number(before[name])]));
    return { counts, pieces: withChecksum(pieces()) };

    async function* pieces(): BrandExport['pieces'] {
      const head = {
        format: FORMAT,
        [FINGERPRINT]: fingerprintOf(String(versions)),
        // What was revoked since then is live again where it is imported.
        ...(withKeyHashes && { exportedAt: clock?.['now'] }),
      };
      yield { text: JSON.stringify(head, null, 2).slice(0, -'\n}'.length), rows: 0 };
      for (const part of parts) yield* member(part, pagesOf(part));
      if (!isWhole) {
        const [[after]] = await database.run(selectState(parts, all, brandId));
        if (JSON.stringify(after) !== JSON.stringify(before)) {
          throw new Failure(
            'The brand was changed while it was exported. Try again, or stop it meanwhile: brand suspend.',
          );
        }
      }
    }
  }
}

/** Yields the pieces of a document, and its end. */
async function* withChecksum(pieces: BrandExport['pieces']): BrandExport['pieces'] {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece.text);
    yield piece;
  }
  yield { text: ending(hash.digest('hex')), rows: 0 };
}

/** Yields a member of the document: an item on each line. */
async function* member(
  { name }: Part,
  pages: AsyncIterable<PartPage>,
): AsyncGenerator<{ text: string; rows: number }> {
  const head = `,\n  ${JSON.stringify(name)}: `;
  let rows = 0;
  for await (const { items } of pages) {
    const texts = items.map((item) => JSON.stringify(item));
    if (name === PROFILE) yield { text: head + texts.join(''), rows: 0 };
    else if (texts.length > 0) {
      const before = rows === 0 ? `${head}[` : ',';
      yield { text: before + texts.map((text) => `\n    ${text}`).join(','), rows: texts.length };
    }
    rows += texts.length;
  }
  if (name === PROFILE) return;
  yield { text: rows === 0 ? `${head}[]` : '\n  ]', rows: 0 };
}
