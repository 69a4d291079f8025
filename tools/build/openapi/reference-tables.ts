import { filtersOf } from '../../../src/collection/list/filters.ts';
import { CURRENCIES } from '../../../common/currencies.ts';
import type { DescribedCollection, DescribedService } from './described.ts';
import type { DescribedOperation } from './operation.ts';

// The tables of the reference and of the README, in Markdown.

/** Returns all operations, with the statuses of their successes. */
export function operationsTable(operations: readonly DescribedOperation[]): string {
  const rows = operations.map(({ method, path, summary, responses }) => {
    const statuses = Object.keys(responses).filter((status) => status < '400');
    return [`\`${method.toUpperCase()}\``, `\`${path}\``, summary, statuses.join(', ')];
  });
  return markdown([['Method', 'Path', 'What it does', 'Status'], ...rows]);
}

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
  return markdown([['Decimals', 'Codes'], ...rows]);
}

function namesOf(fields: readonly { readonly name: string }[]): string[] {
  return fields.map(({ name }) => name);
}

/** @param columns by their heading, the names in the cell of a collection */
function table(
  collections: readonly DescribedCollection[],
  columns: Readonly<Record<string, (described: DescribedCollection) => readonly string[]>>,
): string {
  return markdown([
    ['Collection', ...Object.keys(columns)],
    ...collections.map((described) => [
      described.heading,
      ...Object.values(columns).map((names) => inCode(names(described))),
    ]),
  ]);
}

/** Returns a table, whose first row is its heading. */
function markdown([heading = [], ...rows]: readonly (readonly unknown[])[]): string {
  return [heading, heading.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(String).join(' | ')} |`)
    .join('\n');
}

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
