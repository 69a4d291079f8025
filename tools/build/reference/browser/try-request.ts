import type { TryOperation } from './data.ts';

/** What the reader entered. Parameters that are empty are not sent. */
export interface Entered {
  readonly key: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** As it was typed; undefined if the operation has none. */
  readonly body: string | undefined;
}

/** A response, as it came. */
export interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/**
 * Sends a request to the service that the page came from, and to nobody else.
 * @throws TypeError if the request cannot be sent, or if no response comes
 */
export async function send(operation: TryOperation, entered: Entered): Promise<Answer> {
  const begun = performance.now();
  const response = await fetch(addressOf(operation, entered), {
    method: operation.method,
    headers: headersOf(operation, entered),
    ...(entered.body !== undefined && { body: entered.body }),
    cache: 'no-store',
    credentials: 'omit',
    // A redirect would take the key elsewhere.
    redirect: 'error',
  });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - begun),
    headers: [...response.headers],
    text,
  };
}

/** The URL of a request. The path of the operation makes it one of this origin, whatever was entered. */
function addressOf({ path, parameters }: TryOperation, entered: Entered): URL {
  const valueOf = (name: string): string => entered.parameters.get(name) ?? '';
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name))),
    location.origin,
  );
  for (const parameter of parameters) {
    const value = valueOf(parameter.name);
    if (parameter.in === 'query' && value !== '') url.searchParams.set(parameter.name, value);
  }
  return url;
}

function headersOf(
  { parameters }: TryOperation,
  { key, parameters: values, body }: Entered,
): Headers {
  const headers = new Headers({ Authorization: `Bearer ${key}` });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  for (const parameter of parameters) {
    const value = values.get(parameter.name) ?? '';
    if (parameter.in === 'header' && value !== '') headers.set(parameter.name, value);
  }
  return headers;
}
