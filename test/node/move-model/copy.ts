import type { Setup } from './setup.ts';
import type { Content, Database, Item, Rest, Row } from './state.ts';
import { headOf } from './state.ts';

/** The next changes after a change number: rows and tombstones together, in the order of their numbers. */
export function pageAfter(
  { pageSize, broken }: Setup,
  { rows, tombstones }: Content,
  after: number,
): readonly Item[] {
  const deleted = tombstones.map((tombstone) => ({ ...tombstone, code: null }));
  const changes = broken === 'noTombstones' ? rows : [...rows, ...deleted];
  return changes
    .filter(({ number }) => number > after)
    .sort((a, b) => (broken === 'pageById' ? a.id - b.id : a.number - b.number))
    .slice(0, pageSize);
}

/** The content after a page was written to it; undefined if that fails. */
export function withPage(
  { broken }: Setup,
  { rows, tombstones, profile }: Content,
  page: readonly Item[],
): Content | undefined {
  let copied: readonly Row[] = rows.filter(({ id }) => !page.some((item) => item.id === id));
  if (broken === 'takenSkipped')
    copied = rows.filter(({ id }) => !page.some((item) => item.id === id && item.code === null));
  const buried = [...tombstones];
  for (const { id, number, code } of page) {
    if (code === null) {
      buried.push({ id, number });
      continue;
    }
    const isTaken = copied.some((row) => row.code === code || row.id === id);
    if (isTaken && broken === 'takenFails') return undefined;
    if (isTaken && broken === 'takenSkipped') continue;
    // What is pushed out has a later change, or a tombstone, on a later page.
    copied = [...copied.filter((row) => row.code !== code), { id, number, code }];
  }
  return {
    rows: copied.toSorted((a, b) => a.id - b.id),
    tombstones: buried.sort((a, b) => a.number - b.number),
    profile,
  };
}

/** What is copied last. Keys are copied without the freeze, which belongs to the source. */
export function restOf({ broken }: Setup, { content, keys }: Database): Rest {
  return {
    head: headOf(content),
    profile: content.profile,
    keys: keys.map(
      (key) => key && { ...key, movedTo: null, isFrozen: broken === 'copyFreeze' && key.isFrozen },
    ),
  };
}
