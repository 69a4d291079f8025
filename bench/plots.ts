import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, View } from 'vega';
import type { Config, TopLevelSpec } from 'vega-lite';
import { compile } from 'vega-lite';
import type { Results } from './figures.ts';
import { listPlot } from './plots/list.ts';
import { scaleCpuPlot, scaleRowsPlot } from './plots/scale.ts';
import { cpuPlot, distancePlot } from './plots/side-by-side.ts';
import { readResults } from './results.ts';

const FOLDER = join(import.meta.dirname, 'plots');

/** A plot of a part's figures. */
export interface Plot {
  readonly file: string;
  /** What it shows, for those who do not see it. */
  readonly title: string;
  readonly part: keyof Results;
}

/** All plots, in the order in which they are shown. */
export const PLOTS: readonly Plot[] = [
  { file: 'cpu.svg', title: 'CPU of a request, beside others', part: 'side-by-side' },
  { file: 'distance.svg', title: 'Latency with D1 far away, beside others', part: 'side-by-side' },
  { file: 'scale-rows.svg', title: 'Rows read, by products of the brand', part: 'scale' },
  { file: 'scale-cpu.svg', title: 'CPU of a request, by products of the brand', part: 'scale' },
  { file: 'complete-list.svg', title: 'Time and memory of the complete list', part: 'scale' },
];

// White, because a page may be dark.
const CONFIG: Config = {
  background: 'white',
  font: 'sans-serif',
  padding: 12,
  view: { stroke: null },
  title: { fontSize: 13, anchor: 'start', offset: 12 },
  axis: { labelFontSize: 11, titleFontSize: 11, titleFontWeight: 'normal', gridColor: '#e5e5e5' },
  legend: { labelFontSize: 11, labelLimit: 0, symbolType: 'square', title: null, orient: 'top' },
};

/** Draws the plots of what was measured last. */
export async function writePlots(): Promise<void> {
  const { scale, 'side-by-side': lines } = await readResults();
  const specs: [file: string, spec: TopLevelSpec][] = [];
  if (lines) {
    specs.push(['cpu.svg', cpuPlot(lines.figures)], ['distance.svg', distancePlot(lines.figures)]);
  }
  if (scale) {
    specs.push(
      ['scale-rows.svg', scaleRowsPlot(scale.figures)],
      ['scale-cpu.svg', scaleCpuPlot(scale.figures)],
      ['complete-list.svg', listPlot(scale.figures)],
    );
  }
  await mkdir(FOLDER, { recursive: true });
  for (const [file, spec] of specs) {
    const view = new View(parse(compile(spec, { config: CONFIG }).spec), { renderer: 'none' });
    await writeFile(join(FOLDER, file), `${await view.toSVG()}\n`);
  }
}
