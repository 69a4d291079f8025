import { filtersOf } from '../../../src/collection/list/filters.ts';
import type { DescribedService } from './described.ts';

/** Returns a table in Markdown of the fields by which the lists of each collection filter, and its pushes match. */
export function filtersAndMatches({ collections }: DescribedService): string {
  const rows = collections.map(({ heading, collection }) => [
    heading,
    inCode(Object.keys(filtersOf(collection))),
    inCode(Object.keys(collection.matches)),
  ]);
  const table = [
    ['Collection', 'Filters of a list', '`match` of a push'],
    ['---', '---', '---'],
    ...rows,
  ];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
