import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { generators, pythonModels } from '../generators/generators.ts';
import { run, temporaryFolder } from './processes.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// A client of each generator is made, compiled strictly, and goes through the operations against the running service.
// `test/generators` has what each generator needs, and in `rounds` how a program uses its client.

/** As the author of a program would set it, without the settings of this project. */
const SETTINGS = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  },
  include: ['*/round.ts', '*/mistaken.ts'],
};

/** Each operation in the order of the round, with the status and some of the body that must come back. */
const ROUND: readonly (readonly [string, number, object])[] = [
  ['getProfile', 200, { brand: { brandName: 'Raw' }, connection: { status: 'DISCONNECTED' } }],
  ['updateProfile', 200, { brand: { brandName: 'Raw', website: 'https://example.com' } }],
  ['replaceProfile', 200, { brand: { website: null }, connection: { status: 'PENDING' } }],
  ['createProduct', 201, { product: { imageUrls: ['https://example.com/a.jpg'] } }],
  ['createProducts', 201, { products: [{ title: 'Knot', sku: 'K-1' }] }],
  ['getProduct', 200, { product: { title: 'Rope', priceCents: 1250 } }],
  ['updateProduct', 200, { product: { title: 'Rope', priceCents: 999, storeStatus: 'ACTIVE' } }],
  ['listProducts', 200, { products: [{ title: 'Rope', priceCents: 999 }] }],
  [
    'pushProducts',
    200,
    {
      products: [
        { title: 'Knot', priceCents: 6 },
        { title: 'Loop', sku: 'K-3' },
      ],
      results: [{ status: 'updated' }, { id: null, status: 'refused' }, { status: 'created' }],
    },
  ],
  ['refused', 0, { text: 'title: required; priceCents: required' }],
  ['listChanges', 200, { deletedProductIds: [] }],
  ['replaceProduct', 200, { product: { title: 'String', priceCents: 1, storeStatus: null } }],
  ['deleteProduct', 200, { success: true }],
  ['createCouponCode', 201, { couponCode: { code: 'SAVE10', discountPercent: 10 } }],
  ['getCouponCode', 200, { couponCode: { code: 'SAVE10', maxUses: null } }],
  ['updateCouponCode', 200, { couponCode: { code: 'SAVE10', maxUses: 5 } }],
  ['listCouponCodes', 200, { couponCodes: [{ code: 'SAVE10', maxUses: 5 }] }],
  ['replaceCouponCode', 200, { couponCode: { code: 'SAVE20', maxUses: null } }],
  ['deleteCouponCode', 200, { success: true }],
  ['error', 404, { error: 'Product not found.' }],
];

/** What every round has, and what its author might have written instead. */
const MISTAKES: readonly (readonly [string, string])[] = [
  ["limit: 10, storeStatus: 'ACTIVE'", "limit: 10, storeStatus: 'SOLD'"],
  ['priceCents: 999,', "priceCents: '9.99',"],
  ["{ title: 'String', priceCents: 1 }", '{ priceCents: 1 }'],
  ["{ title: 'Knot', priceCents: 5, sku", "{ title: 'Knot', priceCents: '5', sku"],
  ["match: 'sku'", "match: 'title'"],
  ['maxUses: 5', 'maxUses: true'],
  ['made.product.id', 'made.product.number'],
];

/** In ms; the packages may come over a slow network. */
const INSTALL_TIMEOUT = 600_000;

const reported = z.array(z.tuple([z.string(), z.number(), z.unknown()]));

let server: SharedServer;
let service: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The lines with an error, by program, and what the compiler said besides. */
let errors: ReadonlyMap<string, ReadonlySet<number>>;
let output: string;

/** The lines of the mistakes in a round. */
function mistakenLines(round: string): ReadonlySet<number> {
  const lineOf = (text: string): number => round.slice(0, round.indexOf(text)).split('\n').length;
  return new Set(MISTAKES.map(([right]) => lineOf(right)));
}

beforeAll(async () => {
  server = await shareServer();
  service = `http://127.0.0.1:${server.port}`;
  folder = await temporaryFolder();
});

// The generators are only used here, and would be a third of the project's packages: they have a `package.json` of their
// own.
beforeAll(async () => {
  const { code, stdout, stderr } = await run('npm', 'run', '-s', 'generators:install');
  if (code === 0) return;
  const hint = 'The generators could not be installed. Run `npm run generators:install` first.';
  throw new Error(`${hint}\n${stdout}${stderr}`);
}, INSTALL_TIMEOUT);

beforeAll(async () => {
  const document = join(folder.path, 'openapi.json');
  const served = await fetch(`${service}/api/brand/v1/openapi.json`);
  await writeFile(document, await served.text());
  await symlink(resolve('test/generators/node_modules'), join(folder.path, 'node_modules'));
  await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(SETTINGS));

  for (const { name, load } of generators) {
    const { generate } = await load();
    const path = join(folder.path, name);
    await mkdir(path);
    await generate(path, document, `${service}/api/brand/v1`);
    const round = await readFile(`test/generators/rounds/${name}.ts.txt`, 'utf8');
    await writeFile(join(path, 'round.ts'), round);
    const mistaken = MISTAKES.reduce((text, [right, wrong]) => text.replace(right, wrong), round);
    await writeFile(join(path, 'mistaken.ts'), mistaken);
  }

  // One call for all: to start the compiler costs more than to check a client.
  const { stdout, stderr } = await run('tsc', '-p', folder.path, '--pretty', 'false');
  output = stdout + stderr;
  const found = new Map<string, Set<number>>();
  for (const [, file = '', line] of output.matchAll(/^(\S[^(\n]*)\((\d+),\d+\): error/gm)) {
    const program = file.split('/').slice(-2).join('/');
    found.set(program, (found.get(program) ?? new Set()).add(Number(line)));
  }
  errors = found;
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

describe.each(generators)('A client generated by $name', ({ name, needs }) => {
  it('compiles in strict mode and runs all operations', async () => {
    expect(needs).not.toBe('');
    expect(errors.get(`${name}/round.ts`), output).toBeUndefined();
    const program = join(folder.path, 'out', name, 'round.js');
    const { code, stdout, stderr } = await run('node', program, service, await server.newBrand());
    expect([code, stderr]).toEqual([0, '']);
    expect(reported.parse(JSON.parse(stdout))).toMatchObject(ROUND);
  });

  it('has types that reject what the service rejects', async () => {
    const round = await readFile(`test/generators/rounds/${name}.ts.txt`, 'utf8');
    expect(errors.get(`${name}/mistaken.ts`), output).toEqual(mistakenLines(round));
  });
});

describe('The Python models generated by quicktype', () => {
  it('run all operations', async () => {
    const path = join(folder.path, 'python');
    await mkdir(path);
    const { generate } = await pythonModels.load();
    await generate(path, join(folder.path, 'openapi.json'), service);
    const program = join(path, 'round.py');
    await copyFile('test/generators/rounds/quicktype.py.txt', program);
    const apiKey = await server.newBrand();
    const { code, stdout, stderr } = await run('python3', program, service, apiKey);
    expect([code, stderr]).toEqual([0, '']);
    expect(reported.parse(JSON.parse(stdout))).toMatchObject(ROUND);
  });
});

it('The compiler reports only the deliberate mistakes', () => {
  const mistaken = generators.map(({ name }) => `${name}/mistaken.ts`);
  expect([...errors.keys()].sort(), output).toEqual(mistaken.sort());
});
