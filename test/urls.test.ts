import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { TestBrand } from './support/brand.ts';
import { random } from './support/random.ts';

// The service does not parse every URL, but accepts those that the URL standard does.

const UNKNOWN = '/products/01890a5d-ac96-774b-bcce-b302099a8057';

/** A URL without white space, often with a fault in its host. */
const url = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS://'),
    fc.array(
      fc.oneof(
        fc.string({
          unit: fc.constantFrom(...Array.from('aZz09-_é中\u0660\u00ad\ufdfa%@:[]')),
          maxLength: 3,
        }),
        fc.constantFrom('xn--', 'XN--', 'xn--a', 'xn--bcher-kva', '0x', '127', '256', 'a.b', '..'),
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom('', '.', '..', '/', '?', '#', '\\', ':', ':1', ':65535', ':65536', ':x', ':/'),
    fc.string({ unit: fc.constantFrom(...Array.from('/?#:@%é<>"{}|\\^`')), maxLength: 3 }),
  )
  .map(([scheme, labels, end, rest]) => scheme + labels.join('.') + end + rest);

it('A URL is accepted if it can be parsed', async () => {
  const brand = await TestBrand.create();
  await fc.assert(
    fc.asyncProperty(fc.array(url, { minLength: 250, maxLength: 250 }), async (imageUrls) => {
      const answer = await brand.send('PATCH', UNKNOWN, { imageUrls });
      const refused = String(answer.body['error']).match(/(?<=imageUrls\.)\d+/g) ?? [];
      const invalid = [...imageUrls.entries()].flatMap(([index, one]) =>
        URL.canParse(one) ? [] : [String(index)],
      );
      expect(refused).toEqual(invalid.slice(0, 100));
    }),
    random(40),
  );
});

const label = 'x'.repeat(63);
const labels = `${label}.`.repeat(3);

// An unknown product is 404 if the URL is accepted.
it.each([
  [`https://${label}.a/`, 404],
  [`https://a.${label}`, 404],
  [`https://${label}x.a/`, 400],
  [`https://a.${label}x`, 400],
  [`https://${'é'.repeat(57)}.a/`, 404],
  // It stands for four letters.
  [`https://${'㌀'.repeat(15)}.a/`, 404],
  [`https://${'㌀'.repeat(16)}.a/`, 400],
  [`https://${labels}${'x'.repeat(61)}/`, 404],
  [`https://${labels}${'x'.repeat(62)}/`, 400],
  [`https://${labels}${'x'.repeat(61)}/${'x'.repeat(1500)}`, 404],
  [`https://${labels}${label}.a/${'x'.repeat(1500)}`, 400],
  // What stands around a host does not count.
  [`https://user:pass@${label}:8443/${'x'.repeat(1000)}`, 404],
  [`https://user@${label}a/`, 400],
  ['https:////a.example/', 404],
  [`https:////${label}a/`, 400],
  [`https://${label}a\\x`, 400],
  [`https://a\u3002${'漢'.repeat(64)}/`, 400],
  ['https://[2001:db8::1]:8080/', 404],
  [`https://a.example/?q=@${'x'.repeat(300)}`, 404],
  [`https://a.example#${'.x'.repeat(300)}`, 404],
])('A host is as long as DNS allows: %s', async (imageUrl, status) => {
  const brand = await TestBrand.create();
  expect((await brand.send('PATCH', UNKNOWN, { imageUrl })).status).toBe(status);
});

// An integration passes on the URLs of a store. The service never asks for one.
it.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost:8787/api/brand/v1/profile',
  'http://[::1]/',
  'http://0x7f000001/',
  'http://metadata.google.internal/',
  'https://user:pass@10.0.0.1:22/',
])('A URL of an internal address is stored unchanged and never fetched: %s', async (url) => {
  const brand = await TestBrand.create();
  const fetches = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('No way out.'));
  try {
    const product = { title: 'A', priceCents: 1, imageUrl: url, imageUrls: [url] };
    const made = await brand.create('/products', product);
    expect(made).toMatchObject(product);
    const changes = { brand: { website: url, logoUrl: url } };
    expect((await brand.send('PATCH', '/profile', changes)).body).toMatchObject(changes);
    const storeDomain = 'metadata.google.internal';
    await brand.send('PATCH', '/profile', { connection: { storeDomain, syncEnabled: true } });
    await brand.send('PUT', `/products/${made.id}`, product);
    await brand.send('GET', '/products');
    expect(fetches).not.toHaveBeenCalled();
  } finally {
    fetches.mockRestore();
  }
});
