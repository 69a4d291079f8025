import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from './markdown.ts';
import type { TemporaryFolder } from './processes.ts';
import { freePort, runWith, temporaryFolder } from './processes.ts';

// The client that docs/integrating.md tells its reader to save, against a service whose first responses fail.

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [client] = blocksOf('docs/integrating.md').filter(({ language }) => language === 'python');
  await writeFile(join(folder.path, 'brand_api.py'), client?.text ?? '');
});

afterAll(() => folder.remove());

/** A response of the service. */
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
const isGone = answering(404, '{"error": "Product not found."}');

/** What a program wrote, and the requests that it sent. */
interface Ran {
  readonly output: string;
  readonly lastLine: string | undefined;
  readonly requests: readonly IncomingMessage[];
}

/** Runs a program that can import the client, on a service that answers so at first. */
async function run(program: string, first: readonly Answer[], key = 'bik_test'): Promise<Ran> {
  const answers = [...first];
  const requests: IncomingMessage[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = createServer((request, response) => {
    requests.push(request);
    (answers.shift() ?? answering(200, '{"done": true}'))(response, url);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const variables = { BRAND_API_URL: url, BRAND_API_KEY: key, PYTHONPATH: folder.path };
  const { stdout, stderr } = await runWith(variables, 'python3', '-s', '-c', program);
  server.closeAllConnections();
  server.close();
  const output = stdout + stderr;
  return { output, lastLine: output.trim().split('\n').at(-1), requests };
}

/** Makes one call with the client, and shows its result. */
function call(method: string, ...first: readonly Answer[]): Promise<Ran> {
  const program = `from brand_api import call\nprint(call("${method}", "/x", {})[0])`;
  return run(program, first);
}

/** Bodies that the service never sends with an error. */
const STRANGE = [
  ...['default backend - 404', '{"message": "no Route"}', '', '{"error":{"code":404}}'],
  ...['{"error":null}', '{"error"', '["error"]', '{"error":"Not Found","statusCode":404}'],
];

// The client waits before it repeats.
describe.concurrent('the client in Python', () => {
  it.each(['GET', 'POST'])('%s is repeated after every loss', async (method) => {
    const { output, requests } = await call(method, disconnects, breaksOff, isBusy);
    expect(output).toBe("{'done': True}\n");
    expect(requests).toHaveLength(4);
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect(keys.has(undefined)).toBe(method === 'GET');
  });

  it.each([
    ['GET', isBadGateway],
    ['POST', isBadGateway],
    ['POST', answering(429, 'error code: 1015')],
    ['DELETE', disconnects],
    ['DELETE', isBadGateway],
  ])("%s is repeated after a gateway's error, or if it does no harm", async (method, answer) => {
    const { lastLine, requests } = await call(method, answer);
    expect([lastLine, requests.length]).toEqual(["{'done': True}", 2]);
  });

  it.each([
    [isBadGateway, 'brand_api.ApiError: 502: <h1>Bad gateway</h1>'],
    [isBusy, 'brand_api.ApiError: 503: {"error": "Busy"}'],
    [breaksOff, 'brand_api.ApiError: lost response: '],
  ])('a PATCH that may be done is not repeated', async (answer, said) => {
    const { lastLine, requests } = await call('PATCH', answer);
    expect([requests.length, lastLine?.slice(0, said.length)]).toEqual([1, said]);
  });

  it.each([
    ['that finds nothing after a loss has succeeded', [isBusy, isGone], "{'success': True}"],
    ['that finds nothing at once has failed', [isGone], 'ApiError: 404'],
    [
      "is not proved by a gateway's 404",
      [disconnects, answering(404, STRANGE[0])],
      'ApiError: 404',
    ],
  ])('a DELETE %s', async (_, answers, said) => {
    const { lastLine, requests } = await call('DELETE', ...answers);
    expect([requests.length, lastLine]).toEqual([answers.length, expect.stringContaining(said)]);
  });

  it('waits until the date that Retry-After names', async () => {
    const date = new Date(Date.now() + 3000).toUTCString();
    const { requests } = await call('GET', (response) => {
      response.writeHead(503, { 'Retry-After': date }).end('{"error": "Busy"}');
    });
    expect(requests).toHaveLength(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date));
  });

  it('only an error of the service has a status', async () => {
    const bodies = [...STRANGE, '{"error":"No."}'];
    const errors = [404, 412].flatMap((status) => bodies.map((body) => answering(status, body)));
    const program = `
from brand_api import ApiError, call
for _ in range(${errors.length}):
    try:
        call("GET", "/x")
    except ApiError as error:
        print(error.status)`;
    const none = STRANGE.map(() => 'None\n').join('');
    expect((await run(program, errors)).output).toBe(`${none}404\n${none}412\n`);
  });

  it.each([404, 412])('delete_unchanged does not believe a gateway: %i', async (status) => {
    const [sample = ''] = blocksOf('docs/integrating.md').flatMap(
      ({ text }) => /^def delete_unchanged.*?\n\n\n/ms.exec(text)?.[0] ?? [],
    );
    const program = `from brand_api import ApiError, call\n${sample}
print(delete_unchanged({"id": "1"}))`;
    const read = answering(200, '{"product": {"id": "1"}}', { ETag: '"1"' });
    const { output } = await run(program, [read, answering(status, STRANGE[0])]);
    expect(output).toContain(`ApiError: ${status}: default backend`);
  });

  it('links that come back are an error', async () => {
    const answers = Array.from({ length: 9 }, (_, index): Answer => (response, url) => {
      const link = `<${url}/api/brand/v1/x?cursor=${index % 2}>; rel="next"`;
      response.writeHead(200, { Link: link }).end('{}');
    });
    const program = 'from brand_api import pages\nfor page in pages("/x"): pass';
    const { output, requests } = await run(program, answers);
    expect(output).toContain('ApiError: a link to an earlier page');
    expect(requests).toHaveLength(3);
  });

  it.each(['bik_SECRET\r\nx: 1', '“bik_SECRET”', '\n'])(
    'what cannot be a key is refused without showing it: %j',
    async (key) => {
      const { output, requests } = await run(
        ...(['from brand_api import call\ncall("GET", "/x")', [], key] as const),
      );
      expect(output).toContain('BRAND_API_KEY is not a key. Copy it again.');
      expect(output).not.toContain('SECRET');
      expect(requests).toHaveLength(0);
    },
  );

  it('the line end of a file is not a part of the key', async () => {
    const program = 'from brand_api import call\ncall("GET", "/x")';
    const { output, requests } = await run(program, [], 'bik_SECRET\r\n');
    expect(output).toBe('');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer bik_SECRET']);
  });

  it.each<[string, Answer, string]>([
    ['a response without a change has no body', answering(304), 'None'],
    [
      'an error is named',
      answering(400, '{"error": "Wrong"}', { 'X-Request-Id': 'r' }),
      'brand_api.ApiError: 400: {"error": "Wrong"} (request r)',
    ],
  ])('%s', async (_, answer, said) => {
    const { lastLine, requests } = await call('POST', answer);
    expect([requests.length, lastLine]).toEqual([1, said]);
  });

  it.each([301, 302, 303, 307, 308])('a redirect is not followed: %i', async (status) => {
    const { lastLine, requests } = await call('POST', (response, url) => {
      const target = url.replace('127.0.0.1', 'localhost');
      response.writeHead(status, { Location: `${target}/elsewhere` }).end();
    });
    expect(requests).toHaveLength(1);
    expect(lastLine).toMatch(new RegExp(`^brand_api.ApiError: ${status}: .*elsewhere`));
  });
});
