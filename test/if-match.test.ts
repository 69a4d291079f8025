import { expect, it } from 'vitest';
import { UNKNOWN } from './support/attack.ts';
import type { Answer } from './support/brand.ts';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { meter } from './support/meter.ts';
import type { Ids, Operation } from './support/operations.ts';
import { bearer, makeResources, perform, prepare, writeOperations } from './support/operations.ts';

/** What honours If-Match, and a change of nothing. */
const WRITES = writeOperations
  .filter(({ honours }) => honours.includes('If-Match'))
  .flatMap((write) =>
    write.method === 'PATCH'
      ? [write, { ...write, name: `${write.name} of nothing`, body: {} }]
      : [write],
  );

/** A brand with resources, of which the one that a write is about has changed since it was made. */
async function make(write: Operation): Promise<{
  readonly brand: TestBrand;
  readonly ids: Ids;
  readonly item: string;
  readonly tag: string;
  readonly stale: string;
}> {
  const brand = await TestBrand.create('Another name');
  const ids = await makeResources(brand);
  const item = write.target?.(ids) ?? '';
  const stale = tagOf(await brand.send('GET', item));
  // By another write, so that this one changes something too.
  const method = write.method === 'PATCH' ? 'PUT' : 'PATCH';
  const other = WRITES.find((one) => one.method === method && one.target?.(ids) === item);
  await brand.send(method, item, other?.body);
  await prepare(write, brand, ids);
  return { brand, ids, item, stale, tag: tagOf(await brand.send('GET', item)) };
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

const PATCH = WRITES.filter(({ method }) => method === 'PATCH').slice(0, 1);
const TRIED = [
  ...WRITES.flatMap((write) => EACH.map((form) => ({ write, form }))),
  ...PATCH.flatMap((write) => FORMS.map((form) => ({ write, form }))),
];

it.each(TRIED)(
  'If-Match is honoured by every write of one resource: $write.name: $form.0',
  async ({ write, form }) => {
    const [, header, status] = form;
    const { brand, ids, item, ...tags } = await make(write);
    const before = await brand.send('GET', item);
    const metered = meter();
    const headers = { ...bearer(brand), 'If-Match': header(tags) };
    const answer = await perform(write, ids, { headers, db: metered.db });
    expect(answer.status).toBe(status);
    expect(metered.calls).toBe(1);
    if (status === 200) return;
    expect(answer.body['error']).toMatch(
      status === 412 ? /^Precondition failed/ : /^Invalid request: If-Match: /,
    );
    const after = await brand.send('GET', item);
    expect([after.body, tagOf(after)]).toEqual([before.body, tags.tag]);
  },
);

it.each(WRITES.filter(({ noun }) => noun !== undefined))(
  'An unknown id is reported before other problems, also before a code that is taken: $name',
  async (write) => {
    const brand = await TestBrand.create();
    for (const collection of collections) await brand.create(collection.path, collection.bare(2));
    for (const header of [undefined, '*', '"stale"', 'W/"weak"']) {
      const headers = { ...bearer(brand), ...(header !== undefined && { 'If-Match': header }) };
      const answer = await perform(write, () => UNKNOWN, { headers });
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: `${String(write.noun)} not found.` },
      ]);
    }
  },
);

it.each(WRITES.filter(({ name, body }) => /^P\w+ .coupon-codes/.test(name) && body !== undefined))(
  'A stale tag is reported before a code that is taken: $name',
  async (write) => {
    const { brand, item, tag, stale } = await make(write);
    await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 5 });
    const taken = { code: 'taken', discountPercent: 5 };
    for (const [header, status] of [
      [stale, 412],
      [tag, 409],
    ] as const) {
      const headers = { 'If-Match': header };
      expect((await brand.send(write.method, item, taken, { headers })).status).toBe(status);
    }
    expect(tagOf(await brand.send('GET', item))).toBe(tag);
  },
);

it('Many clients at once lose no update if each sends If-Match, and tries again on 412', async () => {
  const brand = await TestBrand.create();
  const { id } = await brand.create('/products', { title: 'Bar', priceCents: 1 });
  const item = `/products/${id}`;
  const field = 'serviceInventoryQuantity';
  let refused = 0;
  const client = async (): Promise<void> => {
    for (;;) {
      const read = await brand.send('GET', item);
      const headers = { 'If-Match': tagOf(read) };
      const change = { [field]: Number(resourceOf(read)[field]) + 1 };
      const { status } = await brand.send('PATCH', item, change, { headers });
      if (status === 200) return;
      expect(status).toBe(412);
      refused++;
    }
  };
  const clients = 24;
  await Promise.all(Array.from({ length: clients }, client));
  expect(resourceOf(await brand.send('GET', item))[field]).toBe(clients);
  expect(refused).toBeGreaterThan(0);
});
