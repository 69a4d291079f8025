/** A complete response. */
export interface Answer {
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly body: unknown;
  readonly milliseconds: number;
}

/** Returns the member of a JSON object at a path; undefined if there is none. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined,
    value,
  );
}

/** Returns a member that must be a string. */
export function textMember(value: unknown, ...path: readonly string[]): string {
  const found = member(value, ...path);
  if (typeof found !== 'string') throw new Error(`The response has no ${path.join('.')}.`);
  return found;
}

/** Returns a member that must be a list. */
export function listMember(value: unknown, ...path: readonly string[]): unknown[] {
  const found = member(value, ...path);
  if (!Array.isArray(found)) throw new Error(`The response has no list ${path.join('.')}.`);
  return found;
}

/** Returns a request and the status of its response, for a report. */
export function described({ method, path, status }: Answer): string {
  return `${method} ${path}: ${status}`;
}

/** Returns the tag of a response without the `W/` that compression adds. */
export function weak({ headers }: Answer): string {
  return (headers.get('ETag') ?? '').replace(/^W\//, '');
}
