import type { Config, TopLevelSpec } from 'vega-lite';
import type { Row } from './table.ts';

/** A plot of one of a part's tables. */
export interface Plot {
  readonly file: string;
  readonly title: string;
  readonly part: string;
  readonly table: number;
  readonly spec: (rows: readonly Row[]) => TopLevelSpec;
}

/** A white background, because a page may be dark, and colours for colour-blind readers (Okabe and Ito). */
export const CONFIG: Config = {
  ...{ background: 'white', font: 'sans-serif', padding: 12, view: { stroke: null } },
  ...{
    title: { anchor: 'start', offset: 12 },
    legend: { title: null, labelLimit: 0, orient: 'top' },
  },
  range: { category: ['#0072b2', '#bbbbbb', '#e69f00', '#d55e00'] },
};

/** A logarithmic scale with a zero, where bars start. */
const LOG = { type: 'symlog', constant: 0.02 };

/** All plots, in display order. */
export const PLOTS: readonly Plot[] = [
  {
    ...{ file: 'cpu.svg', title: 'CPU of a request, D1 included (bare Worker = 1)' },
    ...{ part: 'side-by-side', table: 0, spec: bars('operation', 'contestant', '× bare') },
  },
  {
    ...{ file: 'distance.svg', title: 'Median latency in ms with 30 ms to D1' },
    ...{ part: 'side-by-side', table: 0, spec: bars('operation', 'contestant', 'p50 at 30 ms') },
  },
  {
    ...{ file: 'in-step.svg', title: 'Seconds with 10,000 products and 30 ms to D1' },
    ...{ part: 'in-step', table: 1, spec: bars('task', 'design', 's at 30 ms', LOG) },
  },
];

/** Groups of bars with their values. */
function bars(group: string, bar: string, value: string, scale: object = {}) {
  return (rows: readonly Row[]): TopLevelSpec => {
    const sort = [...new Set(rows.map((row) => String(row[bar])))];
    const groups = [...new Set(rows.map((row) => String(row[group])))];
    const y = { field: value, type: 'quantitative', title: null } as const;
    return {
      ...{ width: groups.length * 170, height: 220, data: { values: [...rows] } },
      encoding: {
        x: { field: group, sort: groups, title: null, axis: { labelAngle: 0, ticks: false } },
        xOffset: { field: bar, sort },
        y: { ...y, scale },
      },
      layer: [
        { mark: 'bar', encoding: { color: { field: bar, sort, type: 'nominal' } } },
        {
          mark: { type: 'text', dy: -6, fontSize: 9.5 },
          encoding: { text: { ...y, format: '.3~r' } },
        },
      ],
    };
  };
}
