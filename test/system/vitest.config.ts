import { defineConfig } from 'vitest/config';
import '../environment.ts';

// Whole systems: a deployment, a check of it, `npm run dev`, pages in a browser, and the CPU time of hostile requests.
export default defineConfig({
  test: {
    name: 'system',
    include: ['test/system/**/*.test.ts'],
    globalSetup: 'test/node/brand-pool.ts',
    // Programs that run in this process write to the console.
    onConsoleLog: () => false,
    // Not more than there are processors: the CPU time of requests is measured.
    maxWorkers: '100%',
    // A test makes several calls of wrangler, each of which takes seconds.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
