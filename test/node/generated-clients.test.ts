import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { run } from './processes.ts';
import type { Server } from './server.ts';
import { shareServer } from './shared-server.ts';

const FOLDER = 'dist/generated';

let server: Server;
let service: string;
let document: string;

beforeAll(async () => {
  server = await shareServer();
  service = `http://127.0.0.1:${server.port}`;
  document = await (await fetch(`${service}/api/brand/v1/openapi.json`)).text();
});

afterAll(async () => {
  await server.stop();
  await rm(FOLDER, { recursive: true, force: true });
});

const generators = [
  {
    name: 'openapi-fetch',
    generate: async (path: string) => {
      // Else it takes a field with a default for one that a request must have.
      const types = await openapiTypescript(document, { defaultNonNullable: false });
      await writeFile(`${path}/schema.ts`, astToString(types));
    },
  },
  {
    name: 'hey-api',
    generate: async (path: string) => {
      await writeFile(`${path}/openapi.json`, document);
      await createClient({
        input: `${path}/openapi.json`,
        output: { path, clean: false, module: { extension: '.js' } },
        plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
        logs: { level: 'silent', file: false },
      });
    },
  },
];

/** Each operation in the order of the round, with the status and some of the body that must come back. */
const ROUND: readonly (readonly [string, number, object])[] = [
  ['getProfile', 200, { brand: { brandName: 'Raw' }, connection: { status: 'DISCONNECTED' } }],
  ['updateProfile', 200, { brand: { brandName: 'Raw', website: 'https://example.com' } }],
  ['replaceProfile', 200, { brand: { website: null }, connection: { status: 'PENDING' } }],
  ['createProduct', 201, { product: { imageUrls: ['https://example.com/a.jpg'] } }],
  ['getProduct', 200, { product: { title: 'Rope', priceCents: 1250 } }],
  ['updateProduct', 200, { product: { title: 'Rope', priceCents: 999, storeStatus: 'ACTIVE' } }],
  ['listProducts', 200, { products: [{ title: 'Rope', priceCents: 999 }] }],
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

const COMPILE = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];

/** Compiles a program of a folder as its author would, without the settings of this project. */
function compile(path: string, program: string): ReturnType<typeof run> {
  const files = [`${path}/${program}.ts`, '--outDir', `${path}/out`, '--rootDir', path];
  return run('tsc', '--ignoreConfig', ...COMPILE, '--lib', 'es2024,dom,dom.iterable', ...files);
}

describe.each(generators)('A client made by $name', ({ name, generate }) => {
  const path = `${FOLDER}/${name}`;

  beforeAll(async () => {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true });
    await generate(path);
  });

  it('compiles strictly and goes through the fifteen operations', async () => {
    const apiKey = await server.newBrand();
    await copyFile(`test/data/rounds/${name}.ts.txt`, `${path}/round.ts`);
    const compiled = await compile(path, 'round');
    expect(compiled.stdout + compiled.stderr).toBe('');
    expect(compiled.code).toBe(0);

    const { code, stdout, stderr } = await run('node', `${path}/out/round.js`, service, apiKey);
    expect([code, stderr]).toEqual([0, '']);
    const report = z
      .array(z.tuple([z.string(), z.number(), z.unknown()]))
      .parse(JSON.parse(stdout));
    expect(report).toMatchObject(ROUND);
  });

  it('refuses by its types what the service would refuse', async () => {
    const round = await readFile(`test/data/rounds/${name}.ts.txt`, 'utf8');
    const mistakes: readonly [string, string, string][] = [
      ["storeStatus: 'ACTIVE' }", "storeStatus: 'SOLD' }", `Type '"SOLD"' is not assignable`],
      [
        'priceCents: 999,',
        "priceCents: '9.99',",
        "Type 'string' is not assignable to type 'number'",
      ],
      ["{ title: 'String', priceCents: 1 }", '{ priceCents: 1 }', "Property 'title' is missing"],
      ['maxUses: 5', 'maxUses: true', "Type 'boolean' is not assignable to type 'number'"],
    ];
    let program = round;
    for (const [right, wrong] of mistakes) program = program.replace(right, wrong);
    await writeFile(`${path}/mistaken.ts`, program);
    const { code, stdout } = await compile(path, 'mistaken');
    expect(code).not.toBe(0);
    for (const [, , message] of mistakes) expect(stdout).toContain(message);
    expect(stdout.match(/^\S.*error TS/gm)).toHaveLength(mistakes.length);
  });
});
