import { beforeAll, expect, it } from 'vitest';
import { takeSite } from '../../../test/node/pool.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

let origin: string;

beforeAll(async () => {
  origin = `http://localhost:${(await takeSite()).port}`;
});

const types = [
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/reference.css', 'text/css; charset=utf-8'],
  ['/docs/reference.js', 'text/javascript; charset=utf-8'],
] as const;

it.each(types)(
  'A static asset is kept only with asking, and under a strict policy: %s',
  async (path, type) => {
    const { status, headers } = await fetch(origin + path);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe(type);
    expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
    expect(headers.get('ETag')).toMatch(/^"\w+"$/);
    expect(headers.get('Content-Security-Policy')).toBe(POLICY);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  },
);

it('The static assets have a policy without exceptions', () => {
  expect(POLICY).not.toMatch(/unsafe|\*|data:|blob:|https?:/);
});

it.each([
  ['/', 302],
  ['/docs/', 307],
])('A path of the page leads to /docs: %s', async (path, status) => {
  const response = await fetch(origin + path, { redirect: 'manual' });
  expect([response.status, response.headers.get('Location')]).toEqual([status, '/docs']);
});

it.each(['/nothing', '/docs/nothing', '/docs/try', '/api/brand/v1/', '/_headers', '/_redirects'])(
  'The static assets leave other paths to the service: %s',
  async (path) => {
    const response = await fetch(origin + path);
    expect([response.status, await response.text()]).toEqual([404, '{"error":"Not found."}']);
    expect(response.headers.get('X-Request-Id')).not.toBeNull();
  },
);
