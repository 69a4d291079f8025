import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { brand } from '../src/db/key.ts';
import { products } from '../src/db/tables.ts';
import type { Params } from '../src/db/statement.ts';
import { statement } from '../src/db/statement.ts';
import { interceptD1 } from './support/intercept-d1.ts';
import { TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { distinct } from './support/collections/collection.ts';
import { makeResources, operations } from './support/operations.ts';

// Each statement takes its brand from the row of the request's key. A statement that took it from elsewhere, or that
// compared a key's end with a clock of its own, would be a way into another brand, or to half of a write.

/** Every text that the service has sent to D1. */
const texts = new Set<string>();

/** The requests that were refused before their statements were made. Any other refusal is decided in D1. */
const invalid: string[] = [];

/** The database, noting each text that is prepared. */
const noting = interceptD1(
  env.DB,
  (call) => call(),
  (method, [text]) => {
    if (method === 'prepare') texts.add(String(text));
  },
);

beforeAll(async () => {
  const sender = await TestBrand.create();
  const ids = await makeResources(sender);
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<void> => {
    const { status, text } = await sender.send(method, path, body, { db: noting, headers });
    if (status === 400) invalid.push(`${method} ${path}: ${text}`);
  };
  const once = { 'Idempotency-Key': 'once' };
  for (const { method, path, body } of operations) {
    if (method !== 'DELETE') await send(method, path(ids), body);
    await send(method, path(ids), body, { 'If-Match': '"x"' });
  }
  for (const collection of collections) {
    const { path, many, key, note, values } = collection;
    for (const query of ['?limit=1', '?since=0', '?since=0&limit=1', `?${key}=X`]) {
      await send('GET', path + query);
    }
    const list = { [many]: [distinct(collection, 'L1'), distinct(collection, 'L2')] };
    await send('POST', path, list);
    await send('POST', path, distinct(collection, 'ONCE'), once);
    for (const match of ['id', ...Object.keys(values)]) {
      const value = match === 'id' ? ids(collection) : values[match]?.(7);
      const items = [{ ...collection.bare(7), [match]: value, [note]: 'x' }];
      for (const parameters of ['', '&dryRun=true']) {
        await send('POST', `${path}?match=${match}${parameters}`, { [many]: items });
      }
      const headers = { 'Idempotency-Key': match };
      await send('POST', `${path}?match=${match}`, { [many]: items }, headers);
      const deletions = [{ [match]: value, deleted: true }];
      await send('POST', `${path}?match=${match}`, { [many]: deletions });
    }
    await send('DELETE', `${path}/${ids(collection)}`);
  }
});

it('Each statement of the service is sent by this test', () => {
  expect(invalid).toEqual([]);
  expect(texts.size).toBeGreaterThan(55);
});

it('Each statement of a write does nothing for a key that may not write, or whose brand is being moved', () => {
  const condition = `= 'read' or "api_keys"."scope" = 'write' and "api_keys"."frozen_at" is null`;
  expect([...texts].filter((text) => !text.includes(condition))).toEqual([]);
});

it('Each statement compares the end of the key with the one time of its call, and with nothing else', () => {
  const ends = /"expires_at" (?!is (?:not )?null)(.{3})/g;
  const compared = [...texts].map((text) => [...text.matchAll(ends)].map(([, how]) => how));
  expect(compared.filter((all) => all.length === 0)).toEqual([]);
  expect([...new Set(compared.flat())]).toEqual(['> ?']);
});

it.each([
  ['a statement of the builder', (p: Params<'id'>) => sql`${eq(products.id, p.id)}`],
  ['a text', () => sql`delete from products`],
])('A statement without the key of the request is refused: %s', (_, build) => {
  const remove = statement(build);
  expect(() => remove({ id: 'x' })).toThrow('does not ask for the key of the request');
});

it('A value of a statement is its own, whatever its name', () => {
  const own = { keyHash: 'k', access: 'a', now: 'n', tryId: 't' };
  const added = { 'call.keyHash': '1', 'call.access': '2', 'call.now': '3', 'call.tryId': '4' };
  const bound = statement(
    (p: Params<keyof typeof own>) =>
      sql`select ${p.keyHash}, ${p.access}, ${p.now}, ${p.tryId} from ${brand}`,
  )(own);
  expect(bound.parameters(added)).toEqual(['k', 'a', 'n', 't', '1', '3', '2']);
});
