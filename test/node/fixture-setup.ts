import type { TestProject } from 'vitest/node';
import { record, run } from './processes.ts';

/** Hands the document of the service with everything in `test/fixtures` to the tests in the Workers runtime, which cannot read comments. */
export default async function setup(project: TestProject): Promise<void> {
  const { code, stdout, stderr } = await run(process.execPath, 'tools/test/fixture-document.ts');
  if (code !== 0) throw new Error(stderr);
  project.provide('fixtureDocument', record(JSON.parse(stdout)));
}
