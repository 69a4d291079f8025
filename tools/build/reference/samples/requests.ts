import type { Operation } from '../document.ts';
import { exampleText } from '../html.ts';

/** A request that shows what an operation is for. */
export interface SampleRequest {
  readonly title: string;
  readonly operation: Operation;
  /** The path with the example ids in it, and the query. */
  readonly address: string;
  /** The example of the id in the path. */
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * The requests that the page shows of an operation.
 * @throws Error if the document has no example of a parameter
 */
export function requestsOf(operation: Operation): readonly SampleRequest[] {
  const { path, summary, body } = operation;
  const exampleOf = (name: string): string => {
    const { example } = operation.parameters.find((one) => one.name === name) ?? {};
    if (example !== undefined) return exampleText(example);
    throw new Error(`${operation.id} has no example of its parameter ${name}.`);
  };
  const [placeholder = '', parameter] = /\{(\w+)\}/.exec(path) ?? [];
  const id = parameter === undefined ? undefined : exampleOf(parameter);
  const request = (title: string, body: unknown, ...parameters: string[]): SampleRequest => {
    const query = Object.fromEntries(parameters.map((name) => [name, exampleOf(name)]));
    const search = new URLSearchParams(query).toString();
    const address = path.replace(placeholder, id ?? '') + (search && `?${search}`);
    return { title, operation, address, id, query, body };
  };

  if (operation.id.startsWith('list')) {
    return [
      request(summary, undefined, 'limit'),
      request('Follow what changes', undefined, 'since'),
    ];
  }
  const [one, list] = body?.examples.map(({ value }) => value) ?? [];
  if (operation.id.startsWith('create')) {
    return [request('Create one', one), request('Push a list', list, 'match')];
  }
  return [request(summary, one)];
}
