import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { coupon, expectError, product } from '../support/attack.ts';
import { resourceOf, resourcesOf, TestBrand } from '../support/brand.ts';

// OWASP API Security Top 10 (2023), API8: what reaches D1.

let brand: TestBrand;

beforeEach(async () => {
  brand = await TestBrand.create();
});

const INJECTIONS = [
  `' or '1'='1`,
  `'; drop table products; --`,
  `" or ""="`,
  `x' union select hash, scope from api_keys --`,
  `%' or 1=1 /*`,
  `\\'; delete from brands where 1=1;`,
  `1);attach database '/tmp/x' as y;--`,
  '${7*7}',
  '{{7*7}}',
  '%{7*7}',
  '$(id)',
  '`id`',
  '| id',
  '../../etc/passwd',
  '%00',
  '<script>alert(1)</script>',
  '{"$gt":""}',
  '*)(uid=*',
  ':keyHash',
  '?1',
  '$keyHash',
  'now',
  'NULL',
  'null',
  "iif(1,'a','b')",
  '__proto__',
  '\u202egnp.exe',
  '=cmd|calc',
  '(select brand_id from api_keys)',
];

const PRODUCT_STRINGS = [
  'title',
  'description',
  'handle',
  'sku',
  'currencyCode',
  'imageUrl',
  'marketplaceCategory',
  'serviceListingStatus',
  'storeProductId',
  'storeVariantId',
  'storeStatus',
  'source',
  'syncStatus',
  'lastSyncedAt',
  'lastSyncError',
  'sourceUpdatedAt',
];
const COUPON_STRINGS = [
  'code',
  'category',
  'description',
  'storeDiscountId',
  'syncStatus',
  'lastSyncedAt',
];
const BRAND_STRINGS = [
  'brandName',
  'contactName',
  'description',
  'logoUrl',
  'supportEmail',
  'website',
];
const CONNECTION_STRINGS = [
  'lastDiscountsSyncAt',
  'lastProductsSyncAt',
  'lastSyncError',
  'status',
  'storeDomain',
];

/** The tables stand, and the brand is there: that nothing was run as SQL. */
async function expectTablesToStand(): Promise<void> {
  const { results } = await env.DB.prepare(
    `select count(*) as n from sqlite_schema where type = 'table'
      and name in ('brands', 'api_keys', 'products', 'coupon_codes', 'idempotency_records')`,
  ).all();
  expect(results).toEqual([{ n: 5 }]);
  expect((await brand.send('GET', '/profile')).status).toBe(200);
}

describe('API8 Security misconfiguration: injection', () => {
  const fields = [
    ...PRODUCT_STRINGS.map((field) => ({ path: '/products', base: product, field })),
    ...COUPON_STRINGS.map((field) => ({ path: '/coupon-codes', base: coupon, field })),
  ];

  it.each(fields)(
    '$path $field is kept to the letter or refused',
    async ({ path, base, field }) => {
      const { id } = await brand.create(path, {
        ...base,
        code: undefined,
        ...(path === '/coupon-codes' && { code: 'BASE' }),
      });
      const kept: string[] = [];
      for (const text of INJECTIONS) {
        const posted = await brand.send('POST', path, { ...base, [field]: text });
        const patched = await brand.send('PATCH', `${path}/${id}`, { [field]: text });
        for (const answer of [posted, patched]) {
          if (answer.status < 300) {
            expect(resourceOf(answer)[field]).toBe(text);
            kept.push(text);
          } else expectError(answer, 400, 409);
        }
      }
      const free = [
        'title',
        'description',
        'sku',
        'storeProductId',
        'storeVariantId',
        'storeDiscountId',
        'lastSyncError',
      ];
      if (free.includes(field)) expect(kept.length).toBeGreaterThanOrEqual(INJECTIONS.length);
      await expectTablesToStand();
    },
  );

  it.each([
    ...BRAND_STRINGS.map((field) => ({ half: 'brand', field })),
    ...CONNECTION_STRINGS.map((field) => ({ half: 'connection', field })),
  ])('/profile $half.$field is kept to the letter or refused', async ({ half, field }) => {
    for (const text of INJECTIONS) {
      const answer = await brand.send('PATCH', '/profile', { [half]: { [field]: text } });
      if (answer.status === 200) {
        const expected = field === 'storeDomain' ? text.toLowerCase() : text;
        expect(answer.body[half]).toMatchObject({ [field]: expected });
      } else expectError(answer, 400);
    }
    await expectTablesToStand();
  });

  const FILTERS = [
    'sku',
    'handle',
    'storeProductId',
    'storeVariantId',
    'syncStatus',
    'serviceListingStatus',
    'storeStatus',
  ];
  const parameters = [
    ...[...FILTERS, 'updatedSince', 'limit', 'cursor'].map((name) => ({ path: '/products', name })),
    ...['code', 'active', 'storeDiscountId', 'syncStatus', 'cursor'].map((name) => ({
      path: '/coupon-codes',
      name,
    })),
  ];
  it.each(parameters)('the filter $name of $path finds only matching resources', async (attack) => {
    await brand.create('/products', product);
    await brand.create('/coupon-codes', coupon);
    for (const text of INJECTIONS) {
      const { path, name } = attack;
      const answer = await brand.send('GET', `${path}?${name}=${encodeURIComponent(text)}`);
      if (answer.status === 200) expect(resourcesOf(answer)).toEqual([]);
      else expectError(answer, 400);
    }
    await expectTablesToStand();
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('an id of SQL is unknown to %s', async (method) => {
    const body = { GET: undefined, PUT: product, PATCH: {}, DELETE: undefined }[method];
    for (const text of INJECTIONS) {
      const answer = await brand.send(method, `/products/${encodeURIComponent(text)}`, body);
      expectError(answer, 404);
    }
    await expectTablesToStand();
  });

  it.each(['If-Match', 'If-None-Match', 'Idempotency-Key', 'x-d1-bookmark', 'X-Request-Id'])(
    'the header %s gives no access',
    async (name) => {
      const values = INJECTIONS.filter((text) => /^[ -~]+$/.test(text));
      for (const value of values) {
        for (const headers of [{ [name]: value }, { [name]: `"${value}"` }]) {
          const made = await brand.send('POST', '/products', product, { headers });
          expect([201, 400, 422], made.text).toContain(made.status);
          const { status, text } = await brand.send('PATCH', '/profile', {}, { headers });
          expect([200, 400, 412], text).toContain(status);
        }
      }
      await expectTablesToStand();
    },
  );
});
