import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type {
  BrandClient,
  CouponCodeFilters,
  CouponCodeInput,
  CouponCodeMatch,
  Product,
  ProductFilters,
  ProductMatch,
  ProductInput,
  ProductPatch,
  ProfileInput,
  ProfilePatch,
} from '../../client/src/index.ts';
import { run, temporaryFolder } from './processes.ts';

// What expectTypeOf states is held by `npm run types`, which reads this file.
describe('The types of the client', () => {
  it('know the fields of a product and which of them may be null', () => {
    expectTypeOf<Product['priceCents']>().toEqualTypeOf<number>();
    expectTypeOf<Product['sku']>().toEqualTypeOf<string | null>();
    expectTypeOf<Product['imageUrls']>().toEqualTypeOf<string[]>();
    expectTypeOf<{ title: string; priceCents: number }>().toExtend<ProductInput>();
    expectTypeOf<{ title: string }>().not.toExtend<ProductInput>();
    expectTypeOf<{ title: null; priceCents: number }>().not.toExtend<ProductInput>();
    expectTypeOf<{ title: string }>().toExtend<ProductPatch>();
    expectTypeOf<{ title: null }>().not.toExtend<ProductPatch>();
    expectTypeOf<{ sku: null }>().toExtend<ProductPatch>();
  });

  it('know the closed sets of values', () => {
    expectTypeOf<Product['storeStatus']>().toEqualTypeOf<
      'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'UNLISTED' | null
    >();
    expectTypeOf<{ syncStatus: 'SYNCED' }>().toExtend<ProductFilters>();
    expectTypeOf<{ syncStatus: 'LOST' }>().not.toExtend<ProductFilters>();
    expectTypeOf<{ connection: { status: 'CONNECTED' } }>().toExtend<ProfilePatch>();
    expectTypeOf<{ connection: { status: 'UP' } }>().not.toExtend<ProfilePatch>();
  });

  it('know the filters of each list, and keep paging to themselves', () => {
    expectTypeOf<keyof ProductFilters>().toEqualTypeOf<
      | 'sku'
      | 'handle'
      | 'storeProductId'
      | 'storeVariantId'
      | 'syncStatus'
      | 'serviceListingStatus'
      | 'storeStatus'
      | 'updatedSince'
    >();
    expectTypeOf<keyof CouponCodeFilters>().toEqualTypeOf<
      'code' | 'active' | 'storeDiscountId' | 'syncStatus' | 'updatedSince'
    >();
    expectTypeOf<CouponCodeFilters['active']>().toEqualTypeOf<boolean | undefined>();
  });

  it('know the fields by which a push can match', () => {
    expectTypeOf<ProductMatch>().toEqualTypeOf<
      'id' | 'storeProductId' | 'storeVariantId' | 'sku' | 'handle'
    >();
    expectTypeOf<CouponCodeMatch>().toEqualTypeOf<'id' | 'code' | 'storeDiscountId'>();
  });

  it('know what an operation needs and gives', () => {
    type Products = BrandClient['products'];
    expectTypeOf<Products['list']>().returns.toExtend<AsyncIterable<Product>>();
    expectTypeOf<Awaited<ReturnType<Products['get']>>>().toEqualTypeOf<{
      readonly data: Product;
      readonly etag: string;
    }>();
    expectTypeOf<Awaited<ReturnType<Products['createMany']>>>().toEqualTypeOf<Product[]>();
    expectTypeOf<{ code: string }>().not.toExtend<CouponCodeInput>();
    expectTypeOf<{ brand: { brandName: string }; connection: object }>().toExtend<ProfileInput>();
    expectTypeOf<{ brand: { brandName: string } }>().not.toExtend<ProfileInput>();
  });
});

const PROGRAM = `
import { BrandApiError, BrandClient } from 'brand-integration-client';
import type { Product } from 'brand-integration-client';

const fetch: typeof globalThis.fetch = async () =>
  new Response('{"product":{"title":"Rope"}}', { headers: { ETag: '"1"' } });
const client = new BrandClient({ apiKey: 'k', baseUrl: 'https://api.example.com', fetch });
const { data, etag } = await client.products.get('1');
const product: Product = data;
console.log(product.title, etag, new BrandApiError('No', { status: 404 }).status);
`;

const MISTAKES: readonly [string, string][] = [
  [`client.products.list({ color: 'red' });`, `'color' does not exist`],
  [`client.products.list({ syncStatus: 'LOST' });`, `Type '"LOST"' is not assignable`],
  [`await client.products.create({ title: 'No price' });`, `'priceCents' is missing`],
  [`await client.products.update('1', { titel: 'x' });`, `'titel' does not exist`],
  [`await client.couponCodes.delete('1', { ifmatch: etag });`, `'ifmatch' does not exist`],
  [`const price: string = data.priceCents;`, `Type 'number' is not assignable to type 'string'`],
];

describe('The client as a package', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const built = await run('npm', 'run', '-s', 'build', '--prefix', 'client');
    expect([built.code, built.stdout, built.stderr]).toEqual([0, '', '']);
    await mkdir(join(folder.path, 'node_modules'));
    await symlink(
      join(process.cwd(), 'client'),
      join(folder.path, 'node_modules/brand-integration-client'),
    );
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
  });

  afterAll(() => folder.remove());

  /** Compiles a program beside the package, as its user would. */
  async function compile(resolution: string, program: string): ReturnType<typeof run> {
    const file = join(folder.path, 'program.ts');
    await writeFile(file, program);
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    const how = ['--module', module, '--moduleResolution', resolution, '--target', 'es2024'];
    const lib = ['--lib', 'es2024,dom', '--outDir', folder.path];
    return run('tsc', '--ignoreConfig', '--strict', ...how, ...lib, file);
  }

  it.each(['node16', 'nodenext', 'bundler'])(
    'compiles with the module resolution %s, and Node runs it',
    async (resolution) => {
      const compiled = await compile(resolution, PROGRAM);
      expect([compiled.code, compiled.stdout]).toEqual([0, '']);
      const { code, stdout, stderr } = await run('node', join(folder.path, 'program.js'));
      expect([code, stdout, stderr]).toEqual([0, 'Rope "1" 404\n', '']);
    },
  );

  it('makes wrong filters, values and fields errors of compilation, one each', async () => {
    const lines = MISTAKES.map(([line]) => line).join('\n');
    const { code, stdout } = await compile('nodenext', PROGRAM + lines);
    expect(code).not.toBe(0);
    for (const [, message] of MISTAKES) expect(stdout).toContain(message);
    expect(stdout.match(/^\S.*error TS/gm)).toHaveLength(MISTAKES.length);
  });
});
