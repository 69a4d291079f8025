import { METHOD_NAME_ALL } from 'hono/router';
import { describe, expect, inject, test } from 'vitest';
import { createApp } from '../src/app.ts';
import type { Collection } from '../src/collection/collection.ts';
import { collections as registered } from '../src/resources/registry.ts';
import { collections, collectionsAndWidgets } from './support/collections.ts';
import type { TestCollection } from './support/collections/collection.ts';
import { document, headersOf, operationsIn } from './support/document.ts';
import { operationsOf } from './support/operations.ts';
import { collectionsWithWidgets } from './support/widgets.ts';

// The routes, the OpenAPI document and the table of operations in the tests name the same operations: none is served
// that nobody describes, and none that no test tries.

const BASE = '/api/brand/v1';

/** The route that serves the document, which does not describe itself. */
const DOCUMENT = 'GET /openapi.json';

/** The headers of every request. */
const ALWAYS = ['X-Request-Id', 'x-d1-bookmark'];

test('Every registered collection is in the table of collections', () => {
  expect(
    collections.map(({ path }) => path).sort(),
    'the table in test/support/collections.ts (received) and the registry (expected) differ: write a file for it like those in test/support/collections',
  ).toEqual(registered.map(({ path }) => `/${path}`).sort());
});

const services: readonly {
  readonly name: string;
  readonly sources: readonly Collection[];
  readonly described: object;
  readonly tested: readonly TestCollection[];
}[] = [
  { name: 'the service', sources: registered, described: document, tested: collections },
  {
    name: 'a service with a third collection',
    sources: collectionsWithWidgets,
    described: inject('widgetDocument'),
    tested: collectionsAndWidgets,
  },
];

describe.each(services)('In $name', ({ sources, described, tested }) => {
  const documented = operationsIn(described);

  test('every route is described, and everything described has a route', () => {
    // What is registered for all methods is middleware, which alone answers 404. A route whose parameters are validated
    // has two handlers.
    const routes = createApp(sources)
      .routes.filter(({ method }) => method !== METHOD_NAME_ALL)
      .map(({ method, path }) => `${method} ${path.replace(BASE, '')}`);
    expect(
      [...new Set(routes.map(withoutNames))].sort(),
      'the routes (received) and the OpenAPI document (expected) differ: describe the route in tools/build/openapi, and run "npm run openapi"',
    ).toEqual([DOCUMENT, ...documented].map(withoutNames).sort());
  });

  test('everything described is tested, and everything tested is described', () => {
    expect(
      operationsOf(tested)
        .map(({ name }) => name.replace(/:(\w+)/g, '{$1}'))
        .sort(),
      'the table in test/support/operations.ts (received) and the OpenAPI document (expected) differ',
    ).toEqual([...documented].sort());
  });

  test.each(operationsOf(tested))('$name honours the headers that are described', (operation) => {
    const { name, honours } = operation;
    expect(
      headersOf(described, name.replace(/:(\w+)/g, '{$1}')),
      'the headers of the OpenAPI document (received) and "honours" in test/support/operations.ts (expected) differ',
    ).toEqual([...honours, ...ALWAYS].sort());
  });
});

/** An operation without the names of its parameters, which are shorter in routes. */
function withoutNames(operation: string): string {
  return operation.replace(/:\w+|\{\w+\}/g, '{}');
}
