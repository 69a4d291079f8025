import { readdir, readFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished, TemporaryFolder } from '../../test/node/processes.ts';
import { run, scriptWords, temporaryFolder } from '../../test/node/processes.ts';
import { blocksOf } from '../../test/node/markdown.ts';

// The recipes of CONTRIBUTING.md, followed to the letter and one after the other in a copy of the project, with the sample
// of docs/architecture.md. What they leave to the reader (where in a file a line goes) is said here.

/** The name of the field: not that of the recipe, so that this test stays green when somebody adds a barcode. */
const FIELD = 'recipefield';

const RECIPES = 'CONTRIBUTING.md';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const name of [
    'src',
    'admin',
    'common',
    'client',
    'docs',
    'migrations',
    'public',
    'test',
    'tools',
  ]) {
    const filter = (path: string): boolean => !path.includes('node_modules');
    await cp(name, join(folder.path, name), { recursive: true, filter });
  }
  for (const name of ['package.json', 'tsconfig.base.json', 'vitest.config.ts', 'wrangler.toml']) {
    await cp(name, join(folder.path, name));
  }
  await symlink(resolve('node_modules'), join(folder.path, 'node_modules'));
});

afterAll(() => folder.remove());

/** The one block of the recipes that has a text. */
function blockWith(text: string): string {
  const found = blocksOf(RECIPES).filter((block) => block.text.includes(text));
  expect(found, `one block of ${RECIPES} with ${text}`).toHaveLength(1);
  return found[0]?.text ?? '';
}

const read = (file: string): Promise<string> => readFile(join(folder.path, file), 'utf8');
const write = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder.path, file)), { recursive: true });
  await writeFile(join(folder.path, file), `${text}\n`);
};

/** Puts lines into a file, before or after a text that stands there once or more. */
async function insert(
  file: string,
  lines: string,
  { before = '', after = '' }: { readonly before?: string; readonly after?: string },
): Promise<void> {
  const text = await read(file);
  const anchor = before + after;
  expect(text, file).toContain(anchor);
  const at = text.indexOf(anchor) + after.length;
  await write(file, `${text.slice(0, at)}\n${lines}\n${text.slice(at)}`);
}

/** Runs vitest in the folder, with words as a shell reads them. */
function testsIn(words: string): Promise<Finished> {
  return run('env', '-C', folder.path, 'sh', '-c', `vitest run ${words}`);
}

/** Creates a migration under the next free number. */
async function addMigration(name: string, sql: string): Promise<void> {
  const numbers = (await readdir(join(folder.path, 'migrations'))).map(Number.parseFloat);
  const next = String(Math.max(...numbers) + 1).padStart(4, '0');
  await write(`migrations/${next}_${name}.sql`, sql);
}

/** The columns of a table once all migrations were applied. */
async function columnsAfterMigrations(table: string): Promise<unknown[]> {
  const database = new DatabaseSync(':memory:');
  for (const file of (await readdir(join(folder.path, 'migrations'))).sort()) {
    database.exec(await read(join('migrations', file)));
  }
  return database
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);
}

/** What the recipes wrote, as one program: each part of the project would read the libraries again. */
const TYPED = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    noEmit: true,
    composite: false,
    emitDeclarationOnly: false,
    types: ['node', '@cloudflare/workers-types', '@cloudflare/vitest-pool-workers/types'],
  },
  include: ['src', 'common', 'tools/build', 'test/*.ts', 'test/support'],
  exclude: ['tools/build/reference/browser'],
};

/** Runs the generators, then checks the types of all that they and the recipes wrote. */
async function generate(): Promise<void> {
  const inFolder = (...command: readonly string[]): Promise<Finished> =>
    run('env', '-C', folder.path, ...command);
  const generated = await inFolder(...scriptWords('openapi'));
  expect(generated.code, generated.stderr).toBe(0);
  const documented = await inFolder(...scriptWords('docs'));
  expect(documented.code, documented.stderr).toBe(0);
  await write('typed.json', JSON.stringify(TYPED));
  const types = await inFolder('tsc', '-p', 'typed.json');
  expect([types.code, types.stdout]).toEqual([0, '']);
}

describe('The recipe for', () => {
  it('a field leads to a column', async () => {
    const block = (text: string): string => blockWith(text).replaceAll('barcode', FIELD);
    await addMigration(`product_${FIELD}s`, block('add column barcode'));
    expect(await columnsAfterMigrations('products')).toContain(FIELD);
    await insert('src/db/tables.ts', block('barcode: text(),'), { after: 'sku: text(),' });
    const field = block('@example "4006381333931"');
    await insert('src/resources/products.ts', field, { before: '/** The currency of the price.' });
    await insert('src/resources/products.ts', block('barcode: null,'), {
      after: 'sku: null,',
    });
    const row = block("barcode: nullable(text(1, 64), '4006381333931'),");
    await insert('test/support/fields/products.ts', row, { before: '  priceCents: ' });
  });

  it('a statement is the sample of the page about the architecture', async () => {
    const samples = blocksOf('docs/architecture.md').filter(({ language }) => language === 'ts');
    expect(samples).toHaveLength(1);
    const program = `
      import type { Context } from 'hono';
      import { statement } from '../db/statement.ts';
      import type { ApiEnv } from '../http/api-env.ts';
      import type { Collection } from './collection.ts';
      import { selectResource } from './row.ts';

      export async function sample(collection: Collection, c: Context<ApiEnv>, id: string) {
        const session = c.get('session');
        ${samples[0]?.text ?? ''}
        return joined[0].revision;
      }`;
    await write('src/collection/sample.ts', program);
  });

  it('each change leads to a part of the service', async () => {
    await generate();
    const document = await read('public/api/brand/v1/openapi.json');
    expect(document).toContain(`"${FIELD}"`);
    expect(await read('client/src/schema.ts')).toContain(`${FIELD}: string | null;`);
  });

  it('a store leads to a sync of it that passes the tests of all stores', async () => {
    const store = blockWith('export const tinyshop: Store');
    const standIn = blockWith('/** Starts a Tinyshop.');
    expect(`${store}\n${standIn}`.split('\n').length).toBeLessThan(250);
    await write('client/src/stores/tinyshop/store.ts', store);
    const list = 'client/src/stores/stores.ts';
    await insert(list, "import { tinyshop } from './tinyshop/store.ts';", { before: 'import ' });
    await insert(list, 'tinyshop,', { after: 'STORES: readonly Store[] = [' });
    await write('client/test/command/tinyshop-stand-in.ts', standIn);
    const standIns = 'client/test/command/stand-ins.ts';
    await insert(standIns, "import { tinyshop } from './tinyshop-stand-in.ts';", {
      before: 'import ',
    });
    await insert(standIns, '  tinyshop,', { before: '  shopify: shopifyShop,' });
    const special = blockWith("it('An item of Tinyshop");
    await write('client/test/command/tinyshop.test.ts', special);
    const types = { ...TYPED.compilerOptions, lib: ['es2024', 'dom'], types: [] };
    await write(
      'typed-stores.json',
      JSON.stringify({ ...TYPED, compilerOptions: types, include: ['client/src/stores'] }),
    );
    const typed = await run('env', '-C', folder.path, 'tsc', '-p', 'typed-stores.json');
    expect([typed.code, typed.stdout]).toEqual([0, '']);
    const [, words = ''] =
      /`npm run test:all -- (\S*tinyshop\.test\.ts .* -t [^`]+)`/.exec(
        await readFile(RECIPES, 'utf8'),
      ) ?? [];
    const { code, stdout } = await testsIn(words);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Tests .*[1-9]\d passed/)]);
    expect(stdout).toMatch(/✓.*tinyshop\.test\.ts/);
  });
});
