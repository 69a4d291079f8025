import { median } from 'simple-statistics';
import type { TopLevelSpec } from 'vega-lite';
import type { ScaleFigures } from '../figures.ts';
import { powersOfTen, spread } from './labels.ts';

type Cost = ScaleFigures['costs'][number];

const COLOURS = { flat: '#0072b2', scan: '#d55e00', list: '#777777' };
const NAMES = {
  flat: 'promised flat',
  scan: 'reads the brand’s own rows',
  list: 'reads what it returns',
};
const HEIGHT = 300;

/** Rows that a request reads, over the products of its brand. */
export function scaleRowsPlot({ costs }: ScaleFigures): TopLevelSpec {
  return lines(costs, 'Rows read by a request', ({ d1 }) => d1.rowsRead);
}

/** CPU of a request, over the products of its brand. */
export function scaleCpuPlot({ costs }: ScaleFigures): TopLevelSpec {
  return lines(costs, 'CPU of a request in ms, D1 included', ({ cpu }) => cpu / 1000);
}

/** A line of a plot: an operation, or several that cost the same. */
interface Series {
  readonly name: string;
  readonly promise: Cost['promise'];
  readonly points: readonly { readonly products: number; readonly value: number }[];
}

/** All filters that scan are one line: they do the same. */
function seriesOf(costs: readonly Cost[], value: (cost: Cost) => number): Series[] {
  const groups = Map.groupBy(costs, ({ operation, promise }) =>
    promise === 'scan' ? 'by any other filter' : operation,
  );
  return Array.from(groups, ([name, group]) => ({
    name,
    promise: group[0]?.promise ?? 'flat',
    points: Array.from(
      Map.groupBy(group, ({ productsOfBrand }) => productsOfBrand),
      ([products, some]) => ({ products, value: median(some.map(value)) }),
    ),
  }));
}

function lines(costs: readonly Cost[], title: string, value: (cost: Cost) => number): TopLevelSpec {
  const series = seriesOf(costs, value);
  const values = series.flatMap(({ name, promise, points }) =>
    points.map((point) => ({ name, promise: NAMES[promise], ...point })),
  );
  const all = values.map((point) => point.value);
  const domain = [10 ** Math.floor(Math.log10(Math.min(...all))), Math.max(...all) * 1.8];
  const most = Math.max(...values.map(({ products }) => products));
  const ends = values.filter(({ products }) => products === most);
  const color = {
    field: 'promise',
    type: 'nominal',
    scale: { domain: Object.values(NAMES), range: Object.values(COLOURS) },
  } as const;
  return {
    title,
    width: 480,
    height: HEIGHT,
    encoding: {
      x: {
        field: 'products',
        type: 'quantitative',
        title: 'products of the brand',
        scale: { type: 'log', domain: [80, most * 1.25] },
        axis: { values: [100, 1000, 10_000, 100_000], format: ',' },
      },
      y: {
        field: 'value',
        type: 'quantitative',
        title: null,
        scale: { type: 'log', domain, nice: false },
        axis: { values: powersOfTen(domain), format: ',' },
      },
    },
    layer: [
      {
        data: { values },
        mark: { type: 'line', point: { size: 25 }, strokeWidth: 1.5 },
        encoding: { color, detail: { field: 'name' } },
      },
      {
        data: { values: spread(ends, domain, HEIGHT) },
        mark: { type: 'text', align: 'left', dx: 10, fontSize: 11 },
        encoding: { y: { field: 'place', type: 'quantitative' }, text: { field: 'name' }, color },
      },
    ],
  };
}
