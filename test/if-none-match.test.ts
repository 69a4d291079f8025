import { describe, expect, it } from 'vitest';
import type { Answer } from './support/brand.ts';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { keyed } from './support/collections/collection.ts';
import { meter } from './support/meter.ts';
import { bearer, makeResources, perform, readOperations } from './support/operations.ts';
import { bareProfile, fullProfile } from './support/samples.ts';

const STRONG = /^"[\x21\x23-\x7e]+"$/;

/** A resource of each kind: how it is made, with every field, a change to it, and changes of nothing. */
const ITEMS = collections.map((of) => ({
  kind: of.noun,
  path: of.path,
  body: keyed(of, 'SAVE10'),
  full: of.full,
  change: { [of.note]: 'Changed' },
  noChanges: [{}],
}));
const KINDS = [
  ...ITEMS,
  {
    kind: 'profile',
    path: '/profile',
    body: bareProfile,
    full: fullProfile,
    change: { connection: { syncEnabled: true } },
    noChanges: [
      {},
      { brand: {} },
      { connection: {} },
      { brand: { updatedAt: '2020-01-01T00:00:00.000Z', createdAt: null, id: 7 }, id: 'x' },
      { connection: { id: 1, createdAt: 'a', updatedAt: [] }, createdAt: 1, updatedAt: {} },
    ],
  },
];
type Kind = (typeof KINDS)[number];

interface Made {
  readonly brand: TestBrand;
  /** The path of the resource. */
  readonly item: string;
  readonly tag: string;
}

async function make({ kind, path, body }: Kind): Promise<Made> {
  const brand = await TestBrand.create();
  const item = kind === 'profile' ? path : `${path}/${(await brand.create(path, body)).id}`;
  return { brand, item, tag: tagOf(await brand.send('GET', item)) };
}

function tagOf({ headers }: Answer): string {
  const tag = headers.get('ETag');
  if (tag === null || !STRONG.test(tag)) throw new Error(`Not a strong entity tag: ${String(tag)}`);
  return tag;
}

describe.each(KINDS)('$kind', (kind) => {
  it('An entity tag stays the same after a write that changes nothing, and so does the resource', async () => {
    const { brand, item } = await make(kind);
    for (const state of [kind.full, kind.body]) {
      const before = await brand.send('PUT', item, state);
      const whole = kind.kind === 'profile' ? before.body : resourceOf(before);
      const part = Object.fromEntries(Object.entries(state).slice(0, 1));
      await scheduler.wait(2);
      for (const [method, body] of [
        ...[...kind.noChanges, part, state, whole].map((body) => ['PATCH', body] as const),
        ...[state, whole].map((body) => ['PUT', body] as const),
      ]) {
        const metered = meter();
        const answer = await brand.send(method, item, body, metered);
        expect([answer.status, answer.text, tagOf(answer)]).toEqual([
          200,
          before.text,
          tagOf(before),
        ]);
        expect([metered.calls, metered.rowsWritten]).toEqual([1, 0]);
      }
      expect((await brand.send('GET', item)).text).toBe(before.text);
    }
  });

  it('An entity tag changes with each update, even back to an earlier state', async () => {
    const { brand, item, tag } = await make(kind);
    const before = await brand.send('GET', item);
    // A PUT may keep what it leaves out, so it names all.
    const whole = kind.kind === 'profile' ? before.body : resourceOf(before);
    const tags = [tag];
    for (const [method, body] of [
      ['PATCH', kind.change],
      ['PUT', whole],
      ['PATCH', kind.change],
    ] as const) {
      const answer = await brand.send(method, item, body);
      expect(answer.status).toBe(200);
      tags.push(tagOf(answer));
    }
    expect(new Set(tags).size).toBe(4);
    for (const method of ['GET', 'HEAD']) {
      expect(tagOf(await brand.send(method, item))).toBe(tags[3]);
    }
  });
});

it.each(ITEMS)('A new resource is returned with its entity tag: $kind', async ({ path, body }) => {
  const brand = await TestBrand.create();
  const created = await brand.send('POST', path, body);
  expect(created.status).toBe(201);
  const read = await brand.send('GET', `${path}/${resourceOf(created).id}`);
  expect(tagOf(read)).toBe(tagOf(created));
});

describe.each(readOperations)('$name', (read) => {
  it('A read honours If-None-Match if its response has an entity tag', async () => {
    const brand = await TestBrand.create();
    const ids = await makeResources(brand);
    const ask = (tag?: string): Promise<Answer> =>
      perform(read, ids, {
        headers: { ...bearer(brand), ...(tag !== undefined && { 'If-None-Match': tag }) },
      });
    const whole = await ask();
    expect(whole.status).toBe(200);
    const { target, honours } = read;
    expect(whole.headers.has('ETag')).toBe(target !== undefined);
    expect(honours.includes('If-None-Match')).toBe(target !== undefined);
    if (target === undefined) return;
    const tag = tagOf(await brand.send('GET', target(ids)));
    expect(tagOf(whole)).toBe(tag);
    const again = await ask(tag);
    expect([again.status, again.text, tagOf(again)]).toEqual([304, '', tag]);
    const other = await ask('"other"');
    expect([other.status, other.text]).toEqual([200, whole.text]);
  });
});

describe.each(KINDS)('$kind', (kind) => {
  // One function reads the header: all its forms are tried with the profile.
  const forms: readonly [name: string, header: (tag: string) => string, status: number][] = [
    ['the tag', (tag) => tag, 304],
    ['the tag, weak', (tag) => `W/${tag}`, 304],
    ['a list with the tag', (tag) => `"a", ${tag} , "b"`, 304],
    ['a list with the tag, weak, without spaces', (tag) => `"a,b",W/${tag}`, 304],
    ['a list with empty members', (tag) => `, ,\t${tag},`, 304],
    ['any', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['a list of others', () => '"a", W/"b", ""', 200],
    ['a tag that ends like it', (tag) => `"x${tag.slice(1)}`, 200],
    ['no quotes', (tag) => tag.slice(1, -1), 400],
    ['half a quote', (tag) => tag.slice(0, -1), 400],
    ['no comma between', (tag) => `"a" ${tag}`, 400],
    ['any among tags', (tag) => `*, ${tag}`, 400],
  ];
  const isAll = kind.kind === 'profile';
  const tried = forms.filter(([name]) => isAll || ['the tag', 'another tag'].includes(name));
  it.each(tried)('If-None-Match is read in each form: %s', async (_, header, status) => {
    const { brand, item, tag } = await make(kind);
    for (const method of ['GET', 'HEAD']) {
      const metered = meter();
      const headers = { 'If-None-Match': header(tag) };
      const answer = await brand.send(method, item, undefined, { headers, db: metered.db });
      expect(answer.status).toBe(status);
      expect(metered.calls).toBe(1);
      if (status !== 400) expect(tagOf(answer)).toBe(tag);
      if (status === 304) {
        expect(answer.text).toBe('');
        expect(answer.headers.has('Content-Type')).toBe(false);
        expect(answer.headers.get('Cache-Control')).toBe('no-store');
      }
      if (status === 400 && method === 'GET') {
        expect(answer.body['error']).toMatch(/^Invalid request: If-None-Match: /);
      }
    }
  });

  it('If-None-Match no longer matches after a change', async () => {
    const { brand, item, tag } = await make(kind);
    expect((await brand.send('PATCH', item, kind.change)).status).toBe(200);
    const answer = await brand.send('GET', item, undefined, { headers: { 'If-None-Match': tag } });
    expect(answer.status).toBe(200);
  });
});

it.each(
  KINDS.flatMap((kind) =>
    ['GET', 'HEAD', 'PATCH', 'PUT', 'DELETE']
      .filter((method) => kind.kind !== 'profile' || method !== 'DELETE')
      .map((method) => ({ ...kind, method })),
  ),
)(
  'Two headers that are no preconditions are both named, before a malformed bookmark: $method, $kind',
  async (row) => {
    const { brand, item } = await make(row);
    const headers = { 'If-Match': 'y', 'If-None-Match': 'x', 'x-d1-bookmark': 'z' };
    const body = { PATCH: row.change, PUT: row.body }[row.method];
    const answer = await brand.send(row.method, item, body, { headers });
    expect(answer.status).toBe(400);
    if (row.method === 'HEAD') return;
    const texts = String(answer.body['error']).replace('Invalid request: ', '').split('; ');
    expect(texts.map((text) => text.replace(/:.*/, ''))).toEqual(['If-Match', 'If-None-Match']);
  },
);
