import { expect, it } from 'vitest';
import { newApiKey } from '../src/auth/api-key.ts';
import { readApiKey } from '../src/auth/credentials.ts';
import { MissingKey } from '../src/errors.ts';

const KEY = newApiKey();
const OTHER = newApiKey();

const MISSING = 'Missing API key.';
const INVALID = 'Invalid API key.';
const CONFLICTING = 'Conflicting API keys.';

/** What `Authorization` says, by what it is. */
const AUTHORIZATION: Readonly<
  Record<'none' | 'key' | 'other key' | 'unusable', readonly string[]>
> = {
  // Absent, empty, or of another scheme.
  none: [
    '',
    ' \t ',
    `Basic ${btoa(`u:${KEY}`)}`,
    `Digest username="Bearer ${KEY}"`,
    `Bearer-x ${KEY}`,
    `Bearer-${KEY}`,
    `Bearers ${KEY}`,
    `Bearer_ ${KEY}`,
    ...Array.from("!#$%&'*+.^`|~0", (character) => `Bearer${character} ${KEY}`),
    `bearer-token ${KEY}`,
    `XBearer ${KEY}`,
    `-Bearer ${KEY}`,
    KEY,
    `Basic dTpw, Bearer ${KEY}`,
    `, Bearer ${KEY}`,
  ],
  key: [
    `Bearer ${KEY}`,
    `bearer ${KEY}`,
    `BEARER ${KEY}`,
    `bEaReR ${KEY}`,
    `Bearer    ${KEY}`,
    `Bearer\t${KEY}`,
    `Bearer \t ${KEY}`,
    `  Bearer ${KEY}\t `,
  ],
  'other key': [`Bearer ${OTHER}`],
  unusable: [
    'Bearer',
    'bearer  ',
    'Bearer,',
    `Bearer, ${KEY}`,
    `Bearer,${KEY}`,
    `Bearer=${KEY}`,
    `Bearer:${KEY}`,
    `Bearer"${KEY}"`,
    `Bearer "${KEY}"`,
    `Bearer ${KEY},`,
    `Bearer ${KEY}, ${KEY}`,
    `Bearer ${KEY}, Bearer ${KEY}`,
    `Bearer ${KEY}, Basic dTpw`,
    `Bearer ${KEY} ${KEY}`,
    `Bearer Bearer ${KEY}`,
    'Bearer nonsense',
  ],
};

/** What `x-service-api-key` says. */
const SERVICE: Readonly<Record<'none' | 'key' | 'unusable', readonly string[]>> = {
  none: ['', '  '],
  key: [KEY, ` \t${KEY} `],
  unusable: [`Bearer ${KEY}`, `${KEY}, ${KEY}`, `${KEY},`, 'nonsense'],
};

const OUTCOMES = [
  { authorization: 'none', service: 'none', outcome: MISSING },
  { authorization: 'none', service: 'key', outcome: KEY },
  { authorization: 'none', service: 'unusable', outcome: INVALID },
  { authorization: 'key', service: 'none', outcome: KEY },
  { authorization: 'key', service: 'key', outcome: KEY },
  { authorization: 'key', service: 'unusable', outcome: CONFLICTING },
  { authorization: 'other key', service: 'none', outcome: OTHER },
  { authorization: 'other key', service: 'key', outcome: CONFLICTING },
  { authorization: 'other key', service: 'unusable', outcome: CONFLICTING },
  { authorization: 'unusable', service: 'none', outcome: INVALID },
  { authorization: 'unusable', service: 'key', outcome: CONFLICTING },
] as const;

/** The key that is read, or the error's text. */
function read(headers: Record<string, string>): string {
  try {
    return readApiKey(new Headers(headers));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

it.each(OUTCOMES)(
  'The key headers have an outcome for each combination: Authorization $authorization, x-service-api-key $service',
  ({ authorization, service, outcome }) => {
    for (const value of AUTHORIZATION[authorization]) {
      for (const other of SERVICE[service]) {
        const headers = { Authorization: value, 'x-service-api-key': other };
        expect(read(headers), JSON.stringify(headers)).toBe(outcome);
      }
      if (service === 'none') expect(read({ Authorization: value }), value).toBe(outcome);
    }
    if (authorization !== 'none') return;
    for (const other of SERVICE[service]) {
      expect(read({ 'x-service-api-key': other }), other).toBe(outcome);
    }
  },
);

const PLAIN = 'Bearer realm="brand-api"';
const OTHER_HEADER = `${PLAIN}, error_description="x-api-key is not read. Send the key in x-service-api-key."`;
const OTHER_SCHEME = `${PLAIN}, error_description="Write the word Bearer and a space before the key in Authorization."`;

it.each<[name: string, headers: Record<string, string>, challenge: string]>([
  ['nothing', {}, PLAIN],
  ['empty headers', { Authorization: '', 'x-api-key': ' ', 'x-service-api-key': '' }, PLAIN],
  ['a cookie', { Cookie: `x-api-key=${KEY}` }, PLAIN],
  ['x-api-key', { 'x-api-key': KEY }, OTHER_HEADER],
  ['x-api-key with anything', { 'x-api-key': 'é" \\' }, OTHER_HEADER],
  ['a bare key', { Authorization: KEY }, OTHER_SCHEME],
  ['another scheme', { Authorization: `Basic ${btoa(`u:${KEY}`)}` }, OTHER_SCHEME],
  ['both', { Authorization: KEY, 'x-api-key': KEY }, OTHER_HEADER],
])(
  'A refusal says what to do about the headers that were sent, and never repeats them: %s',
  (_, headers, challenge) => {
    const read = (): string => readApiKey(new Headers(headers));
    expect(read).toThrow(MissingKey);
    expect(read).toThrow(expect.objectContaining({ headers: { 'WWW-Authenticate': challenge } }));
  },
);

it.each([`Bearer${' '.repeat(1e6)}x`, `Bearer${'-'.repeat(1e6)}`, `Bearer ${'x '.repeat(5e5)}`])(
  'The key headers are read in linear time: %#',
  (value) => {
    const start = performance.now();
    read({ Authorization: value });
    // Quadratic time would be minutes.
    expect(performance.now() - start).toBeLessThan(5000);
  },
);
