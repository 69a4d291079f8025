import { parse } from 'csv-parse/browser/esm/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import csv from './data/jewelery.csv?raw';
import type { Resource } from './support/brand.ts';
import { resourcesOf, TestBrand } from './support/brand.ts';

type Row = Readonly<Record<string, string>>;

const rows = parse<Row>(csv, { columns: true, skip_empty_lines: true });
const products = [...Map.groupBy(rows, (row) => row['Handle'] ?? '').values()].map(toProduct);

/** A product of the export: its first row says what it is, each further one adds a variant or an image. */
function toProduct(own: readonly Row[]): Record<string, unknown> {
  const [first = {}] = own;
  const values = (column: string): string[] => own.flatMap((row) => row[column] || []);
  const inventory = values('Variant Inventory Qty').reduce((sum, text) => sum + Number(text), 0);
  return {
    handle: first['Handle'],
    title: first['Title'],
    description: first['Body (HTML)'],
    sku: values('Variant SKU')[0] ?? null,
    priceCents: Math.round(Number(first['Variant Price']) * 100),
    imageUrls: values('Image Src'),
    serviceInventoryQuantity: inventory,
    storeInventoryQuantity: inventory,
  };
}

/** A price a tenth lower, as a sale would have it. */
function reduced(priceCents: unknown): number {
  return Math.round(Number(priceCents) * 0.9);
}

describe("a store's export", () => {
  let brand: TestBrand;
  let created: Resource[];

  beforeAll(async () => {
    brand = await TestBrand.create('Jewellery');
    created = [];
    for (const product of products) created.push(await brand.create('/products', product));
  });

  it('is read as it is in the file', () => {
    expect(rows.length).toBeGreaterThan(products.length);
    expect(products).toHaveLength(new Set(csv.match(/^[a-z]+(-[a-z]+)*(?=,)/gm)).size);
    expect(products[0]).toEqual({
      handle: 'chain-bracelet',
      title: '7 Shakra Bracelet',
      description: '7 chakra bracelet, in blue or black.',
      sku: null,
      priceCents: 4299,
      imageUrls: [
        'https://burst.shopifycdn.com/photos/7-chakra-bracelet_925x.jpg',
        'https://burst.shopifycdn.com/photos/navy-blue-chakra-bracelet_925x.jpg',
      ],
      serviceInventoryQuantity: 1,
      storeInventoryQuantity: 1,
    });
  });

  it('is listed completely and in order, with every value as sent', async () => {
    const listed = resourcesOf(await brand.send('GET', '/products'));
    expect(listed).toEqual(created);
    expect(listed).toEqual(products.map((product): unknown => expect.objectContaining(product)));
    expect(listed.map(({ imageUrl }) => imageUrl)).toEqual(
      rows.filter((row) => row['Image Position'] === '1').map((row) => row['Image Src']),
    );
  });

  it('takes new prices and keeps everything else', async () => {
    for (const { id, priceCents } of created) {
      const answer = await brand.send('PATCH', `/products/${id}`, {
        priceCents: reduced(priceCents),
      });
      expect(answer.status).toBe(200);
    }
    const listed = resourcesOf(await brand.send('GET', '/products'));
    expect(listed).toEqual(
      created.map((product, index) => ({
        ...product,
        priceCents: reduced(product['priceCents']),
        updatedAt: listed[index]?.['updatedAt'],
      })),
    );
  });

  it('is deleted product by product until nothing is left', async () => {
    for (const { id } of created) {
      const answer = await brand.send('DELETE', `/products/${id}`);
      expect([answer.status, answer.body]).toEqual([200, { deletedProductId: id, success: true }]);
    }
    const answer = await brand.send('GET', '/products');
    expect(answer.body).toEqual({ products: [] });
  });
});
