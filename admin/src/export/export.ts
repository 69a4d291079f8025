import type { Collection } from '../../../src/collection/collection.ts';
import { collections } from '../../../src/resources/registry.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import type { Execute } from '../execute.ts';
import { hasMoved } from '../home.ts';
import { partlyThere } from '../unfinished.ts';
import { checkedId } from '../validation.ts';
import { FINGERPRINT, fingerprintOf } from './fingerprint.ts';
import type { Part } from './parts.ts';
import { exportParts, FORMAT, PROFILE } from './parts.ts';
import type { Page } from './read.ts';
import { readBrand, selectState } from './read.ts';

/** The numbers of rows of an exported brand, by the name of the list. */
export type Counts = Readonly<Record<string, number>>;

export interface BrandExport {
  readonly counts: Counts;
  /** The document, in pieces that fit into memory, with the number of rows in each: those that `counts` has. */
  readonly pieces: AsyncIterable<{ readonly text: string; readonly rows: number }>;
}

/** A large brand was changed while it was read. */
export class ChangedMeanwhile extends OperatorError {}

export interface ExportOptions {
  /** Also what a brand has left behind in this database, where it is no longer at home. */
  readonly evenIfMoved?: boolean;
  readonly all?: readonly Collection[];
}

/**
 * Exports all that the service holds of a brand as one JSON document. A brand that fits into one call is read in one
 * transaction. Otherwise the pieces end with an error if the brand has changed meanwhile: the file would mix two states.
 * @throws OperatorError if there is no such brand, or only a part of it
 * @throws HasMoved if it is at home in another database
 */
export async function exportBrand(
  execute: Execute,
  brandId: string,
  { evenIfMoved = false, all = collections }: ExportOptions = {},
): Promise<BrandExport> {
  const id = checkedId('brand', brandId);
  const parts = exportParts(all);
  const state = selectState(parts, all, id);
  const { further, isWhole, pagesOf } = await readBrand(execute, id, parts, state);
  const [[before] = []] = further;
  if (before === undefined) throw new OperatorError(`There is no brand ${brandId}.`);
  const { unfinished, movedTo, versions } = before;
  if (unfinished === 'delete' || unfinished === 'import') throw partlyThere(id, unfinished);
  if (movedTo !== null && !evenIfMoved) throw hasMoved(id, Number(movedTo));
  const lists = parts.filter(({ name }) => name !== PROFILE);
  const counts = Object.fromEntries(lists.map(({ name }) => [name, Number(before[name])]));
  return { counts, pieces: pieces() };

  async function* pieces(): BrandExport['pieces'] {
    const head = { format: FORMAT, [FINGERPRINT]: fingerprintOf(String(versions)) };
    yield { text: JSON.stringify(head, null, 2).slice(0, -'\n}'.length), rows: 0 };
    for (const part of parts) yield* member(part, pagesOf(part));
    if (!isWhole) {
      const [[after]] = await execute(state);
      if (JSON.stringify(after) !== JSON.stringify(before)) {
        throw new ChangedMeanwhile(
          'The brand was changed while it was exported. Try again, or stop it meanwhile: brand suspend.',
        );
      }
    }
    yield { text: '\n}\n', rows: 0 };
  }
}

/** Yields a member of the document: an item on each line. */
async function* member(
  { name }: Part,
  pages: AsyncIterable<Page>,
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
