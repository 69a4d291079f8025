import { describe, expect, it } from 'vitest';
import { issueKey } from '../tools/admin/keys.ts';
import type { Answer } from './support/brand.ts';
import { execute, resourceOf, TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import type { TestCollection } from './support/collections/collection.ts';
import { keyed } from './support/collections/collection.ts';
import { meter } from './support/meter.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

/** What honours If-Match. */
type Write = readonly [method: string, path: string, body: unknown];

function writesOf(of: TestCollection): readonly Write[] {
  const { path, note, key } = of;
  return [
    ['PUT', path, { ...of.bare(2), [key]: 'OWN' }],
    ['PATCH', path, { [note]: 'Newer' }],
    ['PATCH', path, {}],
    ['DELETE', path, undefined],
  ];
}

const WRITES: readonly Write[] = [
  ...collections.flatMap(writesOf),
  ['PUT', '/profile', { brand: { brandName: 'Acme' }, connection: {} }],
  ['PATCH', '/profile', { brand: { brandName: 'Acme' } }],
  ['PATCH', '/profile', {}],
];

/** A brand with one resource below a path, which has changed once since it was made. */
async function make(
  path: string,
): Promise<{ brand: TestBrand; item: string; tag: string; stale: string }> {
  const brand = await TestBrand.create();
  const of = collections.find((one) => one.path === path);
  const made = of && (await brand.create(path, keyed(of, 'OWN')));
  const item = made === undefined ? path : `${path}/${made.id}`;
  const stale = tagOf(await brand.send('GET', item));
  const change = of === undefined ? { brand: { description: 'New' } } : { [of.note]: 'New' };
  return { brand, item, stale, tag: tagOf(await brand.send('PATCH', item, change)) };
}

const tagOf = ({ headers }: Answer): string => headers.get('ETag') ?? 'none';

type Header = readonly [
  name: string,
  header: (tags: { tag: string; stale: string }) => string,
  status: number,
];

const EACH: readonly Header[] = [
  ['the tag', ({ tag }) => tag, 200],
  ['a stale tag', ({ stale }) => stale, 412],
  ['no quotes', ({ tag }) => tag.slice(1, -1), 400],
];

/** All forms of the header, which one function reads: they are tried with one write. */
const FORMS: readonly Header[] = [
  ['a list with the tag', ({ tag, stale }) => `${stale}, ${tag}`, 200],
  ['a list without spaces', ({ tag }) => `"a,b",${tag}`, 200],
  ['any', () => '*', 200],
  ['a list without the tag', ({ stale }) => `"a", ${stale}`, 412],
  ['the tag, weak', ({ tag }) => `W/${tag}`, 200],
  ['a list with the tag, weak', ({ tag, stale }) => `W/${stale},W/${tag}`, 200],
  ['a stale tag, weak', ({ stale }) => `W/${stale}`, 412],
  ['an empty list', () => ' , ,', 412],
  ['the tag, weak in lower case', ({ tag }) => `w/${tag}`, 400],
  ['no comma between', ({ tag, stale }) => `${stale} ${tag}`, 400],
  ['any among tags', ({ tag }) => `${tag}, *`, 400],
  ['half a quote', ({ tag }) => tag.slice(0, -1), 400],
  ['words between', ({ tag }) => `${tag} or "b"`, 400],
];

const PATCH = WRITES.filter(([method]) => method === 'PATCH').slice(0, 1);
const TRIED = [
  ...WRITES.flatMap((write) => EACH.map((header) => ({ write, header }))),
  ...PATCH.flatMap((write) => FORMS.map((header) => ({ write, header }))),
];

describe('If-Match', () => {
  it.each(TRIED)('on $write.0 $write.1 $write.2: $header.0', async ({ write, header: form }) => {
    const [method, path, body] = write;
    const [, header, status] = form;
    const { brand, item, ...tags } = await make(path);
    const before = await brand.send('GET', item);
    const metered = meter();
    const answer = await brand.send(method, item, body, {
      headers: { 'If-Match': header(tags) },
      db: metered.db,
    });
    expect(answer.status).toBe(status);
    expect(metered.calls).toBe(1);
    if (status === 200) return;
    expect(answer.body['error']).toMatch(
      status === 412 ? /^Precondition failed/ : /^Invalid request: If-Match: /,
    );
    const after = await brand.send('GET', item);
    expect(after.body).toEqual(before.body);
    expect(tagOf(after)).toBe(tags.tag);
  });
});

describe('of several reasons to reject a write', () => {
  const taken = { code: 'taken', discountPercent: 5 };

  it.each(
    collections.flatMap((of) =>
      [...writesOf(of), ['PUT', of.path, keyed(of, 'TAKEN')] as const].map(([method, , body]) => ({
        of,
        method,
        body,
      })),
    ),
  )('an unknown id comes first: $method $of.path $body', async ({ of, method, body }) => {
    const { path, noun } = of;
    const brand = await TestBrand.create();
    await brand.create(path, keyed(of, 'TAKEN'));
    for (const header of ['*', '"stale"', 'W/"weak"']) {
      const options = { headers: { 'If-Match': header } };
      const answer = await brand.send(method, `${path}/${UNKNOWN}`, body, options);
      expect([answer.status, answer.body]).toEqual([404, { error: `${noun} not found.` }]);
    }
  });

  it.each(['PUT', 'PATCH'])('a stale tag comes before a code that is taken: %s', async (method) => {
    const { brand, item, tag, stale } = await make('/coupon-codes');
    await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 5 });
    const answers = [];
    for (const header of [stale, tag]) {
      answers.push(await brand.send(method, item, taken, { headers: { 'If-Match': header } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([412, 409]);
    expect(tagOf(await brand.send('GET', item))).toBe(tag);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])(
    "another brand's id is unknown, tag or not: %s",
    async (method) => {
      const { item, tag } = await make('/products');
      const stranger = await TestBrand.create();
      const body = method === 'DELETE' ? undefined : { title: 'Bar', priceCents: 2 };
      const options = { headers: { 'If-Match': tag } };
      expect((await stranger.send(method, item, body, options)).status).toBe(404);
    },
  );
});

const CLIENTS = 24;

describe('many clients at once', () => {
  it(
    'lose no update where each sends If-Match and tries again on 412',
    { timeout: 120_000 },
    async () => {
      const brand = await TestBrand.create();
      const { id } = await brand.create('/products', { title: 'Bar', priceCents: 1 });
      const item = `/products/${id}`;
      const field = 'serviceInventoryQuantity';
      let refused = 0;

      const client = async (): Promise<void> => {
        // A separate key, so that the rate limit is not reached.
        const own = brand.with(await issueKey(execute, brand.issued.brandId, {}));
        for (;;) {
          const read = await own.send('GET', item);
          const metered = meter();
          const write = await own.send(
            'PATCH',
            item,
            { [field]: Number(resourceOf(read)[field]) + 1 },
            { headers: { 'If-Match': tagOf(read) }, db: metered.db },
          );
          expect(metered.calls).toBe(1);
          if (write.status === 200) return;
          expect(write.status).toBe(412);
          refused++;
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));

      expect(resourceOf(await brand.send('GET', item))[field]).toBe(CLIENTS);
      expect(refused).toBeGreaterThan(0);
    },
  );
});
