import { parse } from 'csv-parse/sync';
import * as z from 'zod';

// A second reader of a store's export, written independently of the one under test.

const rowsSchema = z.array(z.record(z.string(), z.string()));

/** Returns the products that the service must have of an export, in order. */
export function expectedProducts(csv: string): readonly object[] {
  const all = rowsSchema.parse(parse(csv, { bom: true, columns: true }));
  const products = Map.groupBy(all, (row) => row['Handle']);
  return [...products.values()].flatMap((rows) => {
    const [first = {}] = rows;
    const pictures = rows.filter((row) => row['Image Src'] !== '');
    pictures.sort((a, b) => Number(a['Image Position']) - Number(b['Image Position']));
    const imageUrls = [...new Set(pictures.map((row) => row['Image Src'] ?? ''))];
    const variants = rows.filter((row) => row['Variant Price'] !== '');
    const { length } = variants;
    return variants.map((row) => ({
      handle: [
        first['Handle'],
        ...(length > 1 ? [row['Option1 Value']?.toLowerCase().replaceAll(' ', '-')] : []),
      ].join('-'),
      title: [first['Title'], ...(length > 1 ? [row['Option1 Value']] : [])]
        .join(' - ')
        .trim()
        .normalize('NFC'),
      description: (first['Body (HTML)'] ?? '').trim().normalize('NFC'),
      sku: row['Variant SKU'] === '' ? null : (row['Variant SKU'] ?? null),
      priceCents: Math.round(Number(row['Variant Price']) * 100),
      currencyCode: 'USD',
      imageUrl: (length > 1 && row['Variant Image']) || (imageUrls[0] ?? null),
      imageUrls,
      // What has no tracker is not counted.
      ...(row['Variant Inventory Tracker'] !== '' && {
        storeInventoryQuantity: Number(row['Variant Inventory Qty']),
      }),
      storeStatus: first['Published'] === 'true' ? 'ACTIVE' : 'DRAFT',
      source: 'SHOPIFY',
    }));
  });
}
