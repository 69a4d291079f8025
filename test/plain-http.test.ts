import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { send, TestBrand } from './support/brand.ts';
import { interceptD1 } from './support/intercept-d1.ts';

// Cloudflare's edge says in CF-Visitor by which scheme a request came.

const HTTP = '{"scheme":"http"}';
const REFUSED = { error: 'Use https. Replace this key: it was sent in clear.' };

/** A D1 that must not be asked: the answer would be 500. */
const unasked = interceptD1(env.DB, () => Promise.reject(new Error('no such table: secret')));

it.each([
  ['GET', '/api/brand/v1/profile'],
  ['HEAD', '/api/brand/v1/profile'],
  ['POST', '/api/brand/v1/products'],
  ['OPTIONS', '/api/brand/v1/products'],
  // Also where another error would come, or no key is needed.
  ['DELETE', '/api/brand/v1/profile'],
  ['GET', '/api/brand/v1/nothing/'],
  ['GET', '/api/brand/v1/openapi.json'],
  ['GET', '/api'],
])('A request over plain HTTP is refused before anything else: %s %s', async (method, path) => {
  const { issued } = await TestBrand.create();
  for (const key of [{}, { Authorization: `Bearer ${issued.apiKey}` }]) {
    const headers = { 'CF-Visitor': HTTP, ...key };
    const answer = await send(method, path, { headers, db: unasked });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(method === 'HEAD' ? {} : REFUSED);
    expect(answer.headers.get('X-Error')).toBe('plain-http');
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.has('X-Request-Id')).toBe(true);
    expect(answer.headers.has('x-d1-bookmark')).toBe(false);
  }
});

it.each(['{"scheme": "http"}', '{"scheme":"http","other":1}'])(
  'A request over plain HTTP is known by another spelling of the header: %s',
  async (visitor) => {
    const brand = await TestBrand.create();
    const headers = { 'CF-Visitor': visitor };
    expect((await brand.send('GET', '/profile', undefined, { headers })).status).toBe(403);
  },
);

it.each([['{"scheme":"https"}'], [''], ['http'], [undefined]])(
  'A request is served if CF-Visitor does not say plain HTTP: %o',
  async (visitor) => {
    const brand = await TestBrand.create();
    const headers: Record<string, string> = visitor === undefined ? {} : { 'CF-Visitor': visitor };
    expect((await brand.send('GET', '/profile', undefined, { headers })).status).toBe(200);
  },
);
