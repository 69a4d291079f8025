import { printable } from '../../../../common/terminal/printable.ts';
import { storedKey } from '../../stored.ts';
import { harmless } from '../secrets.ts';
import { sourceOf } from '../sources/choose.ts';
import type { SourceOptions } from '../sources/source-options.ts';
import { checkContent, checkSource } from '../sources/source-options.ts';
import type { Surroundings } from '../surroundings.ts';
import { writeAll } from '../terminal/output.ts';
import { EXIT } from '../failure.ts';
import type { Content, Item } from '../../stores/source.ts';

/**
 * Prints the items that `sync` would take of a file or a store, and on standard error what it would skip.
 * @param path the file, unless the options name a store
 */
export async function read(
  around: Surroundings,
  path: string | undefined,
  options: SourceOptions,
): Promise<number> {
  checkSource(path, options);
  const { content } = await sourceOf(path, options, around).read();
  checkContent(content, options);
  await writeAll(around.stdout, lines(content));
  const said = [
    ...content.skipped.map(
      ({ key, reason, kind }) =>
        `${kind === 'problem' ? 'skipped' : kind}: ${key === null ? '' : `${key}: `}${reason}`,
    ),
    ...content.notes,
    ...content.doubts,
  ];
  for (const sentence of said) around.stderr.write(`${printable(harmless(around, sentence))}\n`);
  const isDone =
    content.items.length > 0 && content.skipped.every(({ kind }) => kind === 'unsupported');
  return isDone ? EXIT.done : EXIT.failed;
}

/** Yields the items as NDJSON, and those that are skipped with their key alone, so that a sync keeps their resources. */
async function* lines({ items, skipped, match, doubts }: Content): AsyncGenerator<string, void> {
  const all = [...items, ...(match === undefined ? [] : keysAlone(items, skipped, match))];
  const last = all.length - 1;
  for (const [index, item] of all.entries()) {
    // What ends without a line end may be cut off: a sync of the output then withholds deletions, as one of the source does.
    const end = index === last && doubts.length > 0 ? '' : '\n';
    yield `${JSON.stringify(item)}${end}`;
    // Lets a signal or a closed output be noticed.
    if (index % 1000 === 999) await Promise.resolve();
  }
}

function keysAlone(items: readonly Item[], skipped: Content['skipped'], match: string): Item[] {
  const printed = new Set(items.map((item) => storedKey(String(item[match]), match)));
  return skipped.flatMap(({ key }) => {
    if (key === null || printed.has(storedKey(key, match))) return [];
    printed.add(storedKey(key, match));
    return [{ [match]: key }];
  });
}
