import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

// The one rule of typescript-eslint's strict set that needs types and that oxlint does not have. It alone takes longer
// than all that `npm run check` does, because it asks TypeScript's old compiler: so .ci/run asks it, before the tests.
export default defineConfig(
  { ignores: ['**/dist', '**/.wrangler', '**/*.js', 'client/src/schema.ts'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './client/tsconfig.json',
          './client/examples/tsconfig.json',
          './tools/tsconfig.json',
          './test/node/tsconfig.json',
          './bench/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    // The comments that disable other rules have nothing to disable here.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'error' },
  },
);
