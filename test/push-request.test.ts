import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createApp, operationsOf } from '../src/app.ts';
import type { Values } from '../src/db/columns.ts';
import { products as source } from '../src/resources/products.ts';
import type { Answer, Service } from './support/brand.ts';
import { standard, TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import { keyed } from './support/collections/collection.ts';
import { keysOf } from './support/idempotency.ts';
import { withNewKey } from './support/keys.ts';
import { LENIENT, newItem, ONCE, outcomes, push, pushedOf, resultsOf } from './support/push.ts';
import { snapshot } from './support/snapshot.ts';
import { padded } from './support/bodies.ts';

// The request of a push around its items: parameters, preferences, keys and sizes.

/** A deployment of the service that takes no product with this title. */
function without(title: string): Service {
  const check = z.refine<Values>((values) => values['title'] !== title, { path: ['title'] });
  const [postBody, patchBody] = [source.postBody.check(check), source.patchBody.check(check)];
  return { ...standard, app: createApp(operationsOf([{ ...source, postBody, patchBody }])) };
}

const NEW = { title: 'New', priceCents: 1, sku: 'NEW' };
const NEW_CODE = { code: 'NEW', discountPercent: 1 };

describe.each(collections)('$many', (of) => {
  const item = keyed(of, 'NEW');
  const match = `match: expected one of ${['id', ...Object.keys(of.values)].join(', ')}`;
  const unknown = 'unknown parameter, expected one of match, dryRun, ifNewer';
  const field = of.key;

  it.each<[query: string, error: string]>([
    ['?nonsense=1', `nonsense: ${unknown}`],
    [`?Match=${field}`, `Match: ${unknown}`],
    [`?matches=${field}&since=0`, `matches: unknown parameter; since: ${unknown}`],
    ...[of.note, 'title', '', field.toUpperCase(), 'deleted', '__proto__', 'constructor'].map(
      (name): [string, string] => [`?match=${name}`, match],
    ),
    ['?match', match],
    [`?match=${field}&match=${field}`, 'match: given more than once'],
    [`?match=${field}&limit=1`, `limit: ${unknown}`],
    ['?dryRun=true', 'dryRun: expected together with match'],
    [`?match=${field}&dryRun=yes`, 'dryRun: expected true or false'],
    [`?match=${field}&dryRun=TRUE`, 'dryRun: expected true or false'],
    [`?match=${field}&dryRun=true&dryRun=true`, 'dryRun: given more than once'],
    ['?match=nonsense&dryRun=maybe', `${match}; dryRun: expected true or false`],
  ])(
    'A POST with a bad parameter is 400 by name, whatever the body, and creates nothing: %s',
    async (query, error) => {
      const brand = await TestBrand.create();
      for (const body of [{ [of.many]: [item] }, item]) {
        for (const headers of [{}, LENIENT]) {
          const answer = await brand.send('POST', of.path + query, body, { headers });
          expect([answer.status, answer.body['error']]).toEqual([400, `Invalid request: ${error}`]);
        }
      }
      expect(await brand.list(of.path)).toEqual([]);
    },
  );

  it('A POST with ?dryRun=false is the same as without', async () => {
    const brand = await TestBrand.create();
    const created = await brand.send('POST', `${of.path}?dryRun=false`, item);
    expect(created.status).toBe(201);
    expect(await brand.list(of.path)).toHaveLength(1);
    const pushed = await push(brand, of, field, [item], { dryRun: false });
    expect(outcomes(pushed)).toEqual(['unchanged']);
  });

  it.each<[what: string, body: unknown, error: string]>([
    ['no items', { [of.many]: [] }, `${of.many}: expected a list of 1 to 500 items`],
    [
      '501 items',
      { [of.many]: Array.from({ length: 501 }, () => item) },
      `${of.many}: expected a list of 1 to 500 items`,
    ],
    ['no list', { [of.many]: item }, `${of.many}: expected a list of 1 to 500 items`],
    ['one resource without the envelope', item, `${of.many}: required; `],
    ['an envelope with more', { [of.many]: [item], more: 1 }, 'more: unknown field'],
    ['a bare list', [item], 'body: expected a JSON object'],
    [
      'faults around items and in them',
      { more: 1, [of.many]: [item, { ...item, colour: 'red' }] },
      `more: unknown field; ${of.many}.1.colour: unknown field`,
    ],
  ])('A POST with match and a bad list is 400 in either mode: %s', async (_, body, error) => {
    const brand = await TestBrand.create();
    for (const headers of [{}, LENIENT]) {
      for (const dryRun of ['', '&dryRun=true']) {
        const path = `${of.path}?match=${field}${dryRun}`;
        const answer = await brand.send('POST', path, body, { headers });
        expect([answer.status, answer.body['error']]).toEqual([
          400,
          expect.stringContaining(`Invalid request: ${error}`),
        ]);
      }
    }
    expect(await brand.list(of.path)).toEqual([]);
  });

  it('A POST with a deletion and no match is 400', async () => {
    const brand = await TestBrand.create();
    const answer = await brand.send('POST', of.path, { [of.many]: [{ ...item, deleted: true }] });
    expect(answer.body).toEqual({
      error: `Invalid request: ${of.many}.0.deleted: unknown field`,
    });
  });

  it('A POST is 400 if an item is invalid, even if another request used its key', async () => {
    const brand = await TestBrand.create();
    const headers = { 'Idempotency-Key': 'used' };
    expect((await push(brand, of, field, [item], { headers })).status).toBe(200);
    const invalid = [{ ...item, colour: 'red' }];
    const refused = await push(brand, of, field, invalid, { headers });
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: `Invalid request: ${of.many}.0.colour: unknown field` },
    ]);
    const lenient = { ...headers, Prefer: 'handling=lenient' };
    expect((await push(brand, of, field, invalid, { headers: lenient })).status).toBe(422);
  });

  it('A POST is 422 if another request used its key, before a code that is taken', async () => {
    const brand = await TestBrand.create();
    const headers = { 'Idempotency-Key': 'used' };
    const codes = (...ids: readonly string[]): unknown[] =>
      ids.map((storeDiscountId) => ({ ...NEW_CODE, storeDiscountId }));
    const first = await push(brand, couponCodes, 'storeDiscountId', codes('1'), { headers });
    expect(first.status).toBe(200);
    const twice = await push(brand, couponCodes, 'storeDiscountId', codes('2'), { headers });
    expect(twice.status).toBe(422);
  });

  it.each([{}, LENIENT])(
    'A POST with match names faults of the headers before those of items: %o',
    async (mode) => {
      const brand = await TestBrand.create();
      const body = { [of.many]: [item, { ...item, x: 1 }, 5] };
      const errors = [];
      for (const key of ['a b', 'ab']) {
        const headers = { ...mode, 'Idempotency-Key': key };
        const answer = await brand.send('POST', `${of.path}?match=${field}`, body, { headers });
        errors.push(answer.body['error'] ?? answer.status);
      }
      expect(errors).toEqual([
        expect.stringMatching(/^Invalid request: Idempotency-Key: /),
        'Prefer' in mode ? 200 : expect.stringContaining(`${of.many}.1.x: unknown field; `),
      ]);
    },
  );

  it('A POST that is no JSON is 400, and with a read-only key 403', async () => {
    const brand = await TestBrand.create();
    const broken = await brand.send('POST', `${of.path}?match=${field}`, undefined, { raw: '{' });
    expect([broken.status, broken.body]).toEqual([400, { error: 'Invalid JSON payload.' }]);
    const reader = await withNewKey(brand, { scope: 'read' });
    for (const dryRun of [false, true]) {
      const answer = await push(reader, of, field, [item], { dryRun });
      expect([answer.status, answer.body]).toEqual([403, { error: 'This API key is read-only.' }]);
    }
    expect(await brand.list(of.path)).toEqual([]);
  });
});

const stated: readonly [
  prefer: string,
  applied: string | null,
  effect: { readonly lenient?: true; readonly minimal?: true },
][] = [
  ['return=minimal', 'return=minimal', { minimal: true }],
  ['return=representation', 'return=representation', {}],
  ['handling=lenient', 'handling=lenient', { lenient: true }],
  ['handling=strict', 'handling=strict', {}],
  [
    'Return="minimal" ; foo="bar", respond-async,HANDLING=Lenient',
    'return=minimal, handling=lenient',
    { lenient: true, minimal: true },
  ],
  ['handling=lenient, handling=strict', 'handling=lenient', { lenient: true }],
  ['wait=100', null, {}],
  ['return=maximal, handling', null, {}],
  ['=;,,"handling=lenient', null, {}],
  ['handling lenient', null, {}],
  ['foo="a, handling=lenient, b"', null, {}],
  ['foo="\\", return=minimal"', null, {}],
  ['foo="a, handling=lenient', null, {}],
  ['foo="a, b", handling=lenient;a="b, return=minimal"', 'handling=lenient', { lenient: true }],
  ['handling=lenient=strict', null, {}],
  ['handling=careful, handling=lenient', null, {}],
  ['', null, {}],
];

it.each(stated)(
  'A Prefer header applies the preferences that the service knows: %s applies %s',
  async (prefer, applied, { lenient, minimal }) => {
    const brand = await TestBrand.create();
    const headers = { Prefer: prefer };
    for (const dryRun of [true, false]) {
      const answer = await push(brand, products, 'sku', [NEW], { headers, dryRun });
      expect(answer.headers.get('Preference-Applied')).toBe(applied);
      const hasResources = !minimal && !dryRun;
      expect(Object.keys(answer.body)).toEqual(
        hasResources ? ['products', 'results'] : ['results'],
      );
    }
    const partly = await push(brand, products, 'sku', [{ sku: 'X' }, NEW], { headers });
    expect(partly.status).toBe(lenient ? 200 : 400);
  },
);

const isReplay = ({ headers }: Answer): boolean => headers.get('Idempotent-Replayed') === 'true';

it('An Idempotency-Key reports the preferences of the repeat that were honoured', async () => {
  const brand = await TestBrand.create();
  const headers = { 'Idempotency-Key': 'once', Prefer: 'handling=lenient, return=minimal' };
  for (const isRepeat of [false, true]) {
    const answer = await push(brand, products, 'sku', [NEW], { headers });
    expect(isReplay(answer)).toBe(isRepeat);
    expect(answer.headers.get('Preference-Applied')).toBe('handling=lenient, return=minimal');
  }
});

it('An Idempotency-Key shows what the resources are by now: changed since, or gone', async () => {
  const brand = await TestBrand.create();
  const items = [1, 2, 3].map((n) => newItem(products, 'sku', n));
  const first = await push(brand, products, 'sku', items, { headers: ONCE });
  const [one, two, three] = resultsOf(first);
  await brand.send('PATCH', `/products/${one?.id ?? ''}`, { title: 'Later' });
  await brand.send('DELETE', `/products/${two?.id ?? ''}`);
  const again = await push(brand, products, 'sku', items, { headers: ONCE });
  expect(resultsOf(again)).toEqual(resultsOf(first));
  expect(pushedOf(again, products)).toMatchObject([
    { id: one?.id, title: 'Later' },
    { id: three?.id },
  ]);
  expect(await brand.list(products.path)).toHaveLength(2);
});

it('An Idempotency-Key of another request is 422', async () => {
  const brand = await TestBrand.create();
  const item = { ...NEW, storeVariantId: 'V' };
  const headers = ONCE;
  await push(brand, products, 'sku', [item], { headers });
  const created = { 'Idempotency-Key': 'creation' };
  await brand.send('POST', '/products', { products: [item] }, { headers: created });
  const before = await snapshot(brand.issued.brandId);
  for (const answer of [
    await push(brand, products, 'storeVariantId', [item], { headers }),
    await push(brand, products, 'sku', [{ ...item, title: 'Other' }], { headers }),
    await push(brand, couponCodes, 'code', [NEW_CODE], { headers }),
    await brand.send('POST', '/products', { products: [item] }, { headers }),
    await push(brand, products, 'sku', [item], { headers: created }),
    await push(brand, products, 'sku', [item], { headers: { ...created, ...LENIENT } }),
  ]) {
    expect([answer.status, answer.body['error']]).toEqual([
      422,
      expect.stringMatching(/^Idempotency-Key/),
    ]);
  }
  expect(await snapshot(brand.issued.brandId)).toEqual(before);
});

it.each([
  ['more items', 'Thing 2', ''],
  ['fewer items', '', 'Thing 2'],
  ['other items', 'Thing 1', 'Thing 2'],
])(
  'An Idempotency-Key is 422 if a later deployment takes other items: %s',
  async (_, before, now) => {
    const brand = await TestBrand.create();
    const items = [1, 2, 3].map((n) => ({ ...newItem(products, 'sku', n), title: `Thing ${n}` }));
    const headers = { ...ONCE, ...LENIENT };
    const trying = (title: string): Promise<Answer> =>
      push(brand.with(brand.issued, without(title)), products, 'sku', items, { headers });
    const [first, again] = [await trying(before), await trying(now)];
    expect([first.status, again.status, isReplay(again)]).toEqual([200, 422, false]);
    expect(await brand.list(products.path)).toHaveLength(before === '' ? 3 : 2);
  },
);

it('An Idempotency-Key of a push that is refused leaves no record', async () => {
  const brand = await TestBrand.create();
  await push(brand, products, 'sku', [NEW, { sku: 'X' }], { headers: ONCE });
  await push(brand, products, 'sku', [NEW, { sku: 'X', title: '' }], { headers: ONCE });
  expect(await keysOf(brand)).toEqual([]);
  const mended = await push(brand, products, 'sku', [NEW], { headers: ONCE });
  expect([outcomes(mended), isReplay(mended)]).toEqual([['created'], false]);
});

it.each([
  ['by the request', [{ sku: 'X', title: '' }]],
  ['by the database', [{ sku: 'X' }]],
])(
  'An Idempotency-Key of a lenient push of which all is refused is good for that request only: %s',
  async (_, items) => {
    const brand = await TestBrand.create();
    const headers = { ...ONCE, ...LENIENT };
    const first = await push(brand, products, 'sku', items, { headers });
    const again = await push(brand, products, 'sku', items, { headers });
    expect([again.body, isReplay(again)]).toEqual([first.body, true]);
    const other = await push(brand, products, 'sku', [NEW], { headers });
    expect(other.status).toBe(422);
    const invalid = await push(brand, products, 'sku', [{ sku: 'Y', title: '' }], { headers });
    expect(invalid.status).toBe(422);
  },
);

it('An Idempotency-Key of twenty pushes at once lets one write, and the others replay', async () => {
  const brand = await TestBrand.create();
  const items = [1, 2, 3].map((n) => newItem(products, 'sku', n));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => push(brand, products, 'sku', items, { headers: ONCE })),
  );
  expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await brand.list(products.path)).toHaveLength(3);
});

const KIB = 1024;
const many = (length: number): string => padded({ products: [NEW] }, length);

it('A push is 2 MiB at most, counted as it arrives', async () => {
  const brand = await TestBrand.create();
  const path = '/products?match=sku';
  const fits = await brand.send('POST', path, undefined, { raw: many(2 * 1024 * KIB) });
  expect(outcomes(fits)).toEqual(['created']);
  const more = await brand.send('POST', path, undefined, { raw: many(2 * 1024 * KIB + 1) });
  expect([more.status, more.body]).toEqual([
    413,
    { error: 'Request body too large. The limit is 2048 KiB.' },
  ]);
});

it('A push of one resource without the envelope is 400 at any size below the limit', async () => {
  const brand = await TestBrand.create();
  for (const size of [1, 256, 257]) {
    const raw = padded(NEW, size * KIB);
    const answer = await brand.send('POST', '/products?match=sku', undefined, { raw });
    expect(answer.status).toBe(400);
  }
});

it('A push of one item is limited as a row is, in a dry run too', async () => {
  const brand = await TestBrand.create();
  const imageUrls = Array.from({ length: 250 }, (_, n) =>
    `https://a.example/${n}/`.padEnd(2048, 'x'),
  );
  const item = { ...NEW, sku: 'LARGE', imageUrls, description: 'x'.repeat(65_535) };
  for (const dryRun of [true, false]) {
    const answer = await push(brand, products, 'sku', [NEW, item], { dryRun, headers: LENIENT });
    expect([answer.status, answer.body]).toEqual([
      413,
      { error: 'Request body too large. The limit of products.1 is 520 KiB.' },
    ]);
  }
  const large = { ...NEW, imageUrls, description: '' };
  for (const status of ['created', 'unchanged']) {
    expect(outcomes(await push(brand, products, 'sku', [large]))).toEqual([status]);
  }
});

it('A push of one item has the same limit in a dry run, which sends no id for its handle', async () => {
  const brand = await TestBrand.create();
  const imageUrls = Array.from({ length: 250 }, () => 'https://a.example/'.padEnd(2048, 'x'));
  const send = async (length: number, dryRun: boolean): Promise<number> => {
    const item = { ...NEW, title: '中', imageUrls, description: 'x'.repeat(length) };
    return (await push(brand, products, 'sku', [item], { dryRun })).status;
  };
  let [accepted, refused] = [0, 65_535];
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if ((await send(middle, true)) === 200) accepted = middle;
    else refused = middle;
  }
  expect([await send(refused, false), await send(accepted, false)]).toEqual([413, 200]);
});
