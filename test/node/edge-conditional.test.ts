import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BrandClient } from '../../client/src/index.ts';
import type { BehindEdge } from './behind-edge.ts';
import { startBehindEdge, tagOf } from './behind-edge.ts';
import type { Edge } from './edge.ts';
import { startEdge } from './edge.ts';
import { all, failure } from './outcomes.ts';

const BASE = '/api/brand/v1';
const PRODUCTS = `${BASE}/products`;

let service: BehindEdge;
let withoutCompression: Edge;

beforeAll(async () => {
  service = await startBehindEdge();
  const upstream = `http://127.0.0.1:${service.server.port}`;
  withoutCompression = await startEdge({ upstream, compress: false });
});

afterAll(async () => {
  await withoutCompression.close();
  await service.stop();
});

const created = z.object({ product: z.object({ id: z.string() }) });

/** Creates a product, and gives its path and its tag as the service sent it: 201 is not compressed. */
async function make(): Promise<{ readonly path: string; readonly tag: string }> {
  const body = JSON.stringify({ title: 'Rope', priceCents: 1 });
  const response = await service.send('POST', PRODUCTS, { body });
  const { product } = created.parse(JSON.parse(response.text));
  return { path: `${PRODUCTS}/${product.id}`, tag: tagOf(response) };
}

describe.each(['compressed', 'not compressed'])('The typed client, %s', (kind) => {
  let client: BrandClient;

  beforeEach(() => {
    const { url } = kind === 'compressed' ? service.edge : withoutCompression;
    client = new BrandClient({ apiKey: service.server.apiKey, baseUrl: url });
  });

  it('writes with the tag as it received it, on products, coupon codes and the profile', async () => {
    const isTag = kind === 'compressed' ? /^W\/"[^"]+"$/ : /^"[^"]+"$/;
    const made = await client.products.create({ title: 'Rope', priceCents: 1 });
    const { id } = made.data;
    const read = await client.products.get(id);
    expect(read.data).toEqual(made.data);
    expect(read.etag).toMatch(isTag);
    const updated = await client.products.update(id, { priceCents: 2 }, { ifMatch: read.etag });
    expect(updated.etag).toMatch(isTag);
    const stale = { ifMatch: read.etag };
    const replacement = { title: 'String', priceCents: 3 };
    for (const attempt of [
      () => client.products.update(id, { priceCents: 4 }, stale),
      () => client.products.replace(id, replacement, stale),
      () => client.products.delete(id, stale),
    ]) {
      expect((await failure(attempt())).status).toBe(412);
    }
    const replaced = await client.products.replace(id, replacement, { ifMatch: updated.etag });
    await client.products.delete(id, { ifMatch: replaced.etag });
    expect((await failure(client.products.get(id))).status).toBe(404);

    const code = { code: `SAVE-${kind.length}`, discountPercent: 10 };
    const coupon = await client.couponCodes.create(code);
    const readCoupon = await client.couponCodes.get(coupon.data.id);
    const ifMatch = readCoupon.etag;
    const paused = await client.couponCodes.update(coupon.data.id, { active: false }, { ifMatch });
    await client.couponCodes.delete(coupon.data.id, { ifMatch: paused.etag });

    const profile = await client.getProfile();
    const change = { brand: { contactName: kind } };
    const changed = await client.updateProfile(change, { ifMatch: profile.etag });
    expect(changed.data.brand.contactName).toBe(kind);
    const late = client.updateProfile(change, { ifMatch: profile.etag });
    expect((await failure(late)).status).toBe(412);
  });

  it('lists what it created, page by page', async () => {
    const sku = `list, ${kind}`;
    const inputs = Array.from({ length: 260 }, (_, index) => ({
      title: `P ${index}`,
      priceCents: 1,
      sku,
    }));
    const made = await client.products.createMany(inputs);
    expect(await all(client.products.list({ sku }))).toEqual(made);
  });
});

describe('A conditional request through the edge', () => {
  const forms: readonly [string, (tag: string, stale: string) => string, boolean][] = [
    ['the weak tag', (tag) => `W/${tag}`, true],
    ['the strong tag', (tag) => tag, true],
    ['a list', (tag, stale) => `W/${stale}, W/${tag}`, true],
    ['*', () => '*', true],
    ['another tag, weak', (_tag, stale) => `W/${stale}`, false],
    ['a list of others', (_tag, stale) => `${stale}, W/"a"`, false],
  ];
  const cases = forms.flatMap(([name, header, matches]) =>
    ['gzip', 'identity'].map((accepted) => ({ name, header, matches, accepted })),
  );

  it.each(cases)(
    'If-Match with $name, $accepted: $matches',
    async ({ header, matches, accepted }) => {
      const { path, tag: stale } = await make();
      const body = '{"priceCents":2}';
      const tag = tagOf(
        await service.send('PATCH', path, { body, headers: { 'Accept-Encoding': 'identity' } }),
      );
      const headers = { 'Accept-Encoding': accepted, 'If-Match': header(tag, stale) };
      const patched = await service.send('PATCH', path, { body: '{"priceCents":3}', headers });
      expect(patched.status).toBe(matches ? 200 : 412);
      expect(patched.headers.has('Content-Encoding')).toBe(matches && accepted === 'gzip');
      if (!matches) return;
      const now = tagOf(patched);
      expect(now.startsWith('W/')).toBe(accepted === 'gzip');
      const gone = await service.send('DELETE', path, { headers: { 'If-Match': now } });
      expect(gone.status).toBe(200);
    },
  );

  it.each(cases)(
    'If-None-Match with $name, $accepted: $matches',
    async ({ header, matches, accepted }) => {
      const { path, tag } = await make();
      const headers = { 'Accept-Encoding': accepted, 'If-None-Match': header(tag, '"other"') };
      for (const method of ['GET', 'HEAD']) {
        const response = await service.send(method, path, { headers });
        expect(response.status).toBe(matches ? 304 : 200);
        expect(tagOf(response).replace('W/', '')).toBe(tag);
        if (method === 'HEAD' || matches) expect(response.size).toBe(0);
      }
    },
  );

  it('gets 304 for the OpenAPI document with the tag as received', async () => {
    const path = `${BASE}/openapi.json`;
    const tag = tagOf(await service.send('GET', path));
    expect(tag).toMatch(/^W\/"\w+"$/);
    for (const known of [tag, `"a", ${tag}`, '*']) {
      expect(
        (await service.send('GET', path, { headers: { 'If-None-Match': known } })).status,
      ).toBe(304);
    }
  });
});
