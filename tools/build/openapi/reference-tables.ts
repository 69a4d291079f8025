import { filtersOf } from '../../../src/collection/list/filters.ts';
import { CURRENCIES } from '../../../common/currencies.ts';
import type { DescribedCollection, DescribedService } from './described.ts';

// The tables of the reference, in Markdown.

/** Returns the fields by which the lists of each collection filter, and its pushes match. */
export function filtersAndMatches({ collections }: DescribedService): string {
  return table(collections, {
    'Filters of a list': ({ collection }) => Object.keys(filtersOf(collection)),
    '`match` of a push': ({ collection }) => Object.keys(collection.matches),
  });
}

/** Returns the fields that a PUT of each collection needs, resets and keeps. */
export function fieldsOfPut({ collections }: DescribedService): string {
  return table(collections, {
    Required: ({ fields }) => namesOf(fields.filter(({ isRequired }) => isRequired)),
    'Reset if left out': ({ fields }) => namesOf(fields.filter(({ isReset }) => isReset)),
    'Kept if left out': ({ fields }) =>
      namesOf(fields.filter(({ isRequired, isReset }) => !isRequired && !isReset)),
  });
}

/** Returns the currencies by their decimals. Most have 2. */
export function currencyDecimals(): string {
  const byDecimals = Map.groupBy([...CURRENCIES.keys()].sort(), (code) => CURRENCIES.get(code));
  const rows = [...byDecimals].map(([decimals, codes]) => [
    decimals,
    decimals === 2 ? 'All others, also funds and metals' : inCode(codes),
  ]);
  return [['Decimals', 'Currencies'], ['---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function namesOf(fields: readonly { readonly name: string }[]): string[] {
  return fields.map(({ name }) => name);
}

/** @param columns by their heading, the names in the cell of a collection */
function table(
  collections: readonly DescribedCollection[],
  columns: Readonly<Record<string, (described: DescribedCollection) => readonly string[]>>,
): string {
  const rows = [
    ['Collection', ...Object.keys(columns)],
    ['---', ...Object.keys(columns).map(() => '---')],
    ...collections.map((described) => [
      described.heading,
      ...Object.values(columns).map((names) => inCode(names(described))),
    ]),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
