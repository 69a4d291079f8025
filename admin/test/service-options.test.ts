import { describe, expect, it } from 'vitest';
import { originOf } from '../src/verify/service-options.ts';

const SERVICE = 'https://api.example.com';

describe('The option --url', () => {
  it.each(['', '/', '/api/brand/v1', '/api/brand/v1/'])('takes an address with %j', (path) => {
    expect(originOf(SERVICE + path)).toBe(SERVICE);
  });

  it.each([
    '',
    'api.example.com',
    'localhost:8787',
    'ftp://api.example.com',
    `${SERVICE}/api`,
    `${SERVICE}/?x=1`,
  ])('refuses %j', (text) => {
    expect(() => originOf(text)).toThrow('Write an address such as https://api.example.com');
  });
});
