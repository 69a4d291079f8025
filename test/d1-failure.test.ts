import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { whyUnavailable, withRetries } from '../src/db/d1-failure.ts';
import { TestBrand } from './support/brand.ts';
import { d1Error, D1_ERRORS, failing } from './support/faults.ts';

const REASONS = {
  notBegun: 'not begun',
  lost: 'answer lost',
  overload: 'overloaded',
  full: 'full',
  dailyLimit: 'daily limit',
  bug: undefined,
} as const;

describe.each(Object.entries(D1_ERRORS))('%s', (kind, texts) => {
  const expected = Object.entries(REASONS).find(([name]) => name === kind)?.[1];

  it.each(texts)('An error of D1 is sorted by its text: %s', (text) => {
    // As the binding throws it, as the runtime throws it, and with the text only in the cause.
    const forms = [
      d1Error(text),
      new Error(text),
      new Error('Failed query', { cause: new Error(text) }),
    ];
    expect(forms.map(whyUnavailable)).toEqual(forms.map(() => expected));
  });
});

it.each([
  ['is the time until midnight UTC', D1_ERRORS.dailyLimit[1], '90'],
  ['is a second otherwise', D1_ERRORS.full[0], '1'],
])(
  'The Retry-After of a request that D1 does not serve is the time until midnight UTC, or a second: it %s',
  async (_, text, seconds) => {
    const brand = await TestBrand.create();
    const { db } = failing(env.DB, { text, moment: 'before', times: Infinity });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-31T23:58:30.400Z') });
    const answer = await brand.send('POST', '/products', { title: 'A', priceCents: 1 }, { db });
    vi.useRealTimers();
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, seconds]);
  },
);

it('A call to a database without its migrations fails with the command that applies them', async () => {
  const call = withRetries(true, () =>
    Promise.reject(d1Error('no such table: api_keys: SQLITE_ERROR')),
  );
  await expect(call).rejects.toThrow(
    /^no such table: api_keys\. Apply .* npx wrangler d1 migrations apply DB --local$/,
  );
});
