import { readdir, readFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished, TemporaryFolder } from './processes.ts';
import { run, scriptWords, temporaryFolder } from './processes.ts';
import { blocksOf } from './markdown.ts';

// The recipes of CONTRIBUTING.md, followed to the letter and one after the other in a copy of the project. What they
// leave to the reader (where in a file a line goes) is said here.

/** The name of the field: not that of the recipe, so that this test stays green when somebody adds a barcode. */
const FIELD = 'recipefield';

const RECIPES = 'CONTRIBUTING.md';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const name of ['src', 'client', 'docs', 'migrations', 'public', 'test', 'tools']) {
    await cp(name, join(folder.path, name), { recursive: true });
  }
  for (const name of ['package.json', 'tsconfig.json', 'wrangler.toml']) {
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

/** Types and generators, as the recipes say to run them. */
async function generate(): Promise<void> {
  const inFolder = (...command: readonly string[]): Promise<Finished> =>
    run('env', '-C', folder.path, ...command);
  const types = await inFolder('tsc', '--noEmit', '--project', '.');
  expect([types.code, types.stdout]).toEqual([0, '']);
  const generated = await inFolder(...scriptWords('openapi'));
  expect(generated.code, generated.stderr).toBe(0);
}

/** A block of the recipe for a collection, under a name that no collection of the project will have. */
function renamed(text: string): string {
  return blockWith(text).replaceAll('supplier', 'recipient').replaceAll('Supplier', 'Recipient');
}

/** Step 6 of the recipe for a collection, as far as it has blocks. The compiler reads what it makes. */
async function addTestsOfRecipients(): Promise<void> {
  const operations = 'test/support/operations.ts';
  const change = async (from: string, to: string): Promise<void> => {
    const text = await read(operations);
    expect(text).toContain(from);
    await write(operations, text.replaceAll(from, to));
  };
  await change('couponCodeId: string;', 'couponCodeId: string;\n  readonly recipientId: string;');
  await change("couponCodeId: ':codeId'", "couponCodeId: ':codeId', recipientId: ':recipientId'");
  await change('couponCodeId: id', 'couponCodeId: id, recipientId: id');
  await change('couponCode.id', 'couponCode.id, recipientId: recipient.id');
  await insert(operations, renamed('const validSupplier = '), { before: 'const table: ' });
  await insert(operations, renamed('body: validSupplier }'), {
    after: "{ method: 'DELETE', ...oneCouponCode },",
  });
  await insert(operations, renamed('const supplier = await'), {
    before: '  return { productId: product.id',
  });
  await insert('test/support/samples.ts', renamed("bare: { name: 'Bare' }"), {
    after: 'export const samples = [',
  });
  await write('test/recipient-fields.test.ts', renamed("collectionTarget('/suppliers'"));
  await insert('test/schema-checks.test.ts', renamed("name: ['', 'x'.repeat(256), null]"), {
    before: '  coupon_codes: {',
  });
}

describe('The recipe for', () => {
  it('a field leads to a column', async () => {
    const block = (text: string): string => blockWith(text).replaceAll('barcode', FIELD);
    await write(`migrations/0008_product_${FIELD}s.sql`, block('add column barcode'));
    expect(await columnsAfterMigrations('products')).toContain(FIELD);
    await insert('src/db/tables.ts', block('barcode: text(),'), { after: 'sku: text(),' });
    const field = block('@example "4006381333931"');
    await insert('src/resources/products.ts', field, { before: '/** The currency of the price.' });
    const values = block('barcode: nullable(text(1, 64)),');
    await insert('test/product-fields.test.ts', values, { before: 'priceCents: cents,' });
    const refused = block("barcode: ['', 'x'.repeat(65)],");
    await insert('test/schema-checks.test.ts', refused, { before: 'price_cents: ' });
  });

  it('an operation has a place for each of its parts', async () => {
    await write('src/collection/count.ts', blockWith('/** GET of the number of resources. */'));
    const routes = 'src/collection/routes.ts';
    await insert(routes, "import { countOperation } from './count.ts';", { before: 'import ' });
    await insert(routes, blockWith('count: countOperation(collection),'), {
      before: 'read: readOperation(collection),',
    });
    await insert(routes, blockWith("routes.get('/count',"), { before: "routes.get('/:id'," });
    const samples = 'tools/build/reference/samples/typescript.ts';
    await insert(samples, blockWith("case 'count':"), { before: '    default:' });
    const paths = 'src/openapi/collection-paths.ts';
    await insert(paths, blockWith('/count`]'), { before: '[`/${path}/{${idParameter}}`]' });
    await insert(paths, blockWith('operationId: `count${many}`'), {
      before: 'function listOperation(',
    });
  });

  it('a collection leads to a table', async () => {
    await write('migrations/0008_recipients.sql', renamed('create table suppliers'));
    expect(await columnsAfterMigrations('recipients')).toContain('country');
    const table = renamed('export const suppliers = sqliteTable(');
    await insert('src/db/tables.ts', table, { before: 'export const tombstones' });
    await write('src/resources/recipients.ts', renamed("defineCollection('suppliers'"));
    const registry = 'src/resources/registry.ts';
    expect(blockWith('suppliers];')).toMatch(/ = \[products, couponCodes, suppliers\];$/);
    await write(registry, (await read(registry)).replace(/\];$/m, ', recipients];'));
    await insert(registry, "import { recipients } from './recipients.ts';", { before: 'import ' });
    await addTestsOfRecipients();
  });

  it('each leads to a part of the service', async () => {
    await generate();
    const document = await read('public/api/brand/v1/openapi.json');
    expect(document).toContain(`"${FIELD}"`);
    expect(document).toContain('"countCouponCodes"');
    expect(document).toContain('"/recipients/{recipientId}"');
    const fields = await read('docs/fields.md');
    expect(fields).toContain(`\`${FIELD}\``);
    expect(fields).toContain('## Recipient');
    expect(await read('client/src/schema.ts')).toContain(`${FIELD}: string | null;`);
  });
});
