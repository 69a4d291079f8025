import { writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import wrangler from 'wrangler/package.json' with { type: 'json' };
import { withMarkedParts } from '../tools/build/marked-part.ts';
import { ROOT } from '../common/wrangler/wrangler.ts';
import type { Picture } from './picture.ts';
import { mermaid } from './picture.ts';

/** A row of a table: cells by column heading. */
export type Row = Readonly<Record<string, string | number>>;

export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

export interface Outcome {
  readonly tables: readonly Table[];
  /** What the page begins with. */
  readonly pictures?: readonly Picture[];
  /** What the README says about them, in Markdown. */
  readonly highlights?: readonly string[];
  /** The promises that were not kept, in words. */
  readonly wrong: readonly string[];
}

const PAGE = 'docs/benchmarks.md';

export function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

export async function print({ tables, wrong }: Outcome): Promise<void> {
  const text = tables.map(markdown).join('\n\n');
  process.stdout.write(`\n${await format(text, { parser: 'markdown' })}`);
  for (const text of wrong) log(text);
}

/** Writes the results of a part into `docs/benchmarks.md` and the README, between the markers with its name. */
export async function publish(
  part: string,
  { tables, pictures, highlights }: Outcome,
): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const sections = [`Measured on ${date} on ${machine()}.`, ...tables.map(markdown)];
  await fill(PAGE, part, sections.join('\n\n'));
  if (pictures) await fill(PAGE, `${part}-pictures`, pictures.map(mermaid).join('\n\n'));
  if (highlights) await fill('README.md', part, highlights.map((line) => `- ${line}`).join('\n'));
}

async function fill(name: string, part: string, content: string): Promise<void> {
  const file = join(ROOT, name);
  await writeFile(file, await withMarkedParts(file, { [part]: content }));
}

/** Returns a table in Markdown, which prettier aligns. Columns of figures are aligned to the right. */
function markdown({ title, rows }: Table): string {
  const heads = Object.keys(rows[0] ?? {});
  const columns = heads.map((head) => formatted(rows.map((row) => row[head] ?? '')));
  const rules = columns.map((cells) =>
    cells.every((cell) => /^[\d.,+: ]*$/.test(cell)) ? '--:' : ':--',
  );
  const lines = rows.map((_, line) => columns.map((cells) => cells[line] ?? ''));
  const table = [heads, rules, ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return `**${title}**\n\n${table.join('\n')}`;
}

/** Counts are shown unchanged, measurements with three digits. */
function formatted(column: readonly (string | number)[]): string[] {
  const areCounts = column.every((value) => typeof value === 'string' || Number.isInteger(value));
  return column.map((value) => {
    if (typeof value === 'string') return value;
    return areCounts ? value.toLocaleString('en') : rounded(value);
  });
}

/** Returns a measurement with three digits. */
export function rounded(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value < 0.1 ? value.toFixed(2) : value.toPrecision(value < 1 ? 2 : 3);
}

function machine(): string {
  const cpu = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const versions = `wrangler ${wrangler.version}, Node ${process.versions.node}`;
  return `${cpu}, ${memory}, ${type()} ${release()}, ${versions}`;
}
