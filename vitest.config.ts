import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { WORKERS } from './test/node/environment.ts';

// `npm run random` sets the first two.
const { RANDOM_SEED, RANDOM_TIMES, TEST_REPORT } = process.env;
const random = { seed: Number(RANDOM_SEED ?? 3), times: Number(RANDOM_TIMES ?? 1) };

/** Returns a project of tests in the Workers runtime. */
function inWorkers(name: string, ...include: readonly string[]): TestProjectInlineConfiguration {
  return {
    extends: true,
    plugins: [
      cloudflareTest(async () => ({
        main: './src/index.ts',
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: { MIGRATIONS: await readD1Migrations('./migrations') },
          // Only for the tests of several databases and of a third collection.
          d1Databases: ['OTHER_1', 'OTHER_2', 'OTHER_3', 'DB_WIDGETS'],
        },
      })),
    ],
    test: {
      name,
      testTimeout: 60_000 * random.times,
      hookTimeout: 60_000 * random.times,
      include: [...include],
      // Test files share a Worker and its database, so each test creates its own brands.
      isolate: false,
      globalSetup: ['test/node/fixture-setup.ts', 'client/test/stand-ins-setup.ts'],
      setupFiles: ['test/support/apply-migrations.ts', 'test/support/quiet-log.ts'],
      provide: { random },
    },
  };
}

/** Returns a project of tests in Node. What they start, they share with those of the same project. */
function inNode(
  name: string,
  include: readonly string[],
  { exclude = [], globalSetup = [] }: Partial<Record<'exclude' | 'globalSetup', string[]>> = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    // Some tests run the app in Node.
    resolve: { alias: { 'cloudflare:workers': '/test/node/cloudflare-workers.ts' } },
    test: {
      name,
      include: [...include],
      exclude,
      globalSetup: ['test/node/brand-pool.ts', ...globalSetup],
      isolate: false,
      provide: { random },
      // What is collected while the heap grows takes an eighth of the CPU of a run.
      execArgv: ['--initial-old-space-size=500'],
      // A test may make several calls of wrangler, each of which takes seconds.
      testTimeout: 300_000 * random.times,
      hookTimeout: 300_000,
      // A program may start slowly on a busy machine.
      expect: { poll: { timeout: 60_000 } },
    },
  };
}

/** Files that take longest, of which no run is to wait for one alone at its end. Most wait for programs. */
const LONG =
  /\/(?:dev|manual|reference-page|interrupted-moves|large-resources|fuzz|verify|killed|import-kills|export-kills|command-follow-exec|both-directions)\.test\.ts$/;

/** Begins with the project and the files that take longest: a fresh clone does not know how long they took. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = ['programs', ...sorted.map(({ project }) => project.name)];
    const place = ({ project, moduleId }: TestSpecification): number =>
      2 * projects.indexOf(project.name) + (LONG.test(moduleId) ? 0 : 1);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

/** What the service says of itself, which changes with the service. */
const DOCUMENT = ['tools/test/openapi*.test.ts', 'tools/test/one-patch.test.ts'];

// `npm test` runs `worker` and `client`, which need git and Node alone; `npm run test:all` runs all.
export default defineConfig({
  test: {
    // The service writes a line per request.
    onConsoleLog: () => false,
    // One number for all projects: files of the next one start when the last of one still run.
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    // .ci/run counts the tests in this file.
    reporters:
      TEST_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: TEST_REPORT }]],
    projects: [
      // Each project takes seconds to start, so single files of other packages run in these two.
      inWorkers('worker', 'test/*.test.ts', 'client/test/workers/*.test.ts'),
      // All failures, sizes and sequences: they take as long as all other tests in the Workers runtime.
      inWorkers('exhaustive', 'test/exhaustive/*.test.ts', 'admin/test/workers/*.test.ts'),
      inNode('client', ['client/test/*.test.ts', ...DOCUMENT]),
      // All that starts programs: the service over HTTP, the operator's tool, the command, documents and samples, a
      // deployment, `npm run dev`, pages in a browser. As one project, because each project starts processes of its own.
      inNode(
        'programs',
        [
          'test/node/**/*.test.ts',
          'admin/test/*.test.ts',
          'client/test/command/*.test.ts',
          'tools/test/**/*.test.ts',
        ],
        { exclude: DOCUMENT, globalSetup: ['client/test/command/command-setup.ts'] },
      ),
    ],
  },
});
