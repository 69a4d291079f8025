import { defineConfig } from 'oxlint';

// First the rules of `strictTypeChecked` and `stylisticTypeChecked` of typescript-eslint, by their names there, and a few of
// eslint. Then those of this project alone: which folders know which, and which patterns may read untrusted text.

/** Modules and types that only the database folder may use: drizzle's drivers, and the types of the binding. */
const driver = {
  group: ['drizzle-orm/d1', 'drizzle-orm/*-proxy', 'drizzle-orm/*/session'],
  message: 'Only src/db knows how statements reach D1.',
};

/** The folders of the service above `db` and `fields`, from top to bottom. */
const FOLDERS = ['app', 'resources', 'collection', 'http', 'auth'];

const upwards = (folders: readonly string[], message: string) => ({
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

/** Titles of tests of which a search finds only a part. */
const composedTitle = {
  selector:
    ':matches(CallExpression[callee.name=/^(it|test)$/], CallExpression[callee.callee.object.name=/^(it|test)$/], CallExpression[callee.callee.object.object.name="it"])[arguments.0.value!=/^[A-Z0-9`"-]([^$%]|%(?![a-zA-Z#]))*(: .*)?$/]',
  message:
    'Write the title as a whole sentence in one literal, with what varies at its end, after a colon.',
};

/** Forbids imports from other packages, whose insides are their own. */
const notFrom = (packages: readonly string[], message: string) => ({
  regex: `(^|/)(${packages.join('|')})/`,
  message,
});

/** What other programs may import of a package. */
const onlyIndexOf = (name: string) => ({
  group: [`**/${name}/**`, `!**/${name}/src/index.ts`],
  message: `Other programs use what ${name}/src/index.ts exports.`,
});

/** The generator alone reads the descriptions of operations. */
const fromService = {
  regex: '(^|/)(admin|bench|client|test|tools)/|\\.openapi\\.ts$',
  message: 'The Worker holds only what a request needs.',
};

/** A push has one door. */
const insidePush = {
  group: ['**/push/*', '!**/push/push.ts'],
  message: 'A push is what src/collection/push/push.ts exports.',
};

/** What every file of the operator's tool keeps to. */
const operatorOnly = [
  notFrom(['bench', 'test', 'tools'], 'The operator needs nothing of a contributor.'),
  onlyIndexOf('client'),
  {
    group: ['**/src/**', '!**/src/operator.ts', '!**/client/src/index.ts'],
    message: 'The operator uses what src/operator.ts exports.',
  },
];

const boundary = (files: string[], ...patterns: object[]) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] as const },
});

export default defineConfig({
  plugins: ['typescript', 'import'],
  jsPlugins: ['./tools/lint/plugin.js'],
  categories: { correctness: 'off' },
  ignorePatterns: ['**/*.js', '**/dist', 'public', 'client/src/schema.ts'],
  rules: {
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-array-constructor': 'error',
    'no-console': 'error',
    'no-empty-function': 'error',
    'no-restricted-properties': [
      'error',
      {
        object: 'Intl',
        property: 'supportedValuesOf',
        message: 'Versions of Node know different currencies: use common/currencies.ts.',
      },
      {
        property: 'resolvedOptions',
        message: 'Versions of Node give a currency different decimals: use common/currencies.ts.',
      },
    ],
    'no-unused-expressions': 'error',
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
    ],
    'no-useless-constructor': 'error',
    'typescript/adjacent-overload-signatures': 'error',
    'typescript/array-type': 'error',
    'typescript/await-thenable': 'error',
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/ban-tslint-comment': 'error',
    'typescript/class-literal-property-style': 'error',
    'typescript/consistent-generic-constructors': 'error',
    'typescript/consistent-indexed-object-style': 'error',
    'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
    'typescript/consistent-type-definitions': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/dot-notation': 'error',
    'typescript/explicit-module-boundary-types': 'error',
    'typescript/no-array-delete': 'error',
    'typescript/no-base-to-string': 'error',
    'typescript/no-confusing-non-null-assertion': 'error',
    'typescript/no-confusing-void-expression': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-duplicate-enum-values': 'error',
    'typescript/no-duplicate-type-constituents': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extra-non-null-assertion': 'error',
    'typescript/no-extraneous-class': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-for-in-array': 'error',
    'typescript/no-generated-empty-object-type': 'error',
    'typescript/no-implied-eval': 'error',
    'typescript/no-inferrable-types': 'error',
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-meaningless-void-operator': 'error',
    'typescript/no-misused-new': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-misused-spread': 'error',
    'typescript/no-mixed-enums': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-non-null-asserted-optional-chain': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-redundant-type-constituents': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-this-alias': 'error',
    'typescript/no-unnecessary-boolean-literal-compare': 'error',
    'typescript/no-unnecessary-condition': 'error',
    'typescript/no-unnecessary-template-expression': 'error',
    'typescript/no-unnecessary-type-arguments': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unnecessary-type-conversion': 'error',
    'typescript/no-unnecessary-type-parameters': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-declaration-merging': 'error',
    'typescript/no-unsafe-enum-assignment': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-unary-minus': 'error',
    'typescript/no-useless-default-assignment': 'error',
    'typescript/no-wrapper-object-types': 'error',
    'typescript/non-nullable-type-assertion-style': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-as-const': 'error',
    'typescript/prefer-find': 'error',
    'typescript/prefer-for-of': 'error',
    'typescript/prefer-function-type': 'error',
    'typescript/prefer-includes': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/prefer-namespace-keyword': 'error',
    'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
    'typescript/prefer-optional-chain': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/prefer-reduce-type-parameter': 'error',
    'typescript/prefer-regexp-exec': 'error',
    'typescript/prefer-return-this-type': 'error',
    'typescript/prefer-string-starts-ends-with': 'error',
    'typescript/related-getter-setter-pairs': 'error',
    'typescript/require-await': 'error',
    'typescript/restrict-plus-operands': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNullish: false,
        allowNumberAndString: false,
        allowRegExp: false,
      },
    ],
    'typescript/restrict-template-expressions': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNever: false,
        allowNullish: false,
        allowNumber: true,
        allowRegExp: false,
      },
    ],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/triple-slash-reference': 'error',
    'typescript/unbound-method': 'error',
    'typescript/unified-signatures': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    // Whoever reads one of several files that import each other has to read all of them.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'own/restricted-syntax': ['error', spreadLiteral],
  },
  overrides: [
    {
      // These patterns read untrusted text, so none may take more than linear time.
      files: ['src/**/*.ts', 'common/**/*.ts', 'client/**/*.ts', 'admin/**/*.ts', 'tools/**/*.ts'],
      excludeFiles: ['*/test/**'],
      rules: {
        'own/slow-pattern': 'error',
        'own/restricted-syntax': ['error', spreadLiteral, assembledPattern],
      },
    },
    {
      files: ['**/test/**/*.ts'],
      rules: { 'own/restricted-syntax': ['error', spreadLiteral, composedTitle] },
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
      ['src/collection/*.ts'],
      driver,
      fromService,
      upwards(['app', 'resources'], 'What all collections share knows none of them.'),
      insidePush,
    ),
    boundary(
      ['src/collection/push/*.ts'],
      driver,
      fromService,
      upwards(['app', 'resources'], 'What all collections share knows none of them.'),
    ),
    boundary(
      ['src/collection/list/*.ts'],
      driver,
      fromService,
      upwards(['app', 'resources'], 'What all collections share knows none of them.'),
      upwards(['push', 'create', 'change', 'delete', 'routes'], 'A list knows no write.'),
    ),
    boundary(
      ['src/resources/**/*.ts'],
      driver,
      fromService,
      insidePush,
      upwards(['app'], 'Resources stand below the app.'),
    ),
    boundary(
      ['test/**/*.ts'],
      notFrom(
        ['admin', 'bench', 'client', 'tools'],
        'The service is tested without other programs.',
      ),
      insidePush,
    ),
    // Descriptions of operations are parts of the generator that stand beside what they describe.
    {
      files: ['src/**/*.openapi.ts', 'test/**/*.openapi.ts'],
      rules: { 'no-restricted-imports': 'off' as const },
    },
    boundary(
      ['common/**/*.ts'],
      notFrom(
        ['admin', 'bench', 'client', 'src', 'test', 'tools'],
        'What all programs share imports none of them.',
      ),
    ),
    boundary(
      ['client/src/**/*.ts'],
      notFrom(
        ['admin', 'bench', 'src', 'test', 'tools'],
        'The package holds only what is its own.',
      ),
    ),
    boundary(
      ['client/src/*.ts', 'client/src/sync/*.ts'],
      notFrom(
        ['admin', 'bench', 'src', 'test', 'tools'],
        'The package holds only what is its own.',
      ),
      upwards(['command', 'stores'], 'The library knows nothing of stores and the command.'),
    ),
    boundary(
      ['client/src/stores/**/*.ts'],
      notFrom(
        ['admin', 'bench', 'src', 'test', 'tools'],
        'The package holds only what is its own.',
      ),
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
      excludeFiles: ['src/db/**'],
      rules: {
        'own/restricted-syntax': [
          'error',
          spreadLiteral,
          assembledPattern,
          {
            selector: 'TSTypeReference > Identifier[name=/^D1/]',
            message: 'Only src/db sees the binding.',
          },
          {
            selector: 'CallExpression[callee.property.name=/^(prepare|withSession|dump)$/]',
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
  ],
});
