import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scriptWords } from '../../test/node/processes.ts';
import { document } from '../../test/support/document.ts';

// The tests of all operations try what these have in common. What one does besides, no other test can know.

it('Each operation besides those of every collection has a test of what it does', () => {
  // The last word of a path such as `/products/{productId}/archive`.
  const words = Object.keys(document.paths).flatMap(
    (path) => /\/.*\/([\w-]+)$/.exec(path)?.[1] ?? [],
  );
  const texts = readdirSync('test')
    .filter((file) => file.endsWith('.test.ts') && file !== 'costs.test.ts')
    .map((file) => readFileSync(`test/${file}`, 'utf8'));
  const without = words.filter((word) => !texts.some((text) => text.includes(`/${word}`)));
  expect(without, 'add a file to test that shows what it does').toEqual([]);
});

it('`.ci/run` runs each project of tests once', () => {
  const config = readFileSync('vitest.config.ts', 'utf8');
  const projects = [...config.matchAll(/in(?:Node|Workers)\(\s*'([\w-]+)'/g)].map(
    ([, name]) => name,
  );
  const steps = `${scriptWords('test').join(' ')} ${readFileSync('.ci/run', 'utf8')}`;
  const run = [...steps.matchAll(/--project ([\w-]+)/g)].map(([, name]) => name);
  expect(run.sort()).toEqual(projects.sort());
});
