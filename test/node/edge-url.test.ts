import { describe, expect, it } from 'vitest';
import { normalizePath } from './edge-url.ts';

describe('The edge of the tests normalizes a path as Cloudflare does', () => {
  it.each([
    // https://developers.cloudflare.com/rules/normalization/examples/
    ['/hello', '/hello'],
    ['/%68ello', '/hello'],
    ['/%68ello//pa\\th', '/hello/pa/th'],
    ['/hello//../path', '/path'],
    ['/hello/\\../path', '/path'],
    // https://developers.cloudflare.com/rules/normalization/how-it-works/
    ['/%41%5a%30%2d%5F%7e', '/AZ0-_~'],
    ['/a%2fb%3f%c3%a4', '/a%2Fb%3F%C3%A4'],
    ['/"<^>', '/%22%3C%5E%3E'],
    ["/:@!$&'()*+,;=[]", "/:@!$&'()*+,;=[]"],
    ['/a/%2e%2E/b/%2e', '/b/'],
    ['/a/b/..', '/a/'],
    ['/../../a', '/a'],
    ['/', '/'],
  ])('%s is %s', (path, normalized) => {
    expect(normalizePath(path)).toBe(normalized);
  });
});
