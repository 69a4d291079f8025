import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Results } from './figures.ts';
import { PLOTS } from './plots.ts';
import { readResults } from './results.ts';
import type { Table } from './tables.ts';
import {
  durabilityTables,
  loadTables,
  scaleTables,
  sideBySideTables,
  startUpTables,
} from './tables.ts';

const FILE = join(import.meta.dirname, '../README.md');
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->'];

/** Writes the section of the README between the markers anew, from what was measured last. */
export async function writeReadme(): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`README.md has no ${BEGIN} … ${END}.`);
  }
  const section = sectionOf(await readResults());
  const whole = [before, BEGIN, '\n\n', section, '\n\n', END, after].join('');
  const config = await resolveConfig(FILE);
  await writeFile(FILE, await format(whole, { ...config, parser: 'markdown' }));
}

/** A part, as far as it was measured. */
interface Part {
  readonly name: keyof Results;
  readonly tables: readonly Table[];
}

function sectionOf(results: Results): string {
  const { scale, load, durability } = results;
  const { 'side-by-side': lines, 'start-up': starts } = results;
  const parts: Part[] = [
    { name: 'side-by-side', tables: lines ? sideBySideTables(lines.figures) : [] },
    { name: 'start-up', tables: starts ? startUpTables(starts.figures) : [] },
    { name: 'scale', tables: scale ? scaleTables(scale.figures) : [] },
    { name: 'load', tables: load ? loadTables(load.figures) : [] },
    { name: 'durability', tables: durability ? durabilityTables(durability.figures) : [] },
  ];
  return [
    '`npm run bench` measures all of this; `npm run bench -- load`, say, measures one part.',
    ...machines(results),
    ...parts.flatMap(({ name, tables }) => [
      ...tables.flatMap(markdown),
      ...(tables.length > 0 ? PLOTS.filter(({ part }) => part === name).map(image) : []),
    ]),
  ].join('\n\n');
}

/** What was measured where and when, once where it is all the same. */
function machines(results: Results): string[] {
  const measured = Object.entries(results).flatMap(([name, part]) =>
    part === undefined ? [] : [{ name: `\`${name}\``, when: `on ${part.date} on ${part.machine}` }],
  );
  const groups = Map.groupBy(measured, ({ when }) => when);
  return Array.from(groups, ([when, parts]) =>
    groups.size === 1
      ? `Measured ${when}.`
      : `Measured ${when}: ${parts.map(({ name }) => name).join(', ')}.`,
  );
}

function markdown({ title, head, rows, notes }: Table): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  // What is no text stands to the right.
  const alignment = head.map((_, column) =>
    rows.every((row) => /^[\d.,+−-][\d.,+ −-]*$/.test(row[column] ?? '')) ? '--:' : ':--',
  );
  const table = [line(head), line(alignment), ...rows.map(line)].join('\n');
  return [`**${title}**`, table, ...(notes.length > 0 ? [notes.join(' ')] : [])];
}

function image({ file, title }: { readonly file: string; readonly title: string }): string {
  return `![${title}](bench/plots/${file})`;
}
