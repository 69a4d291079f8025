import Table from 'cli-table3';
import { printable, printableLines, withoutKeys } from '../terminal.ts';

/** A record to show: values by column heading. */
export type Shown = Readonly<Record<string, string | number | null>>;

/** Prints one JSON document on standard output. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Prints records as a table on standard output. */
export function printTable(records: readonly Shown[]): void {
  const [first] = records;
  if (first === undefined) {
    note('None.');
    return;
  }
  const table = new Table({ head: Object.keys(first), style: { head: [], border: [] } });
  table.push(
    ...records.map((record) =>
      Object.values(record).map((value) =>
        typeof value === 'string' ? printableLines(value) : (value ?? ''),
      ),
    ),
  );
  process.stdout.write(`${table.toString()}\n`);
}

/** Prints a line for the operator on standard error, without any API key that was given as another argument. */
export function note(text: string): void {
  process.stderr.write(`${printable(withoutKeys(text))}\n`);
}
