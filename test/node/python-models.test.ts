import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { takeBrand } from './pool.ts';
import { run, temporaryFolder } from './processes.ts';
import { writeModels } from './python-models.ts';

// The typed client is what a generator for TypeScript makes of the document; this is one for Python.

/** Each operation in the order of the program, with the status and some of the body that must come back. */
const ANSWERS: readonly (readonly [string, number, object])[] = [
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
    { results: [{ status: 'updated' }, { id: null, status: 'refused' }, { status: 'created' }] },
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

const reported = z.array(z.tuple([z.string(), z.number(), z.unknown()]));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

it('Classes that quicktype makes of the OpenAPI document run all operations', async () => {
  const { apiKey, baseUrl } = await takeBrand();
  const document = await readFile('public/api/brand/v1/openapi.json', 'utf8');
  await writeModels(join(folder.path, 'models.py'), document);
  const program = join(folder.path, 'program.py');
  await copyFile('test/node/python-models.py', program);
  const { code, stdout, stderr } = await run('python3', program, baseUrl, apiKey);
  expect([code, stderr]).toEqual([0, '']);
  expect(reported.parse(JSON.parse(stdout))).toMatchObject(ANSWERS);
});
