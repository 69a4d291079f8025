import * as fc from 'fast-check';

// The rules of the fields that the fuzzer uses, written a second time in the plainest way, each beside the values that it
// sends.

export type Fields = Readonly<Record<string, unknown>>;

/** A kind of value: what the fuzzer sends of it, and which of that is good. */
interface Kind {
  /** Good values as a rule, and some that are not. */
  readonly drawn: fc.Arbitrary<unknown>;
  /** Whether a value that is not null is good. */
  readonly isGood: (value: unknown) => boolean;
  /** What a good value becomes; without it, its texts are trimmed and normalized. */
  readonly stored?: (value: unknown) => unknown;
}

/** A field that the fuzzer sends. Without a default and `derive`, POST and PUT need it. */
export interface ModelField extends Kind {
  /** What it becomes if a POST leaves it out. A field whose default is null may be null. */
  readonly default?: unknown;
  /** The same, if that depends on other fields. */
  readonly derive?: (fields: Fields, id: string) => unknown;
  /** Whether it may be null though that is not always its default. */
  readonly isNullable?: true;
}

export type ModelFields = Readonly<Record<string, ModelField>>;

/** The time of a write, which the first answer that shows it tells the model. All later ones must show the same. */
export class TimeOfWrite {
  readonly #earliest = START;
  #shown: unknown;

  isShownAs(value: unknown): boolean {
    const isTime = typeof value === 'string' && Date.parse(value) >= this.#earliest;
    this.#shown ??= isTime ? value : undefined;
    return isTime && value === this.#shown;
  }
}

/** No time that the fuzzer sends is as late. */
const START = Date.now();

/** Whether an answer shows a field as the model has it. */
export function isShownAs(known: unknown, shown: unknown): boolean {
  if (known instanceof TimeOfWrite) return known.isShownAs(shown);
  return JSON.stringify(known) === JSON.stringify(shown);
}

/** Whether a field may be null. */
export function mayBeNull(field: ModelField): boolean {
  return field.default === null || field.isNullable === true;
}

const READ_ONLY = new Set(['id', 'createdAt', 'updatedAt']);

/** A text as it is stored. */
export function clean(value: string): string {
  return value.trim().normalize('NFC');
}

/** A value whose texts are as they are stored. */
function cleanTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanTexts);
  return typeof value === 'string' ? clean(value) : value;
}

/** A text as unique values are compared: whatever the case of A to Z, and of nothing else. */
export function folded(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Any text. MARK stands for a marker of the sending brand, which must never appear in responses to the other brand. */
export const fuzzedText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }).map((end) => `MARK${end}`) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
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

function lengthIn(min: number, max: number, forbidden: RegExp): Kind['isGood'] {
  return (value) =>
    typeof value === 'string' &&
    value.isWellFormed() &&
    Array.from(clean(value)).length >= min &&
    Array.from(clean(value)).length <= max &&
    !forbidden.test(clean(value));
}

/** A text without control characters. */
export function fuzzedSingleLine(min: number, max: number): Kind {
  return { drawn: fuzzedText, isGood: lengthIn(min, max, /\p{Cc}/u) };
}

/** A text that may have tabs and line breaks. */
export function fuzzedMultiLine(min: number, max: number): Kind {
  return { drawn: fuzzedText, isGood: lengthIn(min, max, /[^\P{Cc}\t\n\r]/u) };
}

/** A text of this form, and what to send of it; any text if nothing is given. */
export function fuzzedPattern(form: RegExp, ...sent: string[]): Kind {
  return {
    drawn: sent.length === 0 ? fuzzedText : fc.constantFrom(...sent),
    isGood: (value) => typeof value === 'string' && form.test(clean(value)),
  };
}

/** One of these texts. Others are sent too. */
export function fuzzedOneOf(values: readonly string[], ...others: string[]): Kind {
  return {
    drawn: fc.constantFrom(...values, ...others),
    isGood: (value) => typeof value === 'string' && values.includes(clean(value)),
  };
}

/** An integer. Its bounds and the numbers next to them are sent too. */
export function fuzzedInteger(min: number, max: number): Kind {
  return {
    drawn: fc.oneof(
      { weight: 5, arbitrary: fc.nat() },
      { weight: 1, arbitrary: fc.constantFrom(min, min - 1, max, max + 1, 0.5) },
    ),
    isGood: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  };
}

export const fuzzedCents = fuzzedInteger(0, 999_999_999_999);

/** A number from 0 to 100 with at most two decimals. */
export const fuzzedPercent: Kind = {
  drawn: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100) },
    { weight: 1, arbitrary: fc.constantFrom(100.01, 0.001, -0.01, 33.333) },
  ),
  isGood: (value) =>
    typeof value === 'number' && value >= 0 && value <= 100 && Number(value.toFixed(2)) === value,
};

export const fuzzedBoolean: Kind = {
  drawn: fc.boolean(),
  isGood: (value) => typeof value === 'boolean',
};

/** A time. Few, so that they meet. */
export const fuzzedTime: Kind = {
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

/** Few, so that several resources have one, and pushes find them. */
export const fuzzedStoreId = fc.constantFrom(
  'gid://shop/1',
  'gid://shop/2',
  ' MARK3 ',
  'MARK4',
  '',
);

const URL_FORM = /^https?:\/\/\S+$/;

export const fuzzedUrl: Kind = fuzzedPattern(
  URL_FORM,
  'https://a.test/MARK',
  'http://b.test/2',
  ' https://c.test/3 ',
  'ftp://d.test',
);

/** A list of URLs. */
export const fuzzedUrls: Kind = {
  drawn: fc.array(fuzzedUrl.drawn, { maxLength: 2 }),
  isGood: (value) => Array.isArray(value) && value.every((url) => fuzzedUrl.isGood(url)),
};

/** The defaults that do not depend on other fields. */
function defaultsOf(model: ModelFields): Record<string, unknown> {
  const fields = Object.entries(model).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
}

/** The names of the fields that POST and PUT need. */
export function requiredOf(model: ModelFields): string[] {
  return Object.keys(model).filter(
    (name) => model[name]?.default === undefined && model[name]?.derive === undefined,
  );
}

/** The fields of a body as they are to be stored; undefined if one of them breaks a rule. */
export function read(model: ModelFields, body: unknown, isPatch: boolean): Fields | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const fields: Record<string, unknown> = isPatch ? {} : defaultsOf(model);
  for (const [name, value] of Object.entries(body)) {
    if (READ_ONLY.has(name)) continue;
    const field = Object.hasOwn(model, name) ? model[name] : undefined;
    if (field === undefined) return undefined;
    if (value === null ? !mayBeNull(field) : !field.isGood(value)) return undefined;
    fields[name] = value === null ? null : (field.stored ?? cleanTexts)(value);
  }
  const isMissing = requiredOf(model).some((name) => !Object.hasOwn(fields, name));
  return isMissing && !isPatch ? undefined : fields;
}

/**
 * The fields of a new resource with the defaults that follow from others. Which they are, other tests say; the
 * model has to know whether they change.
 */
export function withDerived(model: ModelFields, fields: Fields, id: string): Fields {
  const derived = Object.entries(model).flatMap(([name, { derive }]) =>
    derive === undefined ? [] : [[name, derive(fields, id)] as const],
  );
  return { ...Object.fromEntries(derived), ...fields };
}
