import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Part, RawAnswer } from './raw-http.ts';
import { END, sendRaw } from './raw-http.ts';
import type { SharedServer } from './shared-server.ts';
import { shareServer } from './shared-server.ts';

const PATH = '/api/brand/v1/products';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const body = '{"title":"a","priceCents":1}';
const MIB = 1024 * 1024;

let server: SharedServer;

beforeAll(async () => {
  server = await shareServer();
});

afterAll(async () => {
  await server.stop();
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
const fiveMiB = Array.from({ length: 80 }, () => chunk(' '.repeat(65_536)));
const slowly = Array.from(body).flatMap((letter): Part[] => [letter, 10]);

interface Attack {
  readonly name: string;
  readonly parts: readonly Part[];
  /** The statuses that the service answers, in order. */
  readonly service: readonly number[];
}

const SERVED: readonly Attack[] = [
  {
    name: 'two Authorization headers, equal',
    parts: [head(`GET ${PATH}`, auth, auth)],
    service: [401],
  },
  {
    name: 'two Authorization headers, one nonsense',
    parts: [head(`GET ${PATH}`, auth, 'Authorization: Bearer x')],
    service: [401],
  },
  {
    name: 'two Authorization headers of different schemes',
    parts: [head(`GET ${PATH}`, 'Authorization: Basic eDp5', auth)],
    service: [401],
  },
  {
    name: 'x-service-api-key twice',
    parts: [head(`GET ${PATH}`, 'x-service-api-key: KEY', 'X-Service-Api-Key: KEY')],
    service: [401],
  },
  {
    name: 'both headers, equal',
    parts: [head(`GET ${PATH}`, auth, 'x-service-api-key: KEY')],
    service: [200],
  },
  { name: 'Content-Length too short', parts: [post('Content-Length: 5'), body], service: [400] },
  {
    name: 'Content-Length above the limit, and as much sent',
    parts: [post(`Content-Length: ${3 * MIB}`), ' '.repeat(3 * MIB)],
    service: [413],
  },
  { name: '5 MiB in chunks', parts: [post(chunked), ...fiveMiB, '0\r\n\r\n'], service: [413] },
  {
    name: 'a good body in chunks of one byte',
    parts: [post(chunked), Array.from(body).map(chunk).join(''), '0\r\n\r\n'],
    service: [201],
  },
  {
    name: 'a slow body',
    parts: [post(`Content-Length: ${body.length}`), ...slowly],
    service: [201],
  },
  {
    name: 'a chunk that is none',
    // In one write: bytes that arrive after the answer make the kernel reset the connection, and the answer is lost.
    parts: [`${post(chunked)}zz\r\n${body}\r\n0\r\n\r\n`],
    service: [400],
  },
  { name: 'no body', parts: [post('Content-Length: 0')], service: [400] },
  {
    name: 'a body that claims to be gzip',
    parts: [post('Content-Encoding: gzip', `Content-Length: ${body.length}`), body],
    service: [201],
  },
  {
    name: 'Expect: 100-continue',
    parts: [post('Expect: 100-continue', `Content-Length: ${body.length}`), 50, body],
    service: [201],
  },
  {
    name: 'a GET with a body',
    parts: [head(`GET ${PATH}`, auth, 'Content-Length: 2'), '{}'],
    service: [200],
  },
  {
    name: 'a DELETE with a body',
    parts: [head(`DELETE ${PATH}/${UNKNOWN}`, auth, 'Content-Length: 2'), '{}'],
    service: [404],
  },
  { name: 'TRACE', parts: [head(`TRACE ${PATH}`, auth)], service: [405] },
  {
    name: 'two requests at once, the second without a key',
    parts: [head(`GET ${PATH}`, auth) + head(`GET ${PATH}`)],
    service: [200, 401],
  },
  // RFC 9112, 6.3: chunks win over a length. The bytes after them are a separate request, without the first one's key.
  {
    name: 'Content-Length and chunks, a request hidden behind',
    parts: [post('Content-Length: 4', chunked) + chunk(body) + '0\r\n\r\n' + head(`GET ${PATH}`)],
    service: [201, 401],
  },
  {
    name: 'chunks and Content-Length, a request hidden inside',
    parts: [
      post(chunked, 'Content-Length: 200') +
        chunk(body) +
        '0\r\n\r\n' +
        head('DELETE /api/brand/v1/profile'),
    ],
    service: [201, 405],
  },
];

// What the local runtime answers by itself, in plain text, before the Worker sees a request. On Cloudflare the edge
// answers such requests. The service is not involved.
const NOT_SERVED: readonly (Omit<Attack, 'service'> & { readonly runtime: number })[] = [
  { name: 'a negative Content-Length', parts: [post('Content-Length: -1') + body], runtime: 500 },
  {
    name: 'a Content-Length of letters',
    parts: [post('Content-Length: abc') + body],
    runtime: 500,
  },
  {
    name: 'two Content-Lengths',
    parts: [post('Content-Length: 5', 'Content-Length: 28') + body],
    runtime: 500,
  },
  {
    name: 'two Transfer-Encodings',
    parts: [post(chunked, 'Transfer-Encoding: identity') + chunk(body) + '0\r\n\r\n'],
    runtime: 500,
  },
  {
    name: 'an unknown Transfer-Encoding',
    parts: [post('Transfer-Encoding: xchunked') + chunk(body) + '0\r\n\r\n'],
    runtime: 500,
  },
  { name: 'CONNECT', parts: [head('CONNECT x:80', auth)], runtime: 500 },
  { name: 'the method FOO', parts: [head(`FOO ${PATH}`, auth)], runtime: 501 },
  { name: 'a TLS greeting', parts: ['\x16\x03\x01\x02\x00\x01\r\n\r\n'], runtime: 501 },
  {
    name: 'a space before the colon',
    parts: [head(`GET ${PATH}`, 'Authorization : Bearer KEY')],
    runtime: 400,
  },
  {
    name: 'a folded header',
    parts: [head(`GET ${PATH}`, 'Authorization: Bearer\r\n KEY')],
    runtime: 400,
  },
  { name: 'a NUL in a header', parts: [head(`GET ${PATH}`, auth, 'X: a\0b')], runtime: 400 },
  { name: 'no Host', parts: [`GET ${PATH} HTTP/1.1\r\n${auth}\r\n\r\n`], runtime: 400 },
  {
    name: 'a header of 200,000 characters',
    parts: [head(`GET ${PATH}`, auth, `X: ${'a'.repeat(200_000)}`)],
    runtime: 431,
  },
];

// An incomplete document, so that nothing is created. If the length is greater, the local runtime may answer itself.
const half = body.slice(0, 20);
const UNFINISHED: readonly Omit<Attack, 'service'>[] = [
  { name: 'Content-Length too long', parts: [post('Content-Length: 999'), half, END] },
  {
    name: 'a whole document, but Content-Length too long',
    parts: [post('Content-Length: 999'), body, END],
  },
  {
    name: 'a Content-Length beyond all numbers',
    parts: [post('Content-Length: 99999999999999999999'), body, END],
  },
  { name: 'chunks that break off', parts: [post(chunked), `ff\r\n${half}`, END] },
  { name: 'chunks without an end', parts: [post(chunked), chunk(half), END] },
];

function withKey(parts: readonly Part[]): Part[] {
  return parts.map((part) =>
    typeof part === 'string' ? part.replaceAll('KEY', server.apiKey) : part,
  );
}

const error = z.strictObject({ error: z.string().min(1) });

/** A response of the service itself: with its headers, and with `{ error }` for errors. */
function expectOwn({ status, headers, body }: RawAnswer): void {
  expect(headers.get('x-request-id'), body).toBeDefined();
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(error.safeParse(JSON.parse(body)).success, body).toBe(true);
  expect(body).not.toContain(server.apiKey);
}

describe('Over a raw socket the service', () => {
  it.each(SERVED)('answers $service: $name', async ({ parts, service }) => {
    const { answers } = await sendRaw(server.port, withKey(parts), service.length);
    expect(
      answers.map(({ status }) => status),
      JSON.stringify(answers),
    ).toEqual(service);
    for (const answer of answers) expectOwn(answer);
  });

  it.each(NOT_SERVED)('is not reached, the runtime answers $runtime: $name', async (attack) => {
    const { answers } = await sendRaw(server.port, withKey(attack.parts));
    expect(answers.map(({ status }) => status)).toEqual([attack.runtime]);
    for (const { headers, body } of answers) {
      expect(headers.has('x-request-id')).toBe(false);
      expect(body).not.toContain(server.apiKey);
    }
  });

  it.each(UNFINISHED)('ignores it and continues: $name', async ({ parts }) => {
    const { answers, closed } = await sendRaw(server.port, withKey(parts));
    for (const answer of answers) {
      if (!answer.headers.has('x-request-id')) {
        expect(answer.headers.get('content-type'), answer.body).toMatch(/^text\/plain/);
        continue;
      }
      expect(answer.status, answer.body).toBe(400);
      expectOwn(answer);
    }
    expect(closed || answers.length === 1).toBe(true);
  });
});

describe('After all that', () => {
  it('the server works, and exactly the resources answered with 201 exist', async () => {
    const headers = { Authorization: `Bearer ${server.apiKey}` };
    const response = await fetch(`http://127.0.0.1:${server.port}${PATH}`, { headers });
    expect(response.status).toBe(200);
    const { products } = z
      .object({ products: z.array(z.object({ title: z.string() })) })
      .parse(await response.json());
    const made = SERVED.flatMap(({ service }) => service).filter((status) => status === 201);
    expect(products.map(({ title }) => title)).toEqual(made.map(() => 'a'));
  });
});
