import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Service } from '../../../test/support/brand.ts';
import { resourcesOf, TestBrand } from '../../../test/support/brand.ts';
import { serviceWithWidgets } from '../../../test/support/widget-service.ts';
import { collectionsWithWidgets } from '../../../test/fixtures/widgets.ts';
import { deleteBrand } from '../../src/brand/brands.ts';
import { databaseOn } from '../../src/database/open-database.ts';
import { resetTokens } from '../../src/brand/tokens.ts';

// A collection that the tool does not know by name. test/third-collection.test.ts has what the service does with it.

let service: Service;
let brand: TestBrand;

beforeAll(async () => {
  service = await serviceWithWidgets();
});

beforeEach(async () => {
  brand = await newBrand();
});

async function newBrand(): Promise<TestBrand> {
  return TestBrand.create('Widgets Ltd', service);
}

const make = async (body: object): Promise<{ readonly id: string }> =>
  brand.create('/widgets', body);

const database = (): ReturnType<typeof databaseOn> => databaseOn(service.db, 'tests');

const rowsOf = async (table: string): Promise<number> => {
  const [rows] = await database().run(
    sql`select id from ${sql.identifier(table)} where brand_id = ${brand.issued.brandId}`,
  );
  return rows.length;
};

it('The tokens of a third collection are reset', async () => {
  await make({ name: 'Kept' });
  const start = await brand.send('GET', '/widgets?since=0');
  const path = `/widgets?since=${String(start.body['since'])}`;
  expect((await brand.send('GET', path)).status).toBe(200);
  await resetTokens(database(), brand.issued.brandId, collectionsWithWidgets);
  expect((await brand.send('GET', path)).status).toBe(410);
});

it('The resources of a third collection are deleted with the brand', async () => {
  const other = await newBrand();
  await other.send('POST', '/widgets', { name: 'Kept' });
  await make({ name: 'Kept' });
  const { id } = await make({ name: 'Gone' });
  await brand.send('DELETE', `/widgets/${id}`);
  expect([await rowsOf('widgets'), await rowsOf('tombstones')]).toEqual([1, 1]);
  await deleteBrand(database(), brand.issued.brandId, collectionsWithWidgets);
  expect(await rowsOf('widgets')).toBe(0);
  expect(await rowsOf('tombstones')).toBe(0);
  expect((await brand.send('GET', '/widgets')).status).toBe(401);
  expect(resourcesOf(await other.send('GET', '/widgets')).map(({ name }) => name)).toEqual([
    'Kept',
  ]);
});
