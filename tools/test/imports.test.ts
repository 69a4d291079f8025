import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

// Whoever reads one of several files that import each other has to read all of them. So no file imports itself through
// others, not even a type.

const FOLDERS = ['src', 'common', 'admin', 'client/src', 'client/test', 'tools', 'bench', 'test'];

function importsByFile(): ReadonlyMap<string, readonly string[]> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ).filter((name) => name.endsWith('.ts'));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
      const imported = importedFiles.map(({ fileName }) => join(file, '..', fileName));
      return [file, imported.filter((name) => known.has(name))];
    }),
  );
}

/** Returns a way from a file back to itself, if there is one. */
function circleFrom(
  start: string,
  imports: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const ways = [[start]];
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

test('No file imports itself through others', () => {
  const imports = importsByFile();
  expect(Array.from(imports.values()).flat().length).toBeGreaterThan(1000);
  const circles = Array.from(imports.keys(), (file) => circleFrom(file, imports));
  expect(circles.filter((circle) => circle !== undefined)).toEqual([]);
});
