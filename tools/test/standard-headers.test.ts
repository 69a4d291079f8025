import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STANDARD_HEADERS } from '../../src/http/standard-headers.ts';

/** Static files have others: Cloudflare's own for caches, and a policy that lets the reference page have its script. */
const OTHERS = ['Cache-Control', 'Content-Security-Policy'];

it('Static files have the headers of the Worker, but for their own policy and cache', () => {
  const [path, ...lines] = readFileSync('public/_headers', 'utf8').trimEnd().split('\n');
  const written = lines.map((line) => /^ {2}([\w-]+): (.+)$/.exec(line)?.slice(1) ?? [line]);
  const kept = written.filter(([name = '']) => !OTHERS.includes(name));
  const expected = Object.entries(STANDARD_HEADERS).filter(([name]) => !OTHERS.includes(name));
  expect([path, kept]).toEqual(['/*', expected]);
});
