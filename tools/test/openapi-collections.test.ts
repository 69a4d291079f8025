import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument } from '../build/openapi/document.ts';
import { documentSchema, document } from '../../test/support/document.ts';
import { temporaryFolder } from '../../test/node/processes.ts';
import { serviceWithWidgets, WIDGETS } from './fixture-document.ts';

// Vitest's own types of these are `any`.
const containing = (part: object): unknown =>
  expect.arrayContaining([expect.objectContaining(part)]);
const endingWith = (end: RegExp): unknown => expect.stringMatching(end);

/** What follows the path of a collection in the document, without the name of the id. */
function pathsBelow(collection: string): string[] {
  return Object.keys(document.paths)
    .filter((path) => path === collection || path.startsWith(`${collection}/`))
    .map((path) => path.slice(collection.length).replace(/{\w+}/, '{}'));
}

it('A third collection is described like the others, without extra code', async () => {
  const made = documentSchema.parse(openApiDocument(await serviceWithWidgets()));
  const shared = pathsBelow('/coupon-codes').filter((path) =>
    pathsBelow('/products').includes(path),
  );
  expect(Object.keys(made.paths)).toEqual([
    ...Object.keys(document.paths),
    ...shared.map((path) => `/widgets${path.replace('{}', '{widgetId}')}`),
  ]);
  expect(made.paths['/widgets']).toMatchObject({
    get: {
      operationId: 'listWidgets',
      tags: ['Widgets'],
      parameters: containing({ name: 'colour', in: 'query', example: ['red'] }),
    },
    post: { responses: { 409: { $ref: '#/components/responses/WidgetExists' } } },
  });
  const { schemas = {}, responses = {} } = made.components;
  expect(schemas['Widget']).toMatchObject({
    description: 'Things that only a test has.',
    properties: {
      size: {
        description: 'How long it is, in millimetres. An integer from 0 to 2,147,483,647.',
        examples: [12],
      },
    },
  });
  expect(schemas['WidgetInput']).toMatchObject({
    required: ['name'],
    properties: {
      size: { description: endingWith(/Default: `5`\.$/) },
      label: { description: endingWith(/Default: The name\.$/) },
    },
  });
  expect(JSON.stringify(responses['WidgetExists'])).toContain('Widget \\"Gear\\" already exists.');
});

it('A third collection does not change the other descriptions', async () => {
  const made = documentSchema.parse(
    JSON.parse(JSON.stringify(openApiDocument(await serviceWithWidgets()))),
  );
  expect(made.paths).toMatchObject(document.paths);
  expect(made.components).toMatchObject(document.components);
});

const name = '/** What it is called. @example "Gear" */';
const label = '/** What is printed on it. @default The name. @example "GEAR" */';

it.each([
  ['is missing', name, '', 'the field name of widgets has no meaning. Write a comment above it'],
  ['is none of JSDoc', name, '// What. @example "Gear"', 'name of widgets has no meaning'],
  ['has no text', name, '/** @example "Gear" */', 'the field name of widgets has no meaning.'],
  ['has no example', name, '/** What. */', 'the field name of widgets has no example.'],
  ['has one that is no JSON', name, '/** What. @example Gear */', 'Gear is not JSON'],
  ['has one of another type', name, '/** What. @example 1 */', 'never has its example 1.'],
  ['has one that is changed', name, '/** What. @example " Gear" */', 'its example " Gear".'],
  ['says no derived default', label, '/** What. @example "GEAR" */', 'is derived if it is left'],
  [
    'says a default that it has not',
    name,
    '/** What. @default None. @example "GEAR" */',
    'Take @default out of its comment',
  ],
  [
    'has null as the example of a filter',
    '/** What it looks like. @example "red" */',
    '/** What it looks like. @example null */',
    'the field colour of widgets is a filter, and its example is null.',
  ],
  [
    'is missing from the resource',
    '/** Things that only a test has. */',
    '',
    'write above widgets what it is',
  ],
])(
  'The comment of a field fails the build if it lacks something: it %s',
  async (_, comment, replacement, message) => {
    const folder = await temporaryFolder();
    const source = await readFile(WIDGETS, 'utf8');
    expect(source).toContain(comment);
    const file = join(folder.path, 'widgets.ts');
    await writeFile(file, source.replace(comment, replacement));
    const building = serviceWithWidgets(file);
    await expect(building).rejects.toThrow(message);
    await expect(building).rejects.toThrow(file);
    await folder.remove();
  },
);
