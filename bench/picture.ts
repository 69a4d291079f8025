export interface Picture {
  readonly title: string;
  /** What the length of a bar means, with its unit. */
  readonly axis: string;
  /** From top to bottom. */
  readonly bars: readonly (readonly [label: string, value: number])[];
}

/** Pixels: the bars of a chart share its height. */
const BAR_HEIGHT = 30;
const FRAME_HEIGHT = 120;

/**
 * Returns a chart of Mermaid in Markdown, which code hosts draw. Mermaid draws several series over each other, so each
 * bar has a label of its own.
 */
export function mermaid({ title, axis, bars }: Picture): string {
  const labels = bars.map(([label]) => `"${label}"`);
  const values = bars.map(([, value]) => String(Number(value.toPrecision(3))));
  return [
    '```mermaid',
    '---',
    'config:',
    '  xyChart:',
    `    height: ${FRAME_HEIGHT + bars.length * BAR_HEIGHT}`,
    '---',
    'xychart-beta horizontal',
    `  title "${title}"`,
    `  x-axis [${labels.join(', ')}]`,
    `  y-axis "${axis}" 0 --> ${roundedUp(Math.max(...bars.map(([, value]) => value)))}`,
    `  bar [${values.join(', ')}]`,
    '```',
  ].join('\n');
}

/** Returns the next number with one digit, for the end of an axis. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Number((Math.ceil(value / unit) * unit).toPrecision(1));
}
