import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

// The one rule of typescript-eslint's strict set that needs types and that oxlint does not have. It takes longer than
// the whole `npm run check`, because it uses TypeScript's JavaScript compiler. So only .ci/run runs it, beside the
// tests.
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
          './tools/tsconfig.json',
          './tools/build/reference/browser/tsconfig.json',
          './test/node/tsconfig.json',
          './bench/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    // Only one rule runs here, so comments that disable other rules are unused.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'error' },
  },
);
