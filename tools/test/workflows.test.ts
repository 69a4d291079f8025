import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Workflow } from './workflow.ts';
import { readWorkflow } from './workflow.ts';

// Code of any package may run in the tests. It must not run where a secret is, or the right to publish.

interface Place {
  readonly workflow: Workflow;
  readonly job: Workflow['jobs'][string];
}

const names = readdirSync('.github/workflows');
const workflows = names.map((name) => ({ name, workflow: readWorkflow(name) }));
const jobs = workflows.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([id, job]) => ({ place: `${id} of ${name}`, workflow, job })),
);
const trusted = jobs.filter(isTrusted);

/** Whether somebody who controls what runs in the job could deploy, publish or write. */
function isTrusted({ job, workflow: { jobs: _, ...shared } }: Place): boolean {
  const mayWrite = Object.values(job.permissions).some((access) => access !== 'read');
  // `secrets: inherit` hands over all of them.
  const hasSecrets = /\bsecrets\b/.test(JSON.stringify([shared, job]));
  return mayWrite || job.environment !== undefined || hasSecrets;
}

/** What such a job may run. Neither the tests nor the install scripts of packages are among it. */
const ALLOWED =
  /^(?:npm ci --ignore-scripts|(?:npm run deploy --|npm publish|npm pkg set|test) [^\n;&|]+)$/;

it('One job of the workflows deploys, and one publishes', () => {
  expect(trusted.map(({ place }) => place)).toEqual([
    'deploy of deploy.yml',
    'publish of release-client.yml',
  ]);
});

it.each(workflows)(
  'A workflow may only read the code, unless a job says more: $name',
  ({ workflow }) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  },
);

// Others, such as pull_request_target, run with the rights of the repository on what a stranger sends.
it.each(workflows)(
  'A workflow runs on events that hand no rights to strangers: $name',
  ({ workflow }) => {
    const harmless = ['push', 'pull_request', 'workflow_call', 'workflow_dispatch', 'schedule'];
    expect(harmless).toEqual(expect.arrayContaining(Object.keys(workflow.on)));
  },
);

it.each(jobs)(
  'A job has commands that no name of a branch or tag can change: $place',
  ({ job }) => {
    const commands = job.steps.flatMap(({ run }) => run ?? []);
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  },
);

it.each(jobs)('A job fails if one of its steps fails: $place', ({ job }) => {
  expect(JSON.stringify(job)).not.toMatch(/"(if|continue-on-error)":/);
});

it.each(jobs)(
  'A job uses actions by commit, and leaves no token on the disk: $place',
  ({ job }) => {
    const actions = [job, ...job.steps].flatMap(({ uses }) => uses ?? []);
    const unpinned = actions.filter((uses) => !/^\.\/|@[0-9a-f]{40}$/.test(uses));
    expect(unpinned).toEqual([]);
    const checkouts = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const step of checkouts) expect(step.with).toHaveProperty('persist-credentials', false);
  },
);

it.each(['breaks', 'random'])('A workflow runs what is to run every week: npm run %s', (name) => {
  const { on, jobs } = readWorkflow(`${name}.yml`);
  expect(Object.keys(on)).toContain('schedule');
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run));
  expect(commands).toContain(`npm run ${name}`);
});

it('Dependabot proposes packages and actions once a week, each in one pull request', async () => {
  const updates = z.object({
    version: z.literal(2),
    updates: z.array(
      z.looseObject({
        'package-ecosystem': z.string(),
        directory: z.literal('/'),
        schedule: z.strictObject({ interval: z.literal('weekly') }),
        groups: z.record(z.string(), z.strictObject({ patterns: z.tuple([z.literal('*')]) })),
      }),
    ),
  });
  const { updates: all } = updates.parse(parse(await readFile('.github/dependabot.yml', 'utf8')));
  expect(all.map((one) => one['package-ecosystem'])).toEqual(['npm', 'github-actions']);
});

describe.each(trusted)('$place', ({ job, workflow }) => {
  it('A trusted job runs no tests, no install scripts, and nothing from a cache', () => {
    const commands = job.steps.flatMap(({ run }) => run ?? []);
    expect(commands.filter((command) => !ALLOWED.test(command))).toEqual([]);
    for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'))) {
      expect(step.with).toMatchObject({ 'package-manager-cache': false });
      expect(step.with).not.toHaveProperty('cache');
    }
  });

  it('A trusted job runs for a tag, or by hand', () => {
    const { push, workflow_dispatch: _, ...others } = workflow.on;
    expect([push, others]).toEqual([{ tags: [expect.any(String)] }, {}]);
  });

  it('A trusted job waits for all tests, which run in a job without secrets', () => {
    const tests = workflow.jobs[job.needs ?? ''];
    expect(tests?.uses).toBe('./.github/workflows/ci.yml');
    const commands = Object.values(readWorkflow('ci.yml').jobs).flatMap(({ steps }) => steps);
    expect(commands.map(({ run }) => run)).toContain('.ci/run');
  });
});

// An install script runs code on the machine of a developer or of a workflow. npm runs none that package.json does not
// allow, and fails: .npmrc says so.

const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });
const lock = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().default(false) })),
});

async function read<T>(schema: z.ZodType<T>, file: string): Promise<T> {
  return schema.parse(JSON.parse(await readFile(file, 'utf8')));
}

it('Each package with an install script has a decision in package.json, and no other package has one', async () => {
  const { allowScripts } = await read(manifest, 'package.json');
  const { packages } = await read(lock, 'package-lock.json');
  const having = Object.keys(packages)
    .filter((path) => packages[path]?.hasInstallScript)
    .map((path) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(having)].sort());
  expect(await readFile('.npmrc', 'utf8')).toMatch(/^strict-allow-scripts=true$/m);
});
