import CliTable from 'cli-table3';
import type { Table } from './tables.ts';

/** Prints a table with its title and notes. */
export function printTable({ title, head, rows, notes }: Table): void {
  const table = new CliTable({ head: [...head], style: { head: [], border: [] } });
  table.push(...rows.map((row) => [...row]));
  process.stdout.write(`\n${title}\n${table.toString()}\n${notes.join('\n')}\n`);
}
