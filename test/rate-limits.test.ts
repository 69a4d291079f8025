import { expect, it } from 'vitest';
import { sha256 } from '../src/hash.ts';
import { send, standard, TestBrand } from './support/brand.ts';

// What is counted, under which name, and what a client is told. test/exhaustive/rate-limit.test.ts sends as many requests as
// the limits of wrangler.toml allow.

/** A limiter that notes what it counts, and refuses all of it, or nothing. */
function limiter(success: boolean): RateLimit & { readonly counted: string[] } {
  const counted: string[] = [];
  const limit = ({ key }: RateLimitOptions): Promise<RateLimitOutcome> => {
    counted.push(key);
    return Promise.resolve({ success });
  };
  return { limit, counted };
}

const PROFILE = '/api/brand/v1/profile';

it('The limit of a key counts the request of its hash, and names its number', async () => {
  const [keys, failures] = [limiter(false), limiter(true)];
  const service = {
    ...standard,
    limits: { KEY_RATE_LIMIT: keys, FAILURE_RATE_LIMIT: failures },
  };
  const { issued } = await TestBrand.create();
  const headers = { Authorization: `Bearer ${issued.apiKey}` };
  const answer = await send('GET', PROFILE, { headers, service });
  expect([answer.status, answer.body]).toEqual([
    429,
    { error: 'Rate limit exceeded: 1000 requests per API key per 10 seconds.' },
  ]);
  expect(answer.headers.get('Retry-After')).toBe('10');
  expect(keys.counted).toEqual([await sha256(issued.apiKey)]);
  expect(failures.counted).toEqual([]);
});

it('The limit of an address counts what has no valid key, and believes no header of the client', async () => {
  const [keys, failures] = [limiter(true), limiter(false)];
  const service = {
    ...standard,
    limits: { KEY_RATE_LIMIT: keys, FAILURE_RATE_LIMIT: failures },
  };
  const headers = {
    'CF-Connecting-IP': '192.0.2.1',
    'X-Forwarded-For': '198.51.100.1',
    'X-Real-IP': '198.51.100.2',
    Forwarded: 'for=198.51.100.3',
  };
  const answer = await send('GET', PROFILE, { headers, service });
  expect([answer.status, answer.body]).toEqual([
    429,
    { error: 'Rate limit exceeded: 300 requests without a valid API key per 10 seconds.' },
  ]);
  expect(failures.counted).toEqual(['192.0.2.1']);
  expect(keys.counted).toEqual([]);
});

it.each([
  ['192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:c000:0201']],
  [
    '2001:db8:0:7::/64',
    [
      '2001:db8:0:7::1',
      '2001:DB8:0:7::1',
      '2001:0db8:0000:0007:0000:0000:0000:0001',
      '2001:db8::7:a:b:c:d',
      '2001:db8:0:7:ffff:ffff:ffff:ffff',
      '2001:db8:0:7::192.0.2.1',
    ],
  ],
  ['2001:db8:0:0::/64', ['2001:db8::1', '2001:db8:0:0:8000::', '2001:db8::a:b:c:d']],
  ['0:0:0:0::/64', ['::1', '::', '::fffe:c000:201']],
  ['an address', ['an address']],
])(
  'The limit of an address counts all spellings of it, and a network of IPv6, as one: %s, %j',
  async (client, addresses) => {
    const failures = limiter(true);
    const limits = { KEY_RATE_LIMIT: limiter(true), FAILURE_RATE_LIMIT: failures };
    const service = { ...standard, limits };
    for (const address of addresses) {
      await send('GET', PROFILE, { headers: { 'CF-Connecting-IP': address }, service });
    }
    expect(failures.counted).toEqual(addresses.map(() => client));
  },
);
