import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort, runWith } from '../../test/node/processes.ts';

// docs/brand_api.py against a service whose first responses fail.

type Answer = (response: ServerResponse, url: string) => void;

const answering =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };
const disconnects: Answer = (response) => {
  response.destroy();
};
const breaksOff: Answer = (response) => {
  response.write('{"done": ', () => response.destroy());
};
const isBusy = answering(503, '{"error": "Busy"}', { 'Retry-After': '1' });
const isBadGateway = answering(502, '<h1>Bad gateway</h1>', { 'Retry-After': 'soon' });
const isWrong = answering(400, '{"error": "Wrong"}', { 'X-Request-Id': 'r' });
const isGone = answering(404, '{"error": "Product not found."}');

/** What a program wrote, and the requests that it sent. */
interface Ran {
  readonly output: string;
  readonly requests: readonly IncomingMessage[];
}

/** Runs a program that can import the client, on a service that answers so at first. */
async function run(
  program: string,
  first: readonly Answer[],
  key = 'bik_test',
  end = '',
): Promise<Ran> {
  const answers = [...first];
  const requests: IncomingMessage[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = createServer((request, response) => {
    requests.push(request);
    (answers.shift() ?? answering(200, '{"done": true}'))(response, url);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const variables = { BRAND_API_URL: url + end, BRAND_API_KEY: key, PYTHONPATH: resolve('docs') };
  const { stdout, stderr } = await runWith(variables, 'python3', '-s', '-c', program);
  server.closeAllConnections();
  server.close();
  return { output: stdout + stderr, requests };
}

/** Calls as often as there are answers. Prints the status of each error, or its text. */
const callsUntilErrors = (count: number, shown: 'error' | 'error.status'): string => `
from brand_api import ApiError, call
for _ in range(${count}):
    try:
        call("POST", "/x", {})
    except ApiError as error:
        print(${shown})`;

/** Bodies that the service never sends with an error. */
const STRANGE = [
  'default backend - 404',
  '{"message": "no Route"}',
  '',
  '{"error":{"code":404}}',
  '{"error":null}',
  '{"error"',
  '["error"]',
  '{"error":"Not Found","statusCode":404}',
];

const DONE = "{'done': True}";
const LOSSES = [disconnects, breaksOff, isBusy];

/** A call, the answers that it gets before the last, how many requests it sends, and the end of what is printed. */
const CALLS: readonly (readonly [method: string, Answer[], requests: number, says: string])[] = [
  ['GET', LOSSES, 4, DONE],
  ['POST', LOSSES, 4, DONE],
  ['GET', [isBadGateway], 2, DONE],
  ['POST', [isBadGateway], 2, DONE],
  ['POST', [answering(429, 'error code: 1015')], 2, DONE],
  ['POST', [answering(304)], 1, 'None'],
  ['POST', [isWrong], 1, 'brand_api.ApiError: 400: {"error": "Wrong"} (request r)'],
  // The service has no rows left today, and waits for midnight UTC.
  [
    'GET',
    [answering(503, '{"error": "Busy"}', { 'Retry-After': '61' })],
    1,
    'ApiError: 503: {"error": "Busy"}',
  ],
  ['DELETE', [disconnects], 2, DONE],
  ['DELETE', [isBadGateway], 2, DONE],
  // It found nothing because the first try has deleted it.
  ['DELETE', [isBusy, isGone], 2, "{'success': True}"],
  ['DELETE', [isGone], 1, 'ApiError: 404: {"error": "Product not found."}'],
  ['DELETE', [disconnects, answering(404, STRANGE[0])], 2, 'ApiError: 404: default backend - 404'],
  // A change that may be done is not repeated.
  ['PATCH', [isBadGateway], 1, 'brand_api.ApiError: 502: <h1>Bad gateway</h1>'],
  ['PATCH', [isBusy], 1, 'brand_api.ApiError: 503: {"error": "Busy"}'],
  ['PATCH', [breaksOff], 1, 'brand_api.ApiError: lost response: IncompleteRead(9 bytes read)'],
];

// The client waits before it repeats.
describe.concurrent('client in Python', () => {
  it.each(CALLS)(
    'The client in Python repeats a request if that is safe: %s %j sends %i requests: %s',
    async (method, answers, count, says) => {
      const program = `from brand_api import call\nprint(call("${method}", "/x", {})[0])`;
      const { output, requests } = await run(program, answers);
      expect([requests.length, output.trim().slice(-says.length)]).toEqual([count, says]);
      const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
      expect([keys.size, keys.has(undefined)]).toEqual([1, method !== 'POST']);
    },
  );

  it('The client in Python names itself, because Cloudflare refuses Python-urllib', async () => {
    const { requests } = await run('from brand_api import call\ncall("GET", "/x")', []);
    expect(requests.map(({ headers }) => headers['user-agent'])).toEqual(['brand_api.py/1.0']);
  });

  it('The client in Python waits until the date that Retry-After names', async () => {
    const date = new Date(Date.now() + 3000).toUTCString();
    const later = answering(503, '{"error": "Busy"}', { 'Retry-After': date });
    const { requests } = await run('from brand_api import call\ncall("GET", "/x")', [later]);
    expect(requests).toHaveLength(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date));
  });

  it('The client in Python gives a status to an error of the service alone', async () => {
    const bodies = [...STRANGE, '{"error":"No."}'];
    const errors = [404, 412].flatMap((status) => bodies.map((body) => answering(status, body)));
    const none = STRANGE.map(() => 'None\n').join('');
    const { output } = await run(callsUntilErrors(errors.length, 'error.status'), errors);
    expect(output).toBe(`${none}404\n${none}412\n`);
  });

  it('The client in Python follows no redirect', async () => {
    const statuses = [301, 302, 303, 307, 308];
    const answers = statuses.map((status): Answer => (response, url) => {
      const target = url.replace('127.0.0.1', 'localhost');
      response.writeHead(status, { Location: `${target}/elsewhere` }).end();
    });
    const { output, requests } = await run(callsUntilErrors(answers.length, 'error'), answers);
    expect(requests).toHaveLength(answers.length);
    const lines = statuses.map((status): unknown =>
      expect.stringMatching(new RegExp(`^${status}: .*elsewhere`)),
    );
    expect(output.trim().split('\n')).toEqual(lines);
  });

  it('The client in Python takes links that come back for an error', async () => {
    const answers = Array.from({ length: 9 }, (_, index): Answer => (response, url) => {
      const link = `<${url}/api/brand/v1/x?cursor=${index % 2}>; rel="next"`;
      response.writeHead(200, { Link: link }).end('{}');
    });
    const program = 'from brand_api import pages\nfor page in pages("/x"): pass';
    const { output, requests } = await run(program, answers);
    expect(output).toContain('ApiError: a link to an earlier page');
    expect(requests).toHaveLength(3);
  });

  it.each(['/', '/api/brand/v1', '/api/brand/v1/'])(
    'The client in Python takes an address with any end, as the other clients do: %s',
    async (end) => {
      const program = 'from brand_api import call\ncall("GET", "/x")';
      const { requests } = await run(program, [], 'bik_test', end);
      expect(requests.map(({ url }) => url)).toEqual(['/api/brand/v1/x']);
    },
  );

  it.each([
    ['bik_SECRET\r\nx: 1', 'BRAND_API_KEY is not a key. Copy it again.', []],
    ['“bik_SECRET”', 'BRAND_API_KEY is not a key. Copy it again.', []],
    ['\n', 'BRAND_API_KEY is not a key. Copy it again.', []],
    // The line end of a file is not a part of it.
    ['bik_SECRET\r\n', '', ['Bearer bik_SECRET']],
  ])(
    'The client in Python uses a key, or refuses it without showing it: %j',
    async (key, says, sent) => {
      const { output, requests } = await run(
        'from brand_api import call\ncall("GET", "/x")',
        [],
        key,
      );
      expect(output).toContain(says);
      expect(output).not.toContain('SECRET');
      expect(requests.map(({ headers }) => headers.authorization)).toEqual(sent);
    },
  );
});
