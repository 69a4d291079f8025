import { exampleText } from '../code.ts';
import type { Operation } from '../document.ts';

/** A request that shows what an operation is for. */
export interface SampleRequest {
  /** What it does, for its heading. */
  readonly title: string;
  readonly operation: Operation;
  /** The path with the example ids in it, and the query. */
  readonly address: string;
  /** The example of the id in the path; undefined if the path has none. */
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** The body; undefined if there is none. */
  readonly body: unknown;
}

/** The requests that the page shows of an operation. */
export function requestsOf(operation: Operation): readonly SampleRequest[] {
  const { id, path, summary, body } = operation;
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(operation, name));
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
  const example = parameter === undefined ? undefined : exampleOf(operation, parameter);
  const request = (title: string, body: unknown, ...parameters: string[]): SampleRequest => {
    const query = Object.fromEntries(parameters.map((name) => [name, exampleOf(operation, name)]));
    const search = new URLSearchParams(query).toString();
    const address = target + (search && `?${search}`);
    return { title, operation, address, id: example, query, body };
  };

  if (id.startsWith('list')) {
    return [
      request(summary, undefined, 'limit'),
      request('Follow what changes', undefined, 'since'),
    ];
  }
  const [one, list] = body?.examples.map(({ value }) => value) ?? [];
  if (id.startsWith('create')) {
    return [request('Create one', one), request('Push a list', list, 'match')];
  }
  return [request(summary, one)];
}

/**
 * The example of a parameter, as a text.
 * @throws Error if the document has none
 */
function exampleOf({ id, parameters }: Operation, name: string): string {
  const { example } = parameters.find((parameter) => parameter.name === name) ?? {};
  if (example === undefined) throw new Error(`${id} has no example of its parameter ${name}.`);
  return exampleText(example);
}
