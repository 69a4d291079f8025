import type { TopLevelSpec } from 'vega-lite';
import type { ScaleFigures } from '../figures.ts';
import { powersOfTen } from './labels.ts';

type List = ScaleFigures['lists'][number];
type Panel = Extract<TopLevelSpec, { hconcat: unknown }>['hconcat'][number];

/** A line, and its value for a list. */
type Line = readonly [name: string, value: (list: List) => number];

const COLOURS = ['#0072b2', '#d55e00'];

/** Time and memory of the complete list, over its length. */
export function listPlot({ lists }: ScaleFigures): TopLevelSpec {
  const times: Line[] = [
    ['to the first byte', ({ firstByte }) => firstByte],
    ['to the last byte', ({ lastByte }) => lastByte],
  ];
  const memories: Line[] = [
    ['before', ({ memoryBefore }) => memoryBefore],
    ['at its peak', ({ memoryBefore, memoryAdded }) => memoryBefore + memoryAdded],
  ];
  return {
    spacing: 40,
    resolve: { scale: { color: 'independent' } },
    hconcat: [
      panel(lists, 'Complete list: milliseconds', times, 'log'),
      panel(lists, 'Complete list: MiB of workerd', memories, 'linear'),
    ],
  };
}

function panel(
  lists: readonly List[],
  title: string,
  lines: readonly Line[],
  scale: 'log' | 'linear',
): Panel {
  const values = lines.flatMap(([name, value]) =>
    lists.map((list) => ({ name, products: list.productsOfBrand, value: value(list) })),
  );
  const sizes = lists.map(({ productsOfBrand }) => productsOfBrand);
  return {
    title,
    width: 270,
    height: 200,
    data: { values },
    mark: { type: 'line', point: { size: 25 }, strokeWidth: 1.5 },
    encoding: {
      x: {
        field: 'products',
        type: 'quantitative',
        title: 'products of the brand',
        scale: { type: 'log', domain: [Math.min(...sizes) * 0.8, Math.max(...sizes) * 1.25] },
        axis: { values: sizes, format: ',' },
      },
      y: {
        field: 'value',
        type: 'quantitative',
        title: null,
        scale: { type: scale },
        axis:
          scale === 'log'
            ? {
                format: ',',
                values: powersOfTen([0.1, 10 * Math.max(...values.map(({ value }) => value))]),
              }
            : { tickCount: 5, format: ',.0f' },
      },
      color: { field: 'name', type: 'nominal', sort: null, scale: { range: COLOURS } },
    },
  };
}
