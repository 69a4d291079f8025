import { expect, it } from 'vitest';
import { storedKey } from '../src/stored-text.ts';
import { storedValue } from '../src/sync/compare.ts';

const MARKS = '\u0301\u0316';

/** The CPU time of a call, in milliseconds: a busy machine does not add to it. */
function cpuTimeOf(call: () => void): number {
  const before = process.threadCpuUsage();
  call();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

it.each([
  ['a letter and its mark', 'Cafe\u0301', 'Caf\u00e9'],
  ['thirty marks in a row, which are put in order', `a${MARKS.repeat(15)}`],
  ['white space around it', ' A\n', 'A'],
])('A text is compared as the service stores it: %s', (_, text, expected = text.normalize()) => {
  expect([storedValue(text, 'title'), storedKey(text, 'sku')]).toEqual([expected, expected]);
});

it.each([
  ['2026-01-31T10:30:00.1239+01:00', '2026-01-31T09:30:00.123Z'],
  ['2026-02-31T00:00:00Z'],
  ['2026-01-31T10:30:00'],
  ['2026-01-31'],
  ['soon'],
])(
  'A time with an offset is compared in UTC, and anything else is no time: %s',
  (text, expected = text) => {
    expect(storedValue(text, 'sourceUpdatedAt')).toBe(expected);
  },
);

// The time is the promise: a signal ends the command within two seconds.
it.each([
  ['400,000 marks', `a${MARKS.repeat(200_000)}`],
  ['marks beyond the first plane', '\u{1d16d}\u{1d165}'.repeat(100_000)],
  ['vowels that compose like marks', '\u{16d67}'.repeat(200_000)],
  ['a text that is longer than all fields', 'e\u0301'.repeat(20_000_000)],
])(
  'A text is normalized in less than a second, or left as it is, because the service refuses it: %s',
  (_, text) => {
    const time = cpuTimeOf(() => {
      expect(storedValue(text, 'description') === text).toBe(true);
    });
    expect(time).toBeLessThan(1000);
  },
);

it('A text is normalized in time in proportion, with as many marks as the service takes', () => {
  const text = `e${MARKS.repeat(15)}`.repeat(16_000);
  const composed = text.normalize();
  const time = cpuTimeOf(() => {
    expect(storedValue(text, 'description') === composed).toBe(true);
  });
  expect(time).toBeLessThan(1000);
});
