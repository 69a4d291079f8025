import type { Document, Header, Parameter } from '../document.ts';
import type { Html } from '../html.ts';
import { html, slug } from '../html.ts';
import type { Operation } from '../operations.ts';
import { typeLabel } from '../resources.ts';
import { definitions, typeNote } from './definitions.ts';
import { heading } from './heading.ts';
import { definitionOf } from './parameters.ts';
import { row } from './row.ts';

/** The names of what all operations have, which is described once. */
export interface CommonNames {
  readonly parameters: ReadonlySet<string>;
  readonly headers: ReadonlySet<string>;
}

/** What every operation takes, and what every response to a good request has. */
export interface Common {
  readonly names: CommonNames;
  readonly parameters: readonly Parameter[];
  readonly headers: readonly (readonly [name: string, header: Header])[];
}

/** Finds what all operations have. */
export function commonOf(operations: readonly Operation[]): Common {
  const answers = operations.flatMap(({ successes }) => successes);
  const parameters = (operations[0]?.parameters ?? []).filter(({ name }) =>
    operations.every((operation) => operation.parameters.some((own) => own.name === name)),
  );
  const headers = Object.entries(answers[0]?.headers ?? {}).filter(([name]) =>
    answers.every((answer) => answer.headers !== undefined && name in answer.headers),
  );
  return {
    parameters,
    headers,
    names: {
      parameters: new Set(parameters.map(({ name }) => name)),
      headers: new Set(headers.map(([name]) => name)),
    },
  };
}

/** The section on the headers that all operations have. */
export function commonSection(document: Document, { parameters, headers }: Common): Html {
  return row(
    html`${heading(2, 'headers', 'Common headers')}
      <p>Every operation takes these headers, and every successful response has them.</p>
      ${heading(3, 'headers-request', 'Requests')}
      ${definitions(
        parameters.map((parameter) => definitionOf(document, parameter, 'headers-request')),
      )}
      ${heading(3, 'headers-response', 'Responses')}
      ${definitions(
        headers.map(([name, { description, schema }]) => ({
          id: `headers-response-${slug(name)}`,
          name,
          notes: [typeNote(typeLabel(document, schema))],
          description,
          example: schema.examples?.[0],
        })),
      )}`,
    [],
  );
}
