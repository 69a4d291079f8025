import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Part } from './raw-http.ts';
import { END, sendRaw } from './raw-http.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

// What no HTTP client sends, through the real runtime. test/bad-input.test.ts and test/credentials.test.ts have what the
// Worker sees of it.

const PATH = '/api/brand/v1/products';
const body = '{"title":"a","priceCents":1}';

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

/** A request's head. KEY stands for the key. */
function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: api.test', ...headers, '', ''].join('\r\n');
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

const auth = 'Authorization: Bearer KEY';
const post = (...headers: readonly string[]): string => head(`POST ${PATH}`, auth, ...headers);
const chunked = 'Transfer-Encoding: chunked';
const lastChunk = '0\r\n\r\n';
const fiveMiB = Array.from({ length: 80 }, () => chunk(' '.repeat(65_536)));
// An incomplete document, so that nothing is created.
const half = body.slice(0, 20);

/** What is sent, and the statuses that the service answers, in order. */
const SENT: readonly (readonly [string, readonly Part[], readonly number[]])[] = [
  ['two Authorization headers, equal', [head(`GET ${PATH}`, auth, auth)], [401]],
  ['Content-Length too short', [post('Content-Length: 5'), body], [400]],
  ['5 MiB in chunks', [post(chunked), ...fiveMiB, lastChunk], [413]],
  [
    'a body in chunks of one byte',
    [post(chunked), Array.from(body).map(chunk).join(''), lastChunk],
    [201],
  ],
  [
    'a slow body',
    [
      post(`Content-Length: ${body.length}`),
      ...Array.from(body).flatMap((one): Part[] => [one, 5]),
    ],
    [201],
  ],
  ['a GET with a body', [head(`GET ${PATH}`, auth, 'Content-Length: 2'), '{}'], [200]],
  // RFC 9112, 6.3: chunks win over a length. The bytes after them are a separate request, without the first one's key.
  [
    'a request hidden behind chunks',
    [post('Content-Length: 4', chunked) + chunk(body) + lastChunk + head(`GET ${PATH}`)],
    [201, 401],
  ],
  ['Content-Length too long', [post('Content-Length: 999'), half, END], []],
  ['chunks without an end', [post(chunked), chunk(half), END], []],
];

it.each(SENT)('Over a raw socket %s is answered as it should', async (_, parts, expected) => {
  const withKey = parts.map((part) =>
    typeof part === 'string' ? part.replaceAll('KEY', server.apiKey) : part,
  );
  const answers = await sendRaw(server.port, withKey, Math.max(1, expected.length));
  if (expected.length > 0) expect(answers.map(({ status }) => status)).toEqual(expected);
  for (const { headers, status, body: text } of answers) {
    expect(text).not.toContain(server.apiKey);
    // The local runtime may answer an unfinished request itself.
    if (headers.has('x-request-id')) expect(status).toBeLessThan(500);
    else expect(expected).toEqual([]);
  }
});

it('After all that, exactly the resources that were answered with 201 exist', async () => {
  const headers = { Authorization: `Bearer ${server.apiKey}` };
  const response = await fetch(`http://127.0.0.1:${server.port}${PATH}`, { headers });
  const { products } = z
    .object({ products: z.array(z.object({ title: z.string() })) })
    .parse(await response.json());
  const made = SENT.flatMap(([, , statuses]) => statuses).filter((status) => status === 201);
  expect(products.map(({ title }) => title)).toEqual(made.map(() => 'a'));
});
