/** Something that the search finds. */
export interface SearchEntry {
  readonly kind: 'Guide' | 'Operation' | 'Field' | 'Parameter' | 'Error';
  readonly title: string;
  /** What it belongs to. */
  readonly where: string;
  /** Of its place on the page. */
  readonly id: string;
}

/** A parameter of an operation that can be tried. */
export interface TryParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly type: string;
  /** The values of which it has one; empty if there is no such set. */
  readonly values: readonly string[];
  readonly isRequired: boolean;
  readonly example: string;
}

/** An operation that can be tried. */
export interface TryOperation {
  readonly method: string;
  /** The whole path, with the names of its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly TryParameter[];
  /** Examples of its body, as JSON; empty if it has none. */
  readonly bodies: readonly { readonly title: string; readonly value: unknown }[];
}
