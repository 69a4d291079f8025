import { beforeAll, describe, expect, it } from 'vitest';
import { resourceOf } from './support/brand.ts';
import { problems } from './support/field-tests.ts';
import { padded, streamed } from './support/bodies.ts';
import { FurnishedBrand, bodyWrites } from './support/body-writes.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT = 256 * KIB;
const INVALID_JSON = 'Invalid JSON payload.';

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);
const quoted = (...values: number[]): Uint8Array<ArrayBuffer> =>
  bytes(...ascii('{"title":"'), ...values, ...ascii('"}'));

function ascii(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

const noJson: readonly (readonly [string, BodyInit])[] = [
  ['nothing', ''],
  ['white space', ' \t\r\n '],
  ['an open brace', '{'],
  ['a closing brace', '}'],
  ['half an object', '{"title":"A","priceCents":'],
  ['half a string', '{"title":"A'],
  ['half an escape', '{"title":"\\u00"}'],
  ['two documents', '{}{}'],
  ['text behind the document', '{} x'],
  ['NaN', '{"priceCents":NaN}'],
  ['a bare NaN', 'NaN'],
  ['Infinity', '{"priceCents":-Infinity}'],
  ['undefined', '{"title":undefined}'],
  ['a bare undefined', 'undefined'],
  ['a trailing comma', '{"title":"A",}'],
  ['a trailing comma in a list', '{"imageUrls":["https://a.test",]}'],
  ['single quotes', "{'title':'A'}"],
  ['a name without quotes', '{title:"A"}'],
  ['a comment', '{/* title */}'],
  ['a leading zero', '{"priceCents":01}'],
  ['a plus sign', '{"priceCents":+1}'],
  ['a hexadecimal number', '{"priceCents":0x10}'],
  ['a naked decimal point', '{"priceCents":1.}'],
  ['a line feed in a string', '{"title":"A\nB"}'],
  ['a NUL', '\0'],
  ['a NUL behind the document', '{}\0'],
  ['a form', 'title=A&priceCents=1'],
  ['XML', '<product><title>A</title></product>'],
  ['a byte order mark alone', bytes(0xef, 0xbb, 0xbf)],
  ['two byte order marks', bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, ...ascii('{}'))],
  ['a byte that UTF-8 never has', quoted(0xff)],
  ['a lone continuation byte', quoted(0x80)],
  ['half a character', quoted(0xc3)],
  ['an overlong encoding', quoted(0xc0, 0xaf)],
  ['a surrogate in UTF-8', quoted(0xed, 0xa0, 0x80)],
  ['a character above U+10FFFF', quoted(0xf4, 0x90, 0x80, 0x80)],
  ['UTF-16', bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
  ['Latin-1', quoted(0xe9)],
  ['1,001 open brackets', '['.repeat(1001)],
];

const wrong: readonly (readonly [string, string, readonly string[]])[] = [
  ['a list', '[]', ['body']],
  ['a list of objects', '[{}]', ['body']],
  ['a string', '"title"', ['body']],
  ['a number', '1', ['body']],
  ['a number too large', '1e400', ['body']],
  ['null', 'null', ['body']],
  ['true', 'true', ['body']],
];

const deep = '['.repeat(990) + ']'.repeat(990);
const unknown: readonly (readonly [string, string])[] = [
  ['__proto__', '{"brandId":"x"}'],
  ['constructor', '{"prototype":{"brandId":"x"}}'],
  ['prototype', '{}'],
  ['toString', '"x"'],
  ['deep', deep],
  ['deep', '{"a":'.repeat(990) + '1' + '}'.repeat(990)],
  ['x'.repeat(100), '1'],
  ['ünknöwn 😀', 'null'],
  ['', '1'],
  ['Variant SKU', '1'],
  ['a: unknown field; b', '1'],
  ['\ud800', '1'],
  ['"\n', '1'],
];

const sizes: readonly {
  readonly name: string;
  readonly length: number;
  readonly inPieces?: boolean;
  readonly announced?: string;
}[] = [
  { name: 'one byte too many', length: LIMIT + 1 },
  { name: 'one byte too many, announced', length: LIMIT + 1, announced: String(LIMIT + 1) },
  { name: 'one byte too many, announced as fewer', length: LIMIT + 1, announced: '10' },
  { name: 'one byte too many, announced as none', length: LIMIT + 1, announced: '0' },
  { name: 'one byte too many, announced as nonsense', length: LIMIT + 1, announced: 'many' },
  { name: 'one byte too many in pieces', length: LIMIT + 1, inPieces: true },
  {
    name: 'one byte too many in pieces, announced as fewer',
    length: LIMIT + 1,
    inPieces: true,
    announced: '10',
  },
  { name: '5 MB', length: 5 * MIB },
  { name: '5 MB, announced', length: 5 * MIB, announced: String(5 * MIB) },
  { name: '5 MB in pieces', length: 5 * MIB, inPieces: true },
];

/** One function reads all bodies: `costs.test.ts` tries all operations with a few of these. */
const SAMPLES = bodyWrites.filter(({ method, path }) =>
  ['POST /products', 'PATCH /profile'].includes(`${method} ${path}`),
);

describe.each(SAMPLES)('$method $path', ({ method, path, valid }) => {
  const [first = ''] = Object.keys(valid);

  // The brand of all refused requests: it must never change. Accepted requests use other brands.
  let furnished: FurnishedBrand;

  beforeAll(async () => {
    furnished = await FurnishedBrand.create();
  });

  it.each(noJson)('A body that is no JSON is refused: %s', async (_, body) => {
    const before = await furnished.everything();
    const answer = await furnished.write(method, path, body);
    expect([answer.status, answer.body]).toEqual([400, { error: INVALID_JSON }]);
    expect(await furnished.everything()).toBe(before);
  });

  it('A missing body is refused', async () => {
    const before = await furnished.everything();
    const answer = await furnished.brand.send(method, furnished.path(path));
    expect([answer.status, answer.body]).toEqual([400, { error: INVALID_JSON }]);
    expect(await furnished.everything()).toBe(before);
  });

  it.each(wrong)('A body that is no object is refused: %s', async (_, body, paths) => {
    const before = await furnished.everything();
    const answer = await furnished.write(method, path, body);
    expect(answer.status).toBe(400);
    expect(problems(answer)).toEqual(paths);
    expect(await furnished.everything()).toBe(before);
  });

  it.each(unknown)('An unknown field is refused by name: %j', async (name, value) => {
    const before = await furnished.everything();
    const body = `${JSON.stringify(valid).slice(0, -1)},${JSON.stringify(name)}:${value}}`;
    const answer = await furnished.write(method, path, body);
    expect(answer.status).toBe(400);
    // A name that is more than a word is quoted, so that it cannot be taken for a part of the sentence.
    const shown = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
    expect(answer.body['error']).toBe(`Invalid request: ${shown}: unknown field`);
    expect(Reflect.get({}, 'brandId')).toBeUndefined();
    expect(await furnished.everything()).toBe(before);
  });

  it.each(sizes)(
    'A body that is too large is refused: $name',
    async ({ length, inPieces, announced }) => {
      const before = await furnished.everything();
      const text = padded(valid, length);
      const headers = announced === undefined ? {} : { 'Content-Length': announced };
      const answer = await furnished.write(method, path, inPieces ? streamed(text) : text, headers);
      expect(answer.status).toBe(413);
      expect(Object.keys(answer.body)).toEqual(['error']);
      const limits = method === 'POST' && length > 2 * MIB ? /256 KiB|2048 KiB/ : /256 KiB/;
      expect(answer.body['error']).toMatch(limits);
      expect(await furnished.everything()).toBe(before);
    },
  );

  it('An incomplete document in pieces is refused', async () => {
    const before = await furnished.everything();
    const half = streamed(JSON.stringify(valid).slice(0, -1), 3);
    const answer = await furnished.write(method, path, half);
    expect([answer.status, answer.body]).toEqual([400, { error: INVALID_JSON }]);
    expect(await furnished.everything()).toBe(before);
  });

  it('An endless body is refused', async () => {
    const before = await furnished.everything();
    const endless = new ReadableStream({
      type: 'bytes',
      pull: (controller) => {
        controller.enqueue(new Uint8Array(64 * KIB).fill(0x20));
      },
    });
    const answer = await furnished.write(method, path, endless);
    expect(answer.status).toBe(413);
    expect(await furnished.everything()).toBe(before);
  });

  it.each([
    'application/json; charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
    undefined,
  ])('JSON is read, whatever its Content-Type: %s', async (type) => {
    const own = await FurnishedBrand.create();
    const raw = new TextEncoder().encode(JSON.stringify(valid));
    const headers = type === undefined ? {} : { 'Content-Type': type };
    const answer = await own.write(method, path, raw, headers);
    expect(answer.status).toBe(method === 'POST' ? 201 : 200);
    if (path === '/profile') expect(answer.body).toMatchObject(valid);
    else expect(resourceOf(answer)).toMatchObject(valid);
  });

  it('A body whose Content-Length is the limit is read', async () => {
    const own = await FurnishedBrand.create();
    const headers = { 'Content-Length': String(LIMIT) };
    const answer = await own.write(method, path, padded(valid, LIMIT), headers);
    expect(answer.status).toBe(method === 'POST' ? 201 : 200);
  });

  it.each<[what: string, text: (json: string) => BodyInit]>([
    ['in pieces', (json) => streamed(json, 3)],
    ['with a repeated name, whose last value counts', (json) => `{"${first}":1,${json.slice(1)}`],
    ['behind a byte order mark and between white space', (json) => `\ufeff \r\n\t${json}\n `],
    ['of exactly 256 KiB', () => padded(valid, LIMIT)],
  ])('JSON is read in any form: %s', async (_, text) => {
    const own = await FurnishedBrand.create();
    const before = await own.everything();
    const answer = await own.write(method, path, text(JSON.stringify(valid)));
    expect(answer.status).toBe(method === 'POST' ? 201 : 200);
    expect(await own.everything()).not.toBe(before);
  });
});
