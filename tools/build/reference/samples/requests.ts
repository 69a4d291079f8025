import type { Operation } from '../operations.ts';
import { examplesOf, exampleText } from '../operations.ts';

/** A request that shows what an operation is for. */
export interface SampleRequest {
  /** What it does, for its heading. */
  readonly title: string;
  readonly operation: Operation;
  /** The path with the example ids in it, and the query. */
  readonly target: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body; undefined if there is none. */
  readonly body: unknown;
}

/** The requests that the page shows of an operation. */
export function requestsOf(operation: Operation): readonly SampleRequest[] {
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    exampleOf(operation, name),
  );
  const bodies = examplesOf(operation.body).map(({ value }) => value);
  const request = (
    title: string,
    body: unknown,
    ...parameters: readonly string[]
  ): SampleRequest => ({
    title,
    operation,
    target,
    query: Object.fromEntries(parameters.map((name) => [name, exampleOf(operation, name)])),
    body,
  });

  if (operation.id.startsWith('list')) {
    return [
      request(operation.summary, undefined, 'limit'),
      request('Follow what changes', undefined, 'since'),
    ];
  }
  if (operation.id.startsWith('create')) {
    const [one, list] = bodies;
    return [request('Create one', one), request('Push a list', list, 'match')];
  }
  return [request(operation.summary, bodies[0])];
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
