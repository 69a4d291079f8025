import Table from 'cli-table3';
import { note } from '../../../common/terminal/note.ts';
import { printableLines } from '../../../common/terminal/printable.ts';
import type { Page } from '../database/pages.ts';

/** A record to show: values by column heading. */
export type ShownRecord = Readonly<Record<string, string | number | null>>;

/** Prints one JSON document on standard output. Returns whether it could be written. */
export function printJson(document: unknown): Promise<boolean> {
  return written(`${JSON.stringify(document, null, 2)}\n`);
}

/**
 * Prints a list as one JSON document on standard output, page by page, because it may be longer than memory. If the reader
 * closes the pipe, the rest is not read.
 * @param name the member with the items
 * @param head returns the members before it, from the first page
 */
export async function printJsonList<P extends Page<unknown>>(
  name: string,
  pages: AsyncIterable<P>,
  head: (page: P) => Readonly<Record<string, unknown>>,
): Promise<void> {
  let before = '';
  let next: string | null = null;
  for await (const page of pages) {
    // Without the end of an empty list.
    before ||= JSON.stringify({ ...head(page), [name]: [] }, null, 2).slice(0, -']\n}'.length);
    const lines = page.items.map((item) => `\n    ${JSON.stringify(item)}`);
    if (lines.length > 0) {
      if (!(await written(before + lines.join(',')))) return;
      before = ',';
    }
    ({ next } = page);
  }
  const end = before === ',' ? '\n  ' : before;
  await written(`${end}],\n  "next": ${JSON.stringify(next)}\n}\n`);
}

/** Writes to standard output and waits for the reader. Returns whether there still is one, and space. */
function written(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => {
      resolve(!error);
    });
  });
}

/** Prints records as a table on standard output. Returns whether it could be written. */
export async function printTable(records: readonly ShownRecord[]): Promise<boolean> {
  const [first] = records;
  if (first === undefined) {
    note('None.');
    return true;
  }
  const table = new Table({ head: Object.keys(first), style: { head: [], border: [] } });
  table.push(
    ...records.map((record) =>
      Object.values(record).map((value) =>
        typeof value === 'string' ? printableLines(value) : (value ?? ''),
      ),
    ),
  );
  const text = table.toString();
  const width = text.indexOf('\n');
  // Without a terminal there is no width.
  return await written(
    width > (process.stdout.isTTY ? process.stdout.columns : Infinity)
      ? blocks(records)
      : `${text}\n`,
  );
}

/** Returns records of which each has a line for each of its values, for a terminal that is too narrow for a table. */
function blocks(records: readonly ShownRecord[]): string {
  return records
    .map((record) => {
      const entries = Object.entries(record);
      const longest = Math.max(...entries.map(([name]) => name.length));
      const lines = entries.map(([name, value]) => {
        const text = printableLines(String(value ?? '')).replaceAll(
          '\n',
          `\n${' '.repeat(longest + 2)}`,
        );
        return `${name.padEnd(longest)}  ${text}`.trimEnd();
      });
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}
