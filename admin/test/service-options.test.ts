import { expect, it } from 'vitest';
import { originOf } from '../src/verify/service-options.ts';

const SERVICE = 'https://api.example.com';

it.each(['', '/', '/api/brand/v1', '/api/brand/v1/'])(
  'The option --url takes an address with a path that leads to the service: %j',
  (path) => {
    expect(originOf(SERVICE + path)).toBe(SERVICE);
  },
);

it.each([
  '',
  'api.example.com',
  'localhost:8787',
  'ftp://api.example.com',
  `${SERVICE}/api`,
  `${SERVICE}/?x=1`,
])('The option --url refuses what is no address of a service: %j', (text) => {
  expect(() => originOf(text)).toThrow('Write an address such as https://api.example.com');
});
