import type { TopLevelSpec } from 'vega-lite';
import type { SideBySideFigures } from '../figures.ts';
import { DISTANCE } from '../side-by-side/side-by-side.ts';

type Line = SideBySideFigures[number];

/** Colours that colour-blind eyes can tell apart (Okabe and Ito). */
const COLOURS = ['#bbbbbb', '#0072b2', '#e69f00', '#d55e00', '#56b4e9', '#009e73'];

/** CPU of a request as a multiple of what the bare Worker takes, grouped by operation. */
export function cpuPlot(lines: SideBySideFigures): TopLevelSpec {
  return bars(lines, {
    title: 'CPU of a request, D1 included (bare Worker = 1)',
    value: ({ cpuToBare }) => cpuToBare,
    format: '.2f',
  });
}

/** Median latency with a distance to D1, grouped by operation. */
export function distancePlot(lines: SideBySideFigures): TopLevelSpec {
  return bars(lines, {
    title: `Median latency in ms with ${DISTANCE} ms to D1`,
    value: ({ distantP50 }) => distantP50,
    format: '.0f',
  });
}

interface Bars {
  readonly title: string;
  readonly value: (line: Line) => number;
  readonly format: string;
}

function bars(lines: SideBySideFigures, { title, value, format }: Bars): TopLevelSpec {
  const names = [...new Set(lines.map(({ contestant }) => contestant))];
  // What the others are compared to comes first.
  const contestants = ['bare', ...names.filter((name) => name !== 'bare')];
  const operations = [...new Set(lines.map(({ operation }) => operation))];
  return {
    title,
    width: operations.length * 170,
    height: 220,
    data: { values: lines.map((line) => ({ ...line, value: value(line) })) },
    encoding: {
      x: {
        field: 'operation',
        type: 'nominal',
        sort: operations,
        title: null,
        axis: { labelAngle: 0, ticks: false, domain: false, labelPadding: 6 },
        scale: { paddingInner: 0.12, paddingOuter: 0.05 },
      },
      xOffset: { field: 'contestant', sort: contestants },
      y: { field: 'value', type: 'quantitative', title: null, axis: { tickCount: 5 } },
    },
    layer: [
      {
        mark: { type: 'bar', width: { band: 0.92 } },
        encoding: {
          color: {
            field: 'contestant',
            type: 'nominal',
            sort: contestants,
            scale: { domain: contestants, range: COLOURS },
          },
        },
      },
      {
        mark: { type: 'text', dy: -6, fontSize: 9.5, color: '#333333' },
        encoding: { text: { field: 'value', type: 'quantitative', format } },
      },
    ],
  };
}
