import { defineConfig } from 'vitest/config';
import { WORKERS } from '../environment.ts';

// Whole systems: a deployment, a check of it, `npm run dev`, pages in a browser, and the CPU time of hostile requests.
export default defineConfig({
  test: {
    name: 'system',
    include: ['test/system/**/*.test.ts'],
    globalSetup: 'test/node/brand-pool.ts',
    // Programs that run in this process write to the console.
    onConsoleLog: () => false,
    maxWorkers: WORKERS,
    // A test makes several calls of wrangler, each of which takes seconds.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
