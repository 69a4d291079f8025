/**
 * What options must be: their names, the rule after "to be", and whether a value satisfies it. An option of one name has
 * one meaning in all calls. What only the service knows, such as the fields to match by, it refuses itself.
 */
const RULES: readonly (readonly [string[], string, (value: unknown) => boolean])[] = [
  [
    ['fetch', 'onProgress', 'onRequest', 'owned'],
    'a function',
    (value) => typeof value === 'function',
  ],
  [
    ['lenient', 'dryRun', 'ifNewer', 'minimal', 'keepSpelling'],
    'a boolean',
    (value) => typeof value === 'boolean',
  ],
  [
    ['match', 'since', 'ifMatch', 'idempotencyKey'],
    'a non-empty string',
    (value) => typeof value === 'string' && value.trim() !== '',
  ],
  [
    ['tries', 'timeout', 'limit'],
    'a number of 1 or more',
    (value) => typeof value === 'number' && value >= 1,
  ],
  [['signal'], 'an AbortSignal', (value) => value instanceof AbortSignal],
];

/**
 * Checks the options of the client or of a call. An undefined option is not given.
 * @param required the name of the option that must be given
 * @throws TypeError if one cannot be used, or RangeError if it is a number
 */
export function checkOptions(options: object, required?: string): void {
  for (const [names, what, isRight] of RULES) {
    for (const name of names) {
      const value: unknown = Reflect.get(options, name);
      if (value !== undefined || name === required) expectOption(isRight(value), name, what, value);
    }
  }
}

/**
 * Requires that an option can be used.
 * @param what the rule in words, after "to be"
 * @throws TypeError if it cannot, or RangeError if it is a number
 */
export function expectOption(
  isRight: boolean,
  name: string,
  what: string,
  value?: unknown,
): asserts isRight {
  if (isRight) return;
  throw new (typeof value === 'number' ? RangeError : TypeError)(`Expected ${name} to be ${what}.`);
}
