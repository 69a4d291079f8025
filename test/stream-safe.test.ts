import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiLineText } from '../src/fields/text.ts';
import { resourceOf, TestBrand } from './support/brand.ts';
import { random } from './support/random.ts';

// Strings are in the Stream-Safe Text Format: at most 30 combining marks in a row.

const GRAVE_BELOW = '\u0316';
const ACUTE = '\u0301';
const refusal = 'expected at most 30 combining marks in a row';

it.each([
  ['30 marks behind a letter', `x${GRAVE_BELOW.repeat(30)}`],
  ['30 marks without a letter', GRAVE_BELOW.repeat(30)],
  ['30 marks of four bytes', `x${'\u{1d165}'.repeat(30)}`],
  ['30 marks, twice', `x${GRAVE_BELOW.repeat(30)}y${GRAVE_BELOW.repeat(30)}`],
  ['marks that NFC sorts', `x${ACUTE.repeat(15)}${GRAVE_BELOW.repeat(15)}`],
  ['15 marks of two parts', `x${'\u0344'.repeat(15)}`],
])(
  'A text of at most 30 marks in a row is accepted, and what it stores too: %s',
  async (_, title) => {
    const brand = await TestBrand.create();
    const product = await brand.create('/products', { title, priceCents: 1 });
    expect(product['title']).toBe(title.normalize('NFC'));
    const again = await brand.send('PUT', `/products/${product.id}`, product);
    expect(resourceOf(again)).toEqual(product);
  },
);

describe.each([
  ['31 marks', `x${GRAVE_BELOW.repeat(31)}`],
  ['31 marks of which NFC takes one away', `e${ACUTE.repeat(31)}`],
  ['31 marks of four bytes', `x${'\u{1d165}'.repeat(31)}`],
  ['31 Hebrew points', `\u05e9${'\u05b0\u05bc'.repeat(16)}`],
  ['16 marks that NFC makes 32', `x${'\u0344'.repeat(16)}`],
  ['30 marks behind a letter that NFC takes apart', `\u0958${'\u0951'.repeat(30)}`],
  ['31 vowels of Kirat Rai', '\u{16d68}'.repeat(31)],
])('%s', (_, text) => {
  it.each([
    ['POST', '/products', { title: text, priceCents: 1 }, 'title'],
    ['POST', '/products', { title: 'A', priceCents: 1, description: text }, 'description'],
    ['POST', '/coupon-codes', { code: 'A', discountPercent: 1, description: text }, 'description'],
    ['PATCH', '/profile', { brand: { contactName: text } }, 'brand.contactName'],
    ['GET', `/products?sku=${encodeURIComponent(text)}`, undefined, 'sku'],
  ])(
    'A text of more than 30 marks in a row is refused: %s %s',
    async (method, path, body, field) => {
      const brand = await TestBrand.create();
      const answer = await brand.send(method, path, body);
      expect(answer.body).toEqual({ error: `Invalid request: ${field}: ${refusal}` });
      expect(answer.status).toBe(400);
    },
  );
});

it('Random runs of marks are refused if the plain pattern finds them, before NFC or after', () => {
  const tooMany = /[\p{M}\u{16d67}\u{16d68}]{31}/u;
  const schema = multiLineText(0, 65_535);
  const marks = [GRAVE_BELOW, ACUTE, '\u0344', '\u{1d165}', '\u{16d67}', '\u{e0100}', '\ufe0f'];
  const others = ['a', 'e', '\u4e2d', '\u0958', '\u{1f600}', '\u{1d160}'];
  const some = (from: readonly string[], minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...from), minLength, maxLength, size: 'max' });
  const texts = fc
    .tuple(fc.constantFrom(...marks), fc.constantFrom(...marks))
    .chain((kinds) =>
      fc.tuple(some(others, 0, 35), some(kinds, 24, 34), some(others, 0, 3), some(kinds, 0, 34)),
    )
    .map((parts) => `x${parts.join('')}`);
  const all = fc.sample(texts, random(20_000));
  let refused = 0;
  for (const text of all) {
    const isRefused = [text, text.normalize('NFC')].some((form) => tooMany.test(form));
    expect(schema.safeParse(text).success, JSON.stringify(text)).toBe(!isRefused);
    if (isRefused) refused++;
  }
  // Both happen often enough to show a difference.
  expect(Math.min(refused, all.length - refused)).toBeGreaterThan(1000);
});

it('The length of a text is limited before its marks are looked for', async () => {
  const brand = await TestBrand.create();
  const answer = await brand.send('PATCH', '/profile', {
    brand: { brandName: ACUTE.repeat(100_000) },
  });
  expect(answer.body['error']).toMatch(/brandName: expected a string of 1 to 255 characters/);
});

it('No NFC character consists of more than four code points, so a longer text cannot become short enough', () => {
  let most = 0;
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (character.normalize('NFC') !== character) continue;
    most = Math.max(most, Array.from(character.normalize('NFD')).length);
  }
  expect(most).toBe(4);
});
