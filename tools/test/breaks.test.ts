import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BREAKS } from './breaks/breaks.ts';

// `npm run breaks` takes long and runs weekly: what moved is to be known at once.

test.each(BREAKS)('The break "$rule" fits the code', ({ file, from, test: name }) => {
  const occurrences = readFileSync(file, 'utf8').split(from).length - 1;
  expect(occurrences, `${file} is to have this text once: ${from}`).toBe(1);
  expect(existsSync(`${name}.test.ts`), `${name}.test.ts`).toBe(true);
});
