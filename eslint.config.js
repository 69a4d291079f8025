import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What only the database folder may touch: drizzle's drivers, and the types of the binding. */
const driver = {
  group: ['drizzle-orm/d1', 'drizzle-orm/*-proxy', 'drizzle-orm/*/session'],
  message: 'Only src/db knows how statements reach D1.',
};

const upwards = (folders, message) => ({
  group: folders.flatMap((folder) => [`**/${folder}`, `**/${folder}/**`]),
  message,
});

const boundary = (files, ...patterns) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': ['error', { patterns: [driver, ...patterns] }],
  },
});

export default defineConfig(
  { ignores: ['node_modules', '.wrangler', '**/dist', 'public', 'client/src/schema.ts'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './client/tsconfig.json',
          './tools/tsconfig.json',
          './test/node/tsconfig.json',
          './bench/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // With noPropertyAccessFromIndexSignature the two rules contradict each other.
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      // `&&` before a spread and `||` for «empty» are meant.
      '@typescript-eslint/prefer-nullish-coalescing': [
        'error',
        { ignorePrimitives: { string: true } },
      ],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  // Imports point one way: app → resources → collection → http → db, fields → errors.
  boundary(['src/**/*.ts']),
  boundary(
    ['src/db/**/*.ts', 'src/fields/**/*.ts'],
    upwards(
      ['app', 'resources', 'collection', 'http', 'auth'],
      'The ground floor knows nothing above it.',
    ),
  ),
  boundary(
    ['src/http/**/*.ts', 'src/auth/**/*.ts'],
    upwards(['app', 'resources', 'collection'], 'HTTP and keys know no resource.'),
  ),
  boundary(
    ['src/collection/**/*.ts'],
    upwards(['app', 'resources'], 'What all collections share knows none of them.'),
  ),
  boundary(['src/resources/**/*.ts'], upwards(['app'], 'Resources stand below the app.')),
  {
    files: ['src/**/*.ts'],
    ignores: ['src/db/**', 'src/env.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSTypeReference > Identifier[name=/^D1/]',
          message: 'Only src/db sees the binding.',
        },
        {
          selector: 'CallExpression[callee.property.name=/^(prepare|batch|withSession|dump)$/]',
          message: 'Only src/db talks to D1.',
        },
      ],
    },
  },
);
