import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { record } from './processes.ts';

// The shapes of the JSON documents of the admin tool, as docs/operating.md has them: `{ "total", "brands": [{ "brandId" }] }`.
// `[0]` is a list of values.

const ROW = /^\| `([^`]+)` +\| `(\{[^`]+\})` +\|$/gm;

/** The documented shapes, by command: names with null, or with the shape of an object or of each item of a list. */
export const shapes: ReadonlyMap<string, unknown> = new Map(
  [...readFileSync('docs/operating.md', 'utf8').matchAll(ROW)].map(
    ([, command = '', shape = '']) => [
      command,
      JSON.parse(shape.replaceAll(/"(?=\s*[,}])/g, '": null')),
    ],
  ),
);

/** Expects a document of a command to have its documented shape. An empty list has every shape. */
export function expectShape(command: string, document: unknown): void {
  const shape = shapes.get(command);
  if (shape === undefined) throw new Error(`docs/operating.md has no shape of ${command}.`);
  expectLike(document, shape, `in docs/operating.md, ${command}`);
}

function expectLike(value: unknown, shape: unknown, place: string): void {
  if (typeof shape !== 'object' || shape === null) {
    expect(value === null || typeof value !== 'object', `${place} is no list and no object`).toBe(
      true,
    );
  } else if (Array.isArray(shape)) {
    expect(value, place).toBeInstanceOf(Array);
    for (const item of Array.isArray(value) ? value : []) expectLike(item, shape[0], place);
  } else {
    const [members, expected] = [record(value), record(shape)];
    // `{}` has any members.
    if (Object.keys(expected).length === 0) return;
    expect(Object.keys(members).sort(), place).toEqual(Object.keys(expected).sort());
    for (const [name, inner] of Object.entries(expected)) {
      expectLike(members[name], inner, `${place}.${name}`);
    }
  }
}
