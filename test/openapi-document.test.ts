import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { app } from '../src/app.ts';
import { send } from './support/brand.ts';
import { document } from './support/document.ts';
import { meter } from './support/meter.ts';

const PATH = '/api/brand/v1/openapi.json';

it('The document is served without a key and without a call to D1', async () => {
  const counted = meter();
  const answer = await send('GET', PATH, counted);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(answer.body).toEqual(document);
  expect(answer.headers.get('X-Request-Id')).not.toBeNull();
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(counted.calls).toBe(0);
});

it('The document says nothing about the form of a bookmark, which names the database of its brand', () => {
  expect(document).toHaveProperty('components.parameters.Bookmark.schema', { type: 'string' });
});

it.each<[string, (tag: string) => string, number]>([
  ['the tag', (tag) => tag, 304],
  ['the tag, weak', (tag) => `W/${tag}`, 304],
  ['a list with the tag', (tag) => `"a", W/${tag}`, 304],
  ['any', () => '*', 304],
  ['another tag', () => '"a"', 200],
  ['no quotes', (tag) => tag.slice(1, -1), 400],
])('The document honours If-None-Match: %s', async (_, header, status) => {
  const tag = (await send('GET', PATH)).headers.get('ETag') ?? '';
  expect(tag).toMatch(/^"\w+"$/);
  const headers = { 'If-None-Match': header(tag) };
  for (const method of ['GET', 'HEAD']) {
    const answer = await send(method, PATH, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('ETag')).toBe(status === 400 ? null : tag);
    if (status === 304) expect(answer.text).toBe('');
  }
});

it('The document can only be read', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await send(method, PATH);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(answer.body).toEqual({ error: 'Method not allowed. Use GET.' });
  }
});

it.each([404, 429, 500])('A failure of the asset server is no document: %i', async (status) => {
  const ASSETS = {
    fetch: () => Promise.resolve(new Response('<h1>Oops</h1>', { status })),
  };
  for (const method of ['GET', 'HEAD']) {
    const answer = await app.request(`http://api.test${PATH}`, { method }, { ...env, ASSETS });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('1');
    const text = method === 'GET' ? '{"error":"Service temporarily unavailable."}' : '';
    expect(await answer.text()).toBe(text);
  }
});
