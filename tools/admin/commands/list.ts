import { Option } from 'commander';
import { parseLimit } from '../arguments.ts';
import type { Shown } from '../output.ts';
import { note, printJsonList, printTable } from '../output.ts';
import type { Chunk, PageOptions } from '../pages.ts';
import type { CommonOptions } from './command.ts';

/** How many rows a table has without `--limit`. JSON has all. */
const TABLE_LIMIT = 50;

/** A list that a command shows. */
export interface Listing<T> {
  /** Returns the members of the JSON document before the list, once its first items are there. */
  readonly head?: () => Readonly<Record<string, unknown>>;
  /** The name of the list in the JSON document. */
  readonly name: string;
  readonly read: (page: PageOptions) => AsyncIterable<Chunk<T>>;
  /** Returns an item as a row of the table. */
  readonly describe: (item: T) => Shown;
  /** Says below a table what is shown. */
  readonly summary: (shown: number) => string;
  /** Whether `--after` continues the list. By default it does. If not, `more` says how to see more of it. */
  readonly hasNext?: boolean;
  readonly more?: string;
}

/** The option `--limit`. */
export function limitOption(which = 'show at most this many'): Option {
  return new Option('--limit <n>', `${which} (default: ${TABLE_LIMIT}; all with --json)`).argParser(
    parseLimit,
  );
}

/** The option `--after`. */
export function afterOption(id: string): Option {
  return new Option(`--after <${id}>`, 'continue the list after this one');
}

/** Shows a list: as one JSON document however long it is, or as a table of its first items. */
export async function showList<T>(
  options: CommonOptions & PageOptions,
  { head = () => ({}), name, read, describe, summary, hasNext = true, more }: Listing<T>,
): Promise<void> {
  const { limit, after } = options;
  if (options.json) {
    await printJsonList({ head, name, chunks: read({ limit, after }), hasNext });
    return;
  }
  const rows: Shown[] = [];
  let last: string | null = null;
  for await (const { items, next } of read({ limit: limit ?? TABLE_LIMIT, after })) {
    rows.push(...items.map(describe));
    last = next;
  }
  await printTable(rows);
  note(summary(rows.length));
  if (last !== null) note(more ?? `For the next ones: --after ${last}`);
}
