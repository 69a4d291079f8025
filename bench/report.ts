import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { format, resolveConfig } from 'prettier';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import wrangler from 'wrangler/package.json' with { type: 'json' };
import * as z from 'zod';
import { CONFIG, PLOTS } from './plots.ts';
import { readmeFigures } from './readme-figures.ts';
import { ROOT } from './servers.ts';
import type { Table } from './table.ts';
import { tableSchema } from './table.ts';

const resultsSchema = z.record(
  z.string(),
  z.object({ date: z.string(), machine: z.string(), tables: z.array(tableSchema) }),
);

type Results = z.infer<typeof resultsSchema>;

/** The results of a part: its tables, and the failures in words. */
export interface Outcome {
  readonly tables: readonly Table[];
  readonly wrong: readonly string[];
}

/** Prints the progress. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints the results of a part. */
export function print({ tables, wrong }: Outcome): void {
  for (const table of tables) process.stdout.write(`\n${markdown(table)}\n`);
  for (const text of wrong) log(text);
}

/**
 * Stores the figures of a part, and updates its plots, its tables in `docs/benchmarks.md`, and the README's figures.
 * @param folder the project's folder, or another one for figures that are not published
 */
export async function keep(part: string, { tables }: Outcome, folder: string): Promise<void> {
  const file = join(folder, 'bench/results.json');
  const before = resultsSchema.parse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  const date = new Date().toISOString().slice(0, 10);
  const results = resultsSchema.parse({ ...before, [part]: { date, machine: machine(), tables } });
  await write(file, `${JSON.stringify(results, null, 2)}\n`);
  await writeReport(folder, results);
}

/** Draws all plots, and fills `docs/benchmarks.md` and the README between their markers. */
async function writeReport(folder: string, results: Results): Promise<void> {
  const file = 'docs/benchmarks.md';
  let text = await readFile(join(ROOT, file), 'utf8');
  for (const [part, { date, machine, tables }] of Object.entries(results)) {
    const sections = [`Measured on ${date} on ${machine}.`, ...tables.map(markdown)];
    for (const plot of PLOTS.filter((one) => one.part === part)) {
      const lite = { ...plot.spec(tables[plot.table]?.rows ?? []), title: plot.title };
      const { spec } = compile(lite, { config: CONFIG });
      const svg = await new View(parse(spec), { renderer: 'none' }).toSVG();
      await write(join(folder, 'bench/plots', plot.file), `${svg}\n`);
      sections.push(`![${plot.title}](../bench/plots/${plot.file})`);
    }
    text = fill(file, text, part, sections.join('\n\n'));
  }
  await writeMarkdown(folder, file, text);

  const figures = readmeFigures(results);
  if (figures === undefined) return;
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  await writeMarkdown(folder, 'README.md', fill('README.md', readme, 'figures', figures));
}

/**
 * Replaces the content between the two markers with this name.
 * @throws Error if the text does not have them
 */
function fill(file: string, text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`${file} has no ${begin}.`);
  return [head, begin, '\n\n', content, '\n\n', end, tail].join('');
}

async function writeMarkdown(folder: string, file: string, text: string): Promise<void> {
  const config = await resolveConfig(join(ROOT, file));
  await write(join(folder, file), await format(text, { ...config, parser: 'markdown' }));
}

function markdown({ title, rows }: Table): string {
  const columns = Object.keys(rows[0] ?? {}).map((name) => [
    name,
    ...formatted(rows.map((row) => row[name] ?? '')),
  ]);
  const align = columns.map(([, ...cells]) =>
    cells.every((cell) => /^[\d.,+: ]*$/.test(cell)) ? 'r' : 'l',
  );
  const lines = [{}, ...rows].map((_, line) => columns.map((column) => column[line] ?? ''));
  return `**${title}**\n\n${markdownTable(lines, { align })}`;
}

/** Counts are shown unchanged, measurements with three digits. */
function formatted(column: readonly (string | number)[]): string[] {
  const areCounts = column.every((value) => typeof value === 'string' || Number.isInteger(value));
  return column.map((value) => {
    if (typeof value === 'string') return value;
    if (areCounts || value >= 1000) return Math.round(value).toLocaleString('en');
    return value < 0.1 ? value.toFixed(2) : value.toPrecision(value < 1 ? 2 : 3);
  });
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function machine(): string {
  const cpu = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const versions = `wrangler ${wrangler.version}, Node ${process.versions.node}`;
  return `${cpu}, ${memory}, ${type()} ${release()}, ${versions}`;
}
