import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scriptWords } from '../../test/node/processes.ts';

it('`.ci/run` runs each project of tests once', () => {
  const config = readFileSync('vitest.config.ts', 'utf8');
  const projects = [...config.matchAll(/in(?:Node|Workers)\(\s*'([\w-]+)'/g)].map(
    ([, name]) => name,
  );
  const steps = `${scriptWords('test').join(' ')} ${readFileSync('.ci/run', 'utf8')}`;
  const run = [...steps.matchAll(/--project ([\w-]+)/g)].map(([, name]) => name);
  expect(run.sort()).toEqual(projects.sort());
});
