import type { SearchEntry } from './browser/data.ts';
import { slug } from './html.ts';
import type { Contents } from './contents.ts';
import type { Operation } from './operations.ts';
import { errorTextsOf } from './operations.ts';

/** What the search of the page finds: guides, operations, fields, parameters and errors. */
export function searchEntries({ guides, sections, common }: Contents): readonly SearchEntry[] {
  const operations = sections.flatMap((section) => section.operations);
  const parts = guides.flatMap(({ id, title, parts: [, ...below] }) => [
    { kind: 'Guide', title, where: '', id } as const,
    ...below.map(
      ({ heading }) =>
        ({ kind: 'Guide', title: heading, where: title, id: `${id}-${slug(heading)}` }) as const,
    ),
  ]);
  const fields = sections.flatMap(({ resources }) =>
    resources.flatMap((resource) =>
      resource.fields.map(
        ({ id, name }) =>
          ({ kind: 'Field', title: name, where: `The ${resource.name}`, id }) as const,
      ),
    ),
  );
  const parameters = operations.flatMap(({ id, summary, parameters: all }) =>
    all
      .filter(({ name }) => !common.names.parameters.has(name))
      .map(
        ({ name }) =>
          ({ kind: 'Parameter', title: name, where: summary, id: `${id}-${name}` }) as const,
      ),
  );
  return [
    ...operations.map(
      ({ id, summary, method, path }) =>
        ({
          kind: 'Operation',
          title: summary,
          where: `${method.toUpperCase()} ${path}`,
          id,
        }) as const,
    ),
    ...parts,
    { kind: 'Guide', title: 'Common headers', where: '', id: 'headers' },
    ...fields,
    ...parameters,
    ...common.parameters.map(
      ({ name }) =>
        ({
          kind: 'Parameter',
          title: name,
          where: 'Common headers',
          id: `headers-request-${name}`,
        }) as const,
    ),
    ...errorEntries(operations),
  ];
}

/** Each text of an error once, at the first operation that has it. */
function errorEntries(operations: readonly Operation[]): SearchEntry[] {
  const all = operations.flatMap(({ id, summary, errors }) =>
    errors.flatMap((error) =>
      errorTextsOf(error).map((text) => ({
        title: `${error.status} ${text}`,
        summary,
        id: `${id}-${error.status}`,
      })),
    ),
  );
  return [...Map.groupBy(all, ({ title }) => title).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { title, summary, id } = first;
    const where = others.length === 0 ? summary : `${summary}, and ${others.length} more`;
    return [{ kind: 'Error', title, where, id } as const];
  });
}
