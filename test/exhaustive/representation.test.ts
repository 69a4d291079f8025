import { expect, it } from 'vitest';
import type { Answer } from '../support/brand.ts';
import { resourceOf, TestBrand } from '../support/brand.ts';
import { collections, products } from '../support/collections.ts';

// A strong entity tag guarantees identical bytes (RFC 9110, 8.8.1).

it('A representation is identical when created, read, replaced with itself, patched without a change, listed and replayed', async () => {
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
});

it('A representation is identical for every hundredth of a percent from 0 to 100, and others', async () => {
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
