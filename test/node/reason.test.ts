import { expect, it } from 'vitest';
import { reasonOf } from '../../tools/reason.ts';

const refused = (address: string): Error => new Error(`connect ECONNREFUSED ${address}`);

it.each([
  [new Error('No such file'), 'No such file'],
  [
    new TypeError('fetch failed', { cause: refused('::1:1') }),
    'fetch failed: connect ECONNREFUSED ::1:1',
  ],
  [
    // What `fetch` throws for a name with two addresses, such as localhost.
    new TypeError('fetch failed', {
      cause: new AggregateError([refused('::1:1'), refused('127.0.0.1:1')]),
    }),
    'fetch failed: connect ECONNREFUSED ::1:1: connect ECONNREFUSED 127.0.0.1:1',
  ],
  ['text', 'text'],
])('reports why below fetch: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
