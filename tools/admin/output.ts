import Table from 'cli-table3';
import { printable, printableLines, withoutKeys } from '../terminal.ts';

/** A record to show: values by column heading. */
export type Shown = Readonly<Record<string, string | number | null>>;

/** Prints one JSON document on standard output. Returns whether it could be written. */
export function printJson(document: unknown): Promise<boolean> {
  return written(`${JSON.stringify(document, null, 2)}\n`);
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
