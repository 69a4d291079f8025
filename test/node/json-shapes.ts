import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { record } from './processes.ts';

// The shapes of the JSON documents of the admin tool, as docs/operating-once.md has them: `{ "total", "brands": [{ "brandId" }] }`.
// `[0]` is a list of values, and a name in capitals stands for the shape that is in its own line.

const LINE = /^- `([^`]+)`: `(\{[^`]+\})`$/gm;

const lines = [...readFileSync('docs/operating-once.md', 'utf8').matchAll(LINE)].map(
  ([, name = '', shape = '']): [string, string] => [name, shape],
);

const named = new Map(lines.filter(([name]) => /^[A-Z]+$/.test(name)));

/** The documented shapes, by command: names with null, or with the shape of an object or of each item of a list. */
export const shapes: ReadonlyMap<string, unknown> = new Map(
  lines
    .filter(([name]) => !named.has(name))
    .map(([command, shape]): [string, unknown] => {
      const whole = shape.replaceAll(/(?<!")\b[A-Z]+\b(?!")/g, (name) => named.get(name) ?? name);
      return [command, JSON.parse(whole.replaceAll(/"(?=\s*[,}])/g, '": null'))];
    }),
);

/** Expects a document of a command to have its documented shape. An empty list has every shape. */
export function expectShape(command: string, document: unknown): void {
  const shape = shapes.get(command);
  if (shape === undefined) throw new Error(`docs/operating-once.md has no shape of ${command}.`);
  expectLike(document, shape, `in docs/operating-once.md, ${command}`);
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
