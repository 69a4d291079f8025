import Table from 'cli-table3';
import { printable, printableLines, withoutKeys } from '../terminal.ts';
import type { Chunk } from './pages.ts';

/** A record to show: values by column heading. */
export type Shown = Readonly<Record<string, string | number | null>>;

/** Prints one JSON document on standard output. Returns whether it could be written. */
export function printJson(document: unknown): Promise<boolean> {
  return written(`${JSON.stringify(document, null, 2)}\n`);
}

/** A list to print as a JSON document. */
export interface JsonList {
  /** Returns the members before the list, once its first items are there. */
  readonly head: () => Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly chunks: AsyncIterable<Chunk<unknown>>;
  /** Whether `next` follows the list: the id to give to `--after`, or null at the end. */
  readonly hasNext: boolean;
}

/**
 * Prints a list as one JSON document on standard output, an item per line. It is read and printed in pieces, because it
 * may be longer than memory. If the reader closes the pipe, the rest is not read.
 */
export async function printJsonList({ head, name, chunks, hasNext }: JsonList): Promise<void> {
  let before: string | undefined;
  let isEmpty = true;
  let last: string | null = null;
  for await (const { items, next } of chunks) {
    before ??= headOf(head(), name);
    last = next;
    for (const some of sliced(items)) {
      const lines = some.map((item) => `\n    ${JSON.stringify(item)}`);
      if (!(await written(before + lines.join(',')))) return;
      [before, isEmpty] = [',', false];
    }
  }
  const end = hasNext ? `,\n  "next": ${JSON.stringify(last)}` : '';
  await written(`${isEmpty ? (before ?? headOf(head(), name)) : '\n  '}]${end}\n}\n`);
}

function headOf(head: Readonly<Record<string, unknown>>, name: string): string {
  const members = Object.entries(head).map(
    ([key, value]) => `  "${key}": ${JSON.stringify(value)},\n`,
  );
  return `{\n${members.join('')}  "${name}": [`;
}

/** How many items are made into one text. */
const WRITTEN_AT_ONCE = 500;

function sliced<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / WRITTEN_AT_ONCE);
  return Array.from({ length: count }, (_, n) =>
    items.slice(n * WRITTEN_AT_ONCE, (n + 1) * WRITTEN_AT_ONCE),
  );
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
export async function printTable(records: readonly Shown[]): Promise<boolean> {
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
  return await written(`${table.toString()}\n`);
}

/** Prints a line for the operator on standard error, without any API key that was given as another argument. */
export function note(text: string): void {
  process.stderr.write(`${printable(withoutKeys(text))}\n`);
}
