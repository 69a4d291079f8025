import * as fc from 'fast-check';

// What the fuzzer sends of each kind of field, and the rule of the kind, written a second time in the plainest way.

export interface Fuzzed {
  /** Good values as a rule, and some that are not. */
  readonly drawn: fc.Arbitrary<unknown>;
  /** Whether a value that is not null is good. */
  readonly isGood: (value: unknown) => boolean;
  /** What a good value becomes; without it, its texts are trimmed and normalized. */
  readonly stored?: (value: unknown) => unknown;
}

/** A text as it is stored. */
export function clean(value: string): string {
  return value.trim().normalize('NFC');
}

/** Any character. fast-check's own unit `binary` takes half a second to make, in each process that imports this file. */
const anyCharacter = fc
  .nat({ max: 0x10_f7_ff })
  .map((n) => String.fromCodePoint(n < 0xd8_00 ? n : n + 0x8_00));

/** Any text. MARK stands for a marker of the sending brand, which must never appear in responses to the other brand. */
export const fuzzedText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }).map((end) => `MARK${end}`) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      'x'.repeat(255),
      'x'.repeat(256),
      'e\u0301',
      "'; --",
      '\ud800',
      'a\u0000b',
    ),
  },
);

function lengthIn(min: number, max: number, forbidden: RegExp): Fuzzed['isGood'] {
  return (value) =>
    typeof value === 'string' &&
    value.isWellFormed() &&
    Array.from(clean(value)).length >= min &&
    Array.from(clean(value)).length <= max &&
    !forbidden.test(clean(value));
}

/** A text without control characters. */
export function fuzzedSingleLine(min: number, max: number): Fuzzed {
  return { drawn: fuzzedText, isGood: lengthIn(min, max, /\p{Cc}/u) };
}

/** A text that may have tabs and line breaks. */
export function fuzzedMultiLine(min: number, max: number): Fuzzed {
  return { drawn: fuzzedText, isGood: lengthIn(min, max, /[^\P{Cc}\t\n\r]/u) };
}

/** A text of this form, and what to send of it; any text if nothing is given. */
export function fuzzedPattern(form: RegExp, ...sent: string[]): Fuzzed {
  return {
    drawn: sent.length === 0 ? fuzzedText : fc.constantFrom(...sent),
    isGood: (value) => typeof value === 'string' && form.test(clean(value)),
  };
}

/** One of these texts. Others are sent too. */
export function fuzzedOneOf(values: readonly string[], ...others: string[]): Fuzzed {
  return {
    drawn: fc.constantFrom(...values, ...others),
    isGood: (value) => typeof value === 'string' && values.includes(clean(value)),
  };
}

/** An integer. Its bounds and the numbers next to them are sent too. */
export function fuzzedInteger(min: number, max: number): Fuzzed {
  return {
    drawn: fc.oneof(
      { weight: 5, arbitrary: fc.nat() },
      { weight: 1, arbitrary: fc.constantFrom(min, min - 1, max, max + 1, 0.5) },
    ),
    isGood: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  };
}

/** A number of at most 100 with at most two decimals. */
export function fuzzedPercent(min: number): Fuzzed {
  return {
    drawn: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: min * 100, max: 10_000 }).map((n) => n / 100) },
      { weight: 1, arbitrary: fc.constantFrom(100.01, 0.001, min - 0.01, 33.333) },
    ),
    isGood: (value) =>
      typeof value === 'number' &&
      value >= min &&
      value <= 100 &&
      Number(value.toFixed(2)) === value,
  };
}

export const fuzzedBoolean: Fuzzed = {
  drawn: fc.boolean(),
  isGood: (value) => typeof value === 'boolean',
};

/** A time. Few, so that they meet. */
export const fuzzedTime: Fuzzed = {
  drawn: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        '2026-01-01T00:00:00.000Z',
        '2026-01-02T00:00:00Z',
        '2026-01-02T01:00:00+01:00',
        '2026-01-03T00:00:00.0009Z',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('2026-01-02', '2026-01-02T00:00:00', '') },
  ),
  isGood: (value) => typeof value === 'string' && /^[\d-]{10}T[\d:.]{8,}(Z|\+01:00)$/.test(value),
  stored: (value) => new Date(String(value)).toISOString(),
};

/** An id of the store. Few, so that several resources have one, and pushes find them. */
export const fuzzedStoreId: Fuzzed = {
  ...fuzzedSingleLine(1, 255),
  drawn: fc.constantFrom('gid://shop/1', 'gid://shop/2', ' MARK3 ', 'MARK4', ''),
};

const URL_FORM = /^https?:\/\/\S+$/;

export const fuzzedUrl: Fuzzed = fuzzedPattern(
  URL_FORM,
  'https://a.test/MARK',
  'http://b.test/2',
  ' https://c.test/3 ',
  'ftp://d.test',
);

/** A list of URLs. */
export const fuzzedUrls: Fuzzed = {
  drawn: fc.array(fuzzedUrl.drawn, { maxLength: 2 }),
  isGood: (value) => Array.isArray(value) && value.every((url) => fuzzedUrl.isGood(url)),
};
