import { Option } from 'commander';
import { parseLimit } from '../arguments.ts';
import type { ShownRecord } from './output.ts';
import { printJsonList, printTable } from './output.ts';
import { note } from '../../../common/terminal/note.ts';
import type { Page, PageOptions } from '../database/pages.ts';
import { pagesOf } from '../database/pages.ts';
import type { CommonOptions } from './command.ts';

/** How many rows a table has without `--limit`. JSON has all. */
const TABLE_LIMIT = 50;

type ListOptions = CommonOptions & PageOptions;

interface Listing<P extends Page<unknown>> {
  /** The member of the JSON document with the items. */
  readonly name: string;
  /** Returns the members before it, from the first page. */
  readonly head: (page: P) => Readonly<Record<string, unknown>>;
  readonly list: (part: PageOptions) => Promise<P>;
  readonly describe: (item: P['items'][number]) => ShownRecord;
  /** Says below a table what is shown. */
  readonly summary: (page: P) => string;
}

export function limitOption(
  which = 'show at most this many',
): Option<'--limit <n>', undefined, undefined, number> {
  return new Option('--limit <n>', `${which} (default: ${TABLE_LIMIT}; all with --json)`).argParser(
    parseLimit,
  );
}

export function afterOption(id: string): Option<`--after <${string}>`> {
  return new Option(`--after <${id}>`, 'continue the list after this one');
}

/** The part of a list to read: all of it for a JSON document, its first items for a table. */
export function partOf({ json, limit, after }: ListOptions): PageOptions {
  return { limit: limit ?? (json ? undefined : TABLE_LIMIT), after };
}

/** Shows a list as a JSON document, or as a table. */
export async function showList<P extends Page<unknown>>(
  options: ListOptions,
  { name, head, list, describe, summary }: Listing<P>,
): Promise<void> {
  if (options.json) {
    await printJsonList(name, pagesOf(options, list), head);
    return;
  }
  const page = await list(partOf(options));
  await printTable(page.items.map(describe));
  note(summary(page));
  if (page.next !== null) note(`For the next ones: --after ${page.next}`);
}
