/** A row of figures: the cells by the heads of their columns. */
type Row = Readonly<Record<string, string | number>>;

/** What was measured, by the name of the part. */
type Results = Readonly<Record<string, { readonly tables: readonly { rows: readonly Row[] }[] }>>;

const PARTS = ['side-by-side', 'start-up', 'scale', 'durability'];

/**
 * Five figures for the README, as a list in Markdown; undefined if a part that they come from has not been measured.
 * @throws Error if a part has no longer the row or the column
 */
export function readmeFigures(results: Results): string | undefined {
  if (!PARTS.every((part) => part in results)) return undefined;
  const cell = (part: string, key: Row, column: string): string => {
    const row = results[part]?.tables[0]?.rows.find((candidate) =>
      Object.entries(key).every(([name, value]) => candidate[name] === value),
    );
    const value = row?.[column];
    if (value === undefined) throw new Error(`There is no ${column} in ${part} for the README.`);
    return rounded(value);
  };
  const read = (contestant: string, column: string): string =>
    cell('side-by-side', { operation: 'get one', contestant }, column);
  const size = (worker: string): string => cell('start-up', { Worker: worker }, 'KiB in gzip');
  const found = (products: string): string =>
    cell('scale', { operation: 'by storeProductId' }, products).replace(/^1: /, '');
  const killed = (what: string): string => cell('durability', { what }, 'number');

  return [
    `**${read('service', 'p50 at 30 ms')} ms** to read a product, in the median, if the database is 30 ms away. The usual design, which looks the key up first, takes ${read('usual', 'p50 at 30 ms')} ms.`,
    `**${read('service', '× bare')} times** the CPU of a Worker written by hand without a framework. The usual design takes ${read('usual', '× bare')} times as much.`,
    `**${size('service')} KiB** of code in gzip. The usual design has ${size('usual')} KiB.`,
    `**${found('100,000')} rows** read to find a product by the store's id among 100,000; among 1,000, ${found('1,000')}.`,
    `**${killed('lost, half or double')} rows** lost, half written or doubled, of ${killed('rows compared after restarts')} that were compared after the database was killed in the middle of writing.`,
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

function rounded(value: string | number): string {
  if (typeof value === 'string') return value;
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toPrecision(3);
}
