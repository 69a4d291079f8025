import { describe, expect, it } from 'vitest';
import { classify, withRetries } from '../src/db/d1-failure.ts';
import { d1Error, D1_ERRORS } from './support/faults.ts';

const CLASSES = {
  notBegun: 'not begun',
  lost: 'lost',
  overload: 'unavailable',
  bug: 'bug',
} as const;

describe.each(Object.entries(D1_ERRORS))('An error of D1 (%s)', (kind, texts) => {
  const expected = Object.entries(CLASSES).find(([name]) => name === kind)?.[1];

  it.each(texts)('is sorted by its text: %s', (text) => {
    // As the binding throws it, as the runtime throws it, and with the text only in the cause.
    const forms = [
      d1Error(text),
      new Error(text),
      new Error('Failed query', { cause: new Error(text) }),
    ];
    expect(forms.map(classify)).toEqual(forms.map(() => expected));
  });
});

it('A call to a database without its migrations fails with the command that applies them', async () => {
  const call = withRetries(true, () =>
    Promise.reject(d1Error('no such table: api_keys: SQLITE_ERROR')),
  );
  await expect(call).rejects.toThrow(
    /^no such table: api_keys\. Apply .* npx wrangler d1 migrations apply DB --local$/,
  );
});
