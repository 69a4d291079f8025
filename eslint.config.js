import { defineConfig } from 'eslint/config';
import redos from 'eslint-plugin-redos';
import tseslint from 'typescript-eslint';

// The rules of this project alone: which folders know which, and which patterns may read untrusted text. Those that everybody
// has, with the types that they need, are in .oxlintrc.json.

/** Modules and types that only the database folder may use: drizzle's drivers, and the types of the binding. */
const driver = {
  group: ['drizzle-orm/d1', 'drizzle-orm/*-proxy', 'drizzle-orm/*/session'],
  message: 'Only src/db knows how statements reach D1.',
};

/** The folders of the service above `db` and `fields`, from top to bottom. */
const FOLDERS = ['app', 'resources', 'collection', 'http', 'auth'];

const upwards = (folders, message) => ({
  group: folders.flatMap((folder) => [`**/${folder}`, `**/${folder}.ts`, `**/${folder}/**`]),
  message,
});

/** What is in `admin/src`, from bottom to top. */
const ADMIN_LAYERS = [
  ['arguments', 'validation', 'text-file'],
  ['database'],
  ['audit'],
  ['home'],
  ['key'],
  ['brand'],
  ['export'],
  ['move', 'verify', 'status'],
  ['commands'],
];

/** Patterns built at run time, which the check of patterns cannot see. */
const assembledPattern = {
  selector:
    ':matches(NewExpression, CallExpression)[callee.name="RegExp"] > :not(Literal).arguments',
  message: 'Write the pattern as a literal, so that the linter can check how long it takes.',
};

/** Literals that are spread into others, which only saves lines. */
const spreadLiteral = {
  selector:
    ':matches(SpreadElement, SpreadElement > TSAsExpression) > :matches(ObjectExpression, ArrayExpression)',
  message: 'Write the members themselves, without a literal that is spread.',
};

/** Forbids imports from other packages, whose insides are their own. */
const notFrom = (packages, message) => ({ regex: `(^|/)(${packages.join('|')})/`, message });

/** What other programs may import of a package. */
const onlyIndexOf = (name) => ({
  regex: `(^|/)${name}/(?!src/index\\.ts$)`,
  message: `Other programs use what ${name}/src/index.ts exports.`,
});

const fromService = notFrom(
  ['admin', 'bench', 'client', 'test', 'tools'],
  'The Worker holds only what a request needs.',
);

/** What every file of the operator's tool keeps to. */
const operatorOnly = [
  notFrom(['bench', 'test', 'tools'], 'The operator needs nothing of a contributor.'),
  onlyIndexOf('client'),
  {
    regex: '^(\\.\\./)+src/(?!operator\\.ts$)',
    message: 'The operator uses what src/operator.ts exports.',
  },
];

const boundary = (files, ...patterns) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

export default defineConfig(
  { ignores: ['node_modules', '.wrangler', '**/dist', 'public', 'client/src/schema.ts'] },
  {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: { 'no-restricted-syntax': ['error', spreadLiteral] },
  },
  {
    // These patterns read untrusted text, so none may take more than linear time.
    files: ['src/**/*.ts', 'common/**/*.ts', 'client/**/*.ts', 'admin/**/*.ts', 'tools/**/*.ts'],
    ignores: ['*/test/**'],
    plugins: { redos },
    rules: {
      // Repeats of up to 64, as in the form of a key, are proved. Fuzzing would decide by the speed of a busy machine.
      'redos/no-vulnerable': [
        'error',
        { ignoreErrors: false, timeout: 60_000, maxRepeatCount: 64 },
      ],
      'no-restricted-syntax': ['error', spreadLiteral, assembledPattern],
    },
  },
  // Imports point one way: app → resources → collection → http, auth → db, fields → hash, errors.
  boundary(['src/**/*.ts'], driver, fromService),
  boundary(
    ['src/errors.ts', 'src/hash.ts'],
    driver,
    fromService,
    upwards([...FOLDERS, 'db', 'fields'], 'What all folders use imports none of them.'),
  ),
  boundary(
    ['src/db/**/*.ts', 'src/fields/**/*.ts'],
    fromService,
    upwards(FOLDERS, 'db and fields know nothing above them.'),
  ),
  boundary(
    ['src/http/**/*.ts', 'src/auth/**/*.ts'],
    driver,
    fromService,
    upwards(['app', 'resources', 'collection'], 'HTTP and keys know no resource.'),
  ),
  boundary(
    ['src/collection/*.ts', 'src/collection/push/*.ts'],
    driver,
    fromService,
    upwards(['app', 'resources'], 'What all collections share knows none of them.'),
  ),
  boundary(
    ['src/collection/list/*.ts'],
    driver,
    fromService,
    upwards(['app', 'resources'], 'What all collections share knows none of them.'),
    upwards(['push', 'create', 'update', 'delete', 'routes'], 'A list knows no write.'),
  ),
  boundary(
    ['src/resources/**/*.ts'],
    driver,
    fromService,
    upwards(['app'], 'Resources stand below the app.'),
  ),
  boundary(
    ['test/**/*.ts'],
    notFrom(['admin', 'bench', 'client', 'tools'], 'The service is tested without other programs.'),
  ),
  boundary(
    ['common/**/*.ts'],
    notFrom(
      ['admin', 'bench', 'client', 'src', 'test', 'tools'],
      'What all programs share imports none of them.',
    ),
  ),
  boundary(
    ['client/src/**/*.ts'],
    notFrom(['admin', 'bench', 'src', 'test', 'tools'], 'The package holds only what is its own.'),
  ),
  boundary(
    ['client/src/*.ts', 'client/src/sync/*.ts'],
    notFrom(['admin', 'bench', 'src', 'test', 'tools'], 'The package holds only what is its own.'),
    upwards(['command', 'stores'], 'The library knows nothing of stores and the command.'),
  ),
  boundary(
    ['client/src/stores/**/*.ts'],
    notFrom(['admin', 'bench', 'src', 'test', 'tools'], 'The package holds only what is its own.'),
    upwards(['command'], 'A reader of a store knows nothing of the command.'),
    { regex: '^node:', message: 'A reader of a store runs in a Worker too.' },
  ),
  boundary(
    ['client/test/**/*.ts'],
    notFrom(['admin', 'bench', 'tools'], 'The package is tested against the service alone.'),
  ),
  ...ADMIN_LAYERS.map((layer, index) =>
    boundary(
      layer.flatMap((name) => [`admin/src/${name}.ts`, `admin/src/${name}/**/*.ts`]),
      ...operatorOnly,
      upwards(
        ['run', 'main', ...ADMIN_LAYERS.slice(index + 1).flat()],
        'Imports of the tool point one way: down.',
      ),
    ),
  ),
  boundary(['admin/src/{index,main,run}.ts'], ...operatorOnly),
  boundary(
    ['tools/*.ts', 'tools/dev/**/*.ts', 'tools/build/**/*.ts'],
    notFrom(['bench', 'test'], 'A tool needs no test.'),
    onlyIndexOf('admin'),
    onlyIndexOf('client'),
  ),
  boundary(['bench/**/*.ts'], onlyIndexOf('admin'), onlyIndexOf('client')),
  {
    files: ['src/**/*.ts'],
    ignores: ['src/db/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        spreadLiteral,
        assembledPattern,
        {
          selector: 'TSTypeReference > Identifier[name=/^D1/]',
          message: 'Only src/db sees the binding.',
        },
        {
          selector: 'CallExpression[callee.property.name=/^(prepare|batch|withSession|dump)$/]',
          message: 'Only src/db talks to D1.',
        },
        {
          selector: 'CallExpression[callee.object.name="db"][callee.property.name="select"]',
          message:
            'Use `select` of src/db/selection.ts, which gives the rows the names of their type.',
        },
      ],
    },
  },
);
