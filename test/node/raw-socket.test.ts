import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { TakenBrand } from './pool.ts';
import { takeBrand } from './pool.ts';

// What no HTTP client sends, through the real runtime. test/bad-input.test.ts and test/credentials.test.ts have what the
// Worker sees of it.

const PATH = '/api/brand/v1/products';
const body = '{"title":"a","priceCents":1}';

const LISTED = z.object({ products: z.array(z.object({ title: z.string() })) });

let server: TakenBrand;

beforeAll(async () => {
  server = await takeBrand();
});

/** A request's head. KEY stands for the key. */
function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: api.test', ...headers, '', ''].join('\r\n');
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

/** What to send: bytes, a pause in milliseconds, or the end of the client's side. */
type Part = string | number | typeof END;
const END = Symbol('end');

const auth = 'Authorization: Bearer KEY';
const post = (...headers: readonly string[]): string => head(`POST ${PATH}`, auth, ...headers);
const chunked = 'Transfer-Encoding: chunked';
const lastChunk = '0\r\n\r\n';
const fiveMiB = Array.from({ length: 80 }, () => chunk(' '.repeat(65_536)));
// An incomplete document, so that nothing is created.
const half = body.slice(0, 20);

/** What is sent, and the statuses of the answers, in order. After the first, the connection may be closed. */
const SENT: readonly (readonly [string, readonly Part[], readonly number[]])[] = [
  ['two Authorization headers, equal', [head(`GET ${PATH}`, auth, auth)], [401]],
  // What follows is no request.
  ['Content-Length too short', [post('Content-Length: 5'), body], [400, 400]],
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
  // RFC 9112, 6.3: chunks win over a length. The bytes after them are a separate request, without the first one's key: it is
  // answered so, or the connection is closed.
  [
    'a request hidden behind chunks',
    [post('Content-Length: 4', chunked) + chunk(body) + lastChunk + head(`GET ${PATH}`)],
    [201, 401],
  ],
  ['Content-Length too long', [post('Content-Length: 999'), half, END], []],
  ['chunks without an end', [post(chunked), chunk(half), END], []],
];

/** How long to wait for responses, in milliseconds. */
const PATIENCE = 8000;

/** Sends bytes over one connection. Returns what came back until there are so many responses, its end, or the time limit. */
async function sendRaw(parts: readonly Part[], expected: number): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  const enough = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (data: string) => {
      received += data;
      if (statusesIn(received).length >= expected) resolve();
    });
    // A server that rejected the request may reset the connection.
    for (const event of ['error', 'end', 'close']) socket.on(event, resolve);
  });
  const writing = (async () => {
    for (const part of parts) {
      if (socket.destroyed || !socket.writable) return;
      if (typeof part === 'number') await wait(part);
      else if (part === END) socket.end();
      else await new Promise((resolve) => socket.write(part, 'latin1', resolve));
    }
  })();
  await Promise.race([enough, wait(PATIENCE)]);
  socket.destroy();
  await writing;
  return received;
}

/** The statuses of responses whose heads have arrived, but for those that say to go on. */
function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)]
    .map(([, status]) => Number(status))
    .filter((status) => status !== 100);
}

it.each(SENT)(
  'A request over a raw socket is answered as HTTP demands: %s',
  async (_, parts, expected) => {
    const withKey = parts.map((part) =>
      typeof part === 'string' ? part.replaceAll('KEY', server.apiKey) : part,
    );
    let received = '';
    // A server that rejects a request may reset the connection, and its response is then lost.
    for (let left = 3; received === '' && left > 0; left--) {
      received = await sendRaw(withKey, Math.max(1, expected.length));
    }
    expect(received).not.toContain(server.apiKey);
    // The local runtime may answer an unfinished request itself, or not at all.
    const isOfService = /^x-request-id:/im.test(received);
    const statuses = statusesIn(received);
    if (expected.length > 0) {
      expect([isOfService, statuses]).toEqual([
        true,
        expected.slice(0, Math.max(1, statuses.length)),
      ]);
    }
    if (expected.length === 0 && isOfService) expect(Math.max(...statuses)).toBeLessThan(500);
  },
);

it('The resources that were answered with 201 over a raw socket exist, and no others', async () => {
  const headers = { Authorization: `Bearer ${server.apiKey}` };
  const response = await fetch(`${server.baseUrl}/api/brand/v1/products`, { headers });
  const { products } = LISTED.parse(await response.json());
  const made = SENT.flatMap(([, , statuses]) => statuses).filter((status) => status === 201);
  expect(products.map(({ title }) => title)).toEqual(made.map(() => 'a'));
});
