import { Option } from 'commander';
import { parseLimit } from '../arguments.ts';
import type { Shown } from '../output.ts';
import { note } from '../output.ts';
import type { Page, PageOptions } from '../pages.ts';
import type { CommonOptions } from './command.ts';
import { show } from './command.ts';

/** How many rows a table has without `--limit`. JSON has all. */
const TABLE_LIMIT = 50;

type ListOptions = CommonOptions & PageOptions;

/** A list that a command shows. */
export interface Listing<T> {
  /** The JSON document. */
  readonly document: unknown;
  readonly page: Page<T>;
  /** Returns an item as a row of the table. */
  readonly describe: (item: T) => Shown;
  /** Says below a table what is shown. */
  readonly summary: string;
  /** How to see more of it; by default with `--after`. */
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

/** The part of a list to read: all of it for a JSON document, its first items for a table. */
export function partOf({ json, limit, after }: ListOptions): PageOptions {
  return { limit: limit ?? (json ? undefined : TABLE_LIMIT), after };
}

/** Shows a list as a JSON document, or as a table. */
export async function showList<T>(
  options: ListOptions,
  { document, page: { items, next }, describe, summary, more }: Listing<T>,
): Promise<void> {
  await show(options, document, items.map(describe));
  if (options.json) return;
  note(summary);
  if (next !== null) note(more ?? `For the next ones: --after ${next}`);
}
