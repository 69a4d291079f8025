import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { problemsText } from '../../src/errors.ts';
import { takeBrand } from '../../test/node/pool.ts';
import { BrandClient } from '../src/index.ts';
import { problemsIn } from '../src/problems.ts';
import { failure } from './outcomes.ts';

/** What a client may have sent, with everything that could be taken for the end of a problem. */
const sent = fc.string({
  unit: fc.constantFrom('"', '\\', ';', ' ', ':', '.', 'a', 'é', '\n', '{'),
});

it('The problems that the service lists are read as it has written them, whatever is quoted in them', () => {
  const path = fc.oneof(
    fc.constantFrom('title', 'products.3.title', 'imageUrls.0', 'If-Match', 'body'),
    sent.map((name) => JSON.stringify(name)),
    sent.map((name) => `products.0.${JSON.stringify(name)}`),
  );
  const message = fc.oneof(
    fc.constantFrom('required', 'expected an integer of 0 or more, in cents', 'unknown field'),
    sent.map((value) => `2 products have the value ${JSON.stringify(value)}`),
  );
  const list = fc.uniqueArray(fc.record({ path, message }), {
    minLength: 1,
    selector: (one) => JSON.stringify(one),
  });
  fc.assert(
    fc.property(list, fc.nat({ max: 3 }), (problems, unlisted) => {
      expect(problemsIn(problemsText(problems, unlisted))).toEqual(problems);
    }),
  );
});

it('The problems of an item are the same as of a whole push, and nothing is lost of what is sent', async () => {
  const client = new BrandClient(await takeBrand());
  const twins = ['A; b: "c"', 'A; b: "c"'].map((sku) => ({ sku, title: 'T', priceCents: 1 }));
  await client.products.createMany(twins);
  const names = ['a"; title: "b', 'x; y', '', '\\'];
  const bad = [
    { sku: 'N', title: ' ', priceCents: -1, imageUrls: ['a; b', 'https://a.example'] },
    { sku: 'M', ...Object.fromEntries(names.map((name) => [name, '; sku: required'])) },
    { sku: 'A; b: "c"', title: 'One of two' },
  ];
  const { products } = client;
  const results = await products.push(bad, { match: 'sku', lenient: true });
  const { problems } = await failure(products.push(bad, { match: 'sku' }));
  const ofItems = results.flatMap((result, index) =>
    result.status === 'refused'
      ? result.problems.map(({ path, message }) => ({
          path: `products.${index}.${path}`,
          message,
        }))
      : [],
  );
  expect(problems).toEqual(ofItems);
  const paths = ofItems.map(({ path }) => path.replace(/^products\.\d\./, ''));
  expect(paths).toEqual([
    'title',
    'priceCents',
    'imageUrls.0',
    ...names.map((name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))),
    'sku',
  ]);
});

it.each(['a; b: c', 'a"; title: "b', 'a\\"; title: b'])(
  'The problems of a code that is taken are the sentence itself alone: %j',
  async (code) => {
    const { couponCodes } = new BrandClient(await takeBrand());
    await couponCodes.create({ code, discountPercent: 1 });
    const [taken] = await couponCodes.push(
      [{ storeDiscountId: '1', code: code.toUpperCase(), discountPercent: 1 }],
      { match: 'storeDiscountId', lenient: true },
    );
    const message = `Coupon code "${code.toUpperCase()}" already exists.`;
    expect(taken).toMatchObject({ error: message, problems: [{ path: '', message }] });
  },
);
