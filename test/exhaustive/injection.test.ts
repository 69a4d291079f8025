import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectError } from '../support/attack.ts';
import { resourceOf, resourcesOf, TestBrand } from '../support/brand.ts';
import { collections, products } from '../support/collections.ts';
import { keyed } from '../support/collections/collection.ts';
import { bearer, onItems, perform } from '../support/operations.ts';

// What reaches D1 is data, whatever it looks like.

let brand: TestBrand;

beforeEach(async () => {
  brand = await TestBrand.create();
});

/** What would change a statement that it is pasted into, or that takes it for a name. */
const SQL = [
  `' or '1'='1`,
  `'; drop table products; --`,
  `" or ""="`,
  `x' union select hash, scope from api_keys --`,
  `%' or 1=1 /*`,
  `\\'; delete from brands where 1=1;`,
  `1);attach database '/tmp/x' as y;--`,
  "iif(1,'a','b')",
  '(select brand_id from api_keys)',
  ':keyHash',
  '?1',
  '$keyHash',
  'now',
  'NULL',
  'null',
];

const INJECTIONS = [
  ...SQL,
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
  '__proto__',
  '\u202egnp.exe',
  '=cmd|calc',
];

// The tables stand, and the brand is there: nothing was run as SQL.
afterEach(async () => {
  const tables = [
    'brands',
    'api_keys',
    'idempotency_records',
    ...collections.map((of) => of.table),
  ];
  for (const table of tables) await env.DB.prepare(`select 1 from ${table} limit 1`).run();
  expect((await brand.send('GET', '/profile')).status).toBe(200);
});

it.each(collections)(
  'A text that looks like SQL or another language is kept to the letter: $path',
  async (of) => {
    const { id } = await brand.create(of.path, of.bare(1));
    for (const text of INJECTIONS) {
      const body = { [of.note]: text };
      const posted = await brand.send('POST', of.path, {
        ...keyed(of, `K${text.length}`),
        ...body,
      });
      const patched = await brand.send('PATCH', `${of.path}/${id}`, body);
      for (const answer of [posted, patched]) expect(resourceOf(answer)[of.note]).toBe(text);
      await brand.send('DELETE', `${of.path}/${resourceOf(posted).id}`);
    }
  },
);

const parameters = collections.flatMap((of) =>
  [...Object.keys(of.full), 'updatedSince', 'limit', 'cursor', 'since'].map((name) => ({
    of,
    name,
  })),
);
it.each(parameters)(
  'A text that looks like SQL or another language finds nothing as a parameter: $name of $of.path',
  async ({ of, name }) => {
    for (const each of collections) await brand.create(each.path, each.bare(1));
    for (const text of SQL) {
      const answer = await brand.send('GET', `${of.path}?${name}=${encodeURIComponent(text)}`);
      if (answer.status === 200) expect(resourcesOf(answer)).toEqual([]);
      else expectError(answer, 400);
    }
  },
);

it.each(onItems)(
  'A text that looks like SQL or another language is an unknown id: $name',
  async (operation) => {
    for (const text of INJECTIONS) {
      const ids = (): string => encodeURIComponent(text);
      expectError(await perform(operation, ids, { headers: bearer(brand) }), 404);
    }
  },
);

it.each(['If-Match', 'If-None-Match', 'Idempotency-Key', 'x-d1-bookmark', 'X-Request-Id'])(
  'A text that looks like SQL or another language gives no access as a header: %s',
  async (name) => {
    const values = INJECTIONS.filter((text) => /^[ -~]+$/.test(text));
    for (const value of values) {
      for (const headers of [{ [name]: value }, { [name]: `"${value}"` }]) {
        const made = await brand.send('POST', '/products', products.bare(1), { headers });
        expect([201, 400, 422], made.text).toContain(made.status);
        const { status, text } = await brand.send('PATCH', '/profile', {}, { headers });
        expect([200, 400, 412], text).toContain(status);
      }
    }
  },
);
