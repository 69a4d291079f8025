/**
 * Writes a client of an OpenAPI document.
 *
 * @param path the folder to write to
 * @param document the file with the document
 * @param baseUrl of the service
 */
type Generate = (path: string, document: string, baseUrl: string) => Promise<void>;

/** A generator of clients, and what its user has to know. */
export interface Generator {
  readonly name: string;
  /** What it needs beside the document: options, and what its user has to know. */
  readonly needs: string;
  /** Loads it: the test that uses this table first installs the packages that the generators need. */
  readonly load: () => Promise<{ readonly generate: Generate }>;
}

/**
 * The generators of clients in TypeScript, and what each needs to work with this document. How a program uses each is in
 * `rounds`.
 */
export const generators: readonly Generator[] = [
  {
    name: 'openapi-fetch',
    needs: 'openapi-typescript with its default options, and openapi-fetch to send the requests.',
    load: () => import('./openapi-fetch.ts'),
  },
  {
    name: 'hey-api',
    needs: '`module.extension` for Node, whose imports name the file. The key goes into `auth`.',
    load: () => import('./hey-api.ts'),
  },
  {
    name: 'orval',
    needs:
      '`client: "fetch"`, and `baseUrl`: the document has a relative URL. The key goes with every call. The status tells the types of a response apart.',
    load: () => import('./orval.ts'),
  },
  {
    name: 'swagger-typescript-api',
    needs:
      'A hook: of several responses of success it knows the first only, and a POST has two. It ignores header parameters: pass them as `headers`.',
    load: () => import('./swagger-typescript-api.ts'),
  },
  {
    name: 'kubb',
    needs:
      '`client: "fetch"` with `bundle`, since the types of its own client do not compile; `dataReturnType: "full"` for the status; `extension` for Node. It does not throw on errors.',
    load: () => import('./kubb.ts'),
  },
];

/**
 * Classes in Python that need nothing but its standard library. npm has no generator of whole clients in Python that
 * does without packages of Python.
 */
export const pythonModels: Generator = {
  name: 'quicktype',
  needs:
    'The schemas as one JSON Schema, since it reads no OpenAPI; without `date-time`, since it would read times with another package. It cannot send null: a PATCH that clears a field is a dictionary.',
  load: () => import('./quicktype.ts'),
};
