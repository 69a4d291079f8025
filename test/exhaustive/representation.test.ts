import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/brand.ts';
import { resourceOf, TestBrand } from '../support/brand.ts';
import { collections, products } from '../support/collections.ts';

// A strong entity tag guarantees identical bytes (RFC 9110, 8.8.1). The Worker builds the response of a POST, SQLite
// that of a read. Both must be the same text.

/** Texts in which a JSON encoder can go wrong. */
const text = fc.string({
  unit: fc.constantFrom(
    ...Array.from('aé€😀"\\/\'<>&{}[]:,\n\r\t\u2028\u2029\u00ad\u200b\ufeff\uffff x'),
  ),
  maxLength: 40,
});
const words = text.map((part) => `x${part.replace(/[\n\r\t]/g, '')}x`);
const percent = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min * 100, max: max * 100 }).map((hundredths) => hundredths / 100);

const product = fc.record({
  title: words,
  description: text,
  sku: fc.option(words),
  priceCents: fc.integer({ min: 0, max: 9_999_999_999 }),
  discountPercent: percent(0, 100),
  marginPercent: fc.option(fc.oneof(percent(-1000, 100), fc.constant(-0))),
  featured: fc.boolean(),
  imageUrls: fc.array(fc.webUrl({ withQueryParameters: true, withFragments: true }), {
    maxLength: 3,
  }),
  storeInventoryQuantity: fc.integer({ min: -2_147_483_647, max: 2_147_483_647 }),
  storeProductId: fc.option(words),
  lastSyncError: fc.option(text.map((part) => `!${part}!`)),
  sourceUpdatedAt: fc.option(
    fc
      .date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
  ),
});

describe('a representation is identical', () => {
  it('when created, read, replaced with itself, patched without a change, listed and replayed', async () => {
    const brand = await TestBrand.create();
    const shownAlike = async (path: string, body: unknown): Promise<void> => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      const made = await brand.send('POST', path, body, { headers });
      expect(made.status, made.text).toBe(201);
      const resource = resourceOf(made);
      const item = `${path}/${resource.id}`;
      const answers: readonly Answer[] = [
        await brand.send('GET', item),
        await brand.send('PUT', item, resource),
        await brand.send('PATCH', item, {}),
        await brand.send('POST', path, body, { headers }),
      ];
      for (const answer of answers) {
        expect(answer.text).toBe(made.text);
        expect(answer.headers.get('ETag')).toBe(made.headers.get('ETag'));
      }
      const list = await brand.send('GET', path);
      const page = await brand.send('GET', `${path}?limit=1`);
      const inList = made.text.replace(/^\{"\w+":/, '[').replace(/\}$/, ']');
      expect(list.text.endsWith(`${inList}}`)).toBe(true);
      expect(page.text).toBe(list.text);
      expect((await brand.send('DELETE', item)).status).toBe(200);
    };

    const escaped = {
      ...products.bare(1),
      imageUrls: ['https://example.com/"a\\b/€/😀?c=\'&d=</e>'],
    };
    await shownAlike(products.path, escaped);
    for (const { path, bare, full } of collections) {
      for (const body of [bare(1), full]) await shownAlike(path, body);
    }
    await fc.assert(
      fc.asyncProperty(product, (body) => shownAlike('/products', body)),
      { numRuns: 60, seed: 1 },
    );
  });

  it('for every hundredth of a percent from 0 to 100, and others', async () => {
    for (let first = 0; first <= 10_000; first += 500) {
      const brand = await TestBrand.create();
      const items = Array.from({ length: 500 }, (_, index) => ({
        ...products.bare(1),
        discountPercent: Math.min(10_000, first + index) / 100,
        marginPercent: -Math.min(100_000, (first + index) * 10 + (index % 10)) / 100,
      }));
      const made = await brand.send('POST', '/products', { products: items });
      expect(made.status).toBe(201);
      expect((await brand.send('GET', '/products')).text).toBe(made.text);
    }
  });
});
