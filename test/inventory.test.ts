import { METHOD_NAME_ALL } from 'hono/router';
import { describe, expect, inject, it } from 'vitest';
import { app, createApp } from '../src/app.ts';
import { collections as registered } from '../src/resources/registry.ts';
import { operationsWithFixtures } from './fixtures/operations.ts';
import { collectionsWithWidgets } from './fixtures/widgets.ts';
import { collections, collectionsAndWidgets } from './support/collections.ts';
import type { TestCollection } from './support/collections/collection.ts';
import { document, headersOf, operationsIn } from './support/document.ts';
import { operationsOf } from './support/operations.ts';

// The routes and the OpenAPI document name the same operations: none is served that nobody describes, and none is described
// that nobody serves. The tests of all operations take theirs from the document.

const BASE = '/api/brand/v1';

/** The route that serves the document, which does not describe itself. */
const DOCUMENT = 'GET /openapi.json';

/** The headers of every request. */
const ALWAYS = ['X-Request-Id', 'x-d1-bookmark'];

it('Every registered collection is in the table of collections', () => {
  expect(
    collections.map(({ path }) => path).sort(),
    'the table in test/support/collections.ts (received) and the registry (expected) differ: write a file for it like those in test/support/collections',
  ).toEqual(registered.map(({ path }) => `/${path}`).sort());
});

const services: readonly {
  readonly name: string;
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  readonly described: object;
  readonly tested: readonly TestCollection[];
}[] = [
  { name: 'the service', routes: app.routes, described: document, tested: collections },
  {
    name: 'a service with everything in test/fixtures',
    routes: createApp(operationsWithFixtures(collectionsWithWidgets)).routes,
    described: inject('fixtureDocument'),
    tested: collectionsAndWidgets,
  },
];

describe.each(services)('$name', ({ routes, described, tested }) => {
  const documented = operationsIn(described);

  it('Every route is described, and everything described has a route', () => {
    // What is registered for all methods is middleware, which alone answers 404. A route whose parameters are validated
    // has two handlers.
    const served = routes
      .filter(({ method }) => method !== METHOD_NAME_ALL)
      .map(({ method, path }) => `${method} ${path.replace(BASE, '')}`);
    expect(
      [...new Set(served.map(withoutNames))].sort(),
      'the routes (received) and the OpenAPI document (expected) differ: describe the route in an .openapi.ts file beside it, list it in src/app.openapi.ts or src/collection/routes.openapi.ts, and run "npm run openapi"',
    ).toEqual([DOCUMENT, ...documented].map(withoutNames).sort());
  });

  const operations = operationsOf(tested).filter(({ name }) => documented.includes(named(name)));

  it.each(operations)(
    'An operation honours the headers that are described: $name',
    ({ name, honours }) => {
      expect(
        headersOf(described, named(name)),
        'the headers of the OpenAPI document (received) and "honours" in test/support/operations.ts (expected) differ',
      ).toEqual([...honours, ...ALWAYS].sort());
    },
  );
});

/** The name of an operation in the document. */
function named(operation: string): string {
  return operation.replace(/:(\w+)/g, '{$1}');
}

/** An operation without the names of its parameters, which are shorter in routes. */
function withoutNames(operation: string): string {
  return operation.replace(/:\w+|\{\w+\}/g, '{}');
}
