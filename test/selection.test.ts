import { eq, sql } from 'drizzle-orm';
import { expect, expectTypeOf, it } from 'vitest';
import type { RowOf } from '../src/db/selection.ts';
import { select } from '../src/db/selection.ts';
import { compile } from '../src/db/statement.ts';
import { products } from '../src/db/tables.ts';
import { TestBrand } from './support/brand.ts';
import { statementsOn } from './support/statements.ts';

// Statements return D1's rows as they are. So their names and their types are those of the selection, or the code reads
// what is not there.

const selection = {
  title: products.title,
  isFeatured: products.featured,
  images: products.imageUrls,
  price: products.priceCents,
  margin: products.marginPercent,
  status: products.storeStatus,
  isNamed: sql<number>`${products.title} <> ''`,
};

interface Row {
  readonly title: string;
  readonly isFeatured: number;
  readonly images: string;
  readonly price: number;
  readonly margin: number | null;
  readonly status: 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'UNLISTED' | null;
  readonly isNamed: number;
}

it('The rows of a selection have its names and the types of its columns', async () => {
  const brand = await TestBrand.create();
  const { id } = await brand.create('/products', { title: 'A', priceCents: 1, featured: true });
  const query = select(selection).from(products).where(eq(products.id, id));
  const [rows] = await statementsOn(brand.service.db)(sql`${query.getSQL()}`);
  expect(rows).toEqual([
    { title: 'A', isFeatured: 1, images: '[]', price: 1, margin: null, status: null, isNamed: 1 },
  ]);
  expectTypeOf<RowOf<typeof selection>>().toEqualTypeOf<Row>();
  expectTypeOf(query._.result).toEqualTypeOf<Row[]>();
});

it('The rows of a selection have no names that are written by hand', () => {
  // @ts-expect-error -- the name in SQL might be another one than that of the type
  const query = select({ price: sql`1`.as('cost') }).from(products);
  expect(compile(query).text).not.toContain('as "cost"');
});
