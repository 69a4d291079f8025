import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from './markdown.ts';
import type { TemporaryFolder } from './processes.ts';
import { temporaryFolder } from './processes.ts';
import { Python } from './python.ts';

// The client that docs/integrating.md tells its reader to save, against a service whose first responses fail.

let folder: TemporaryFolder;
let python: Python;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [client] = blocksOf('docs/integrating.md').filter(({ language }) => language === 'python');
  await writeFile(join(folder.path, 'brand_api.py'), client?.text ?? '');
  python = await Python.start(folder.path);
});

afterAll(async () => {
  await python.stop();
  await folder.remove();
});

/** A response of the service. */
type Answer = (response: ServerResponse, url: string) => void;

const disconnects = (response: ServerResponse): void => {
  response.destroy();
};
const breaksOff = (response: ServerResponse): void => {
  response.write('{"done": ', () => response.destroy());
};
const isBusy = (response: ServerResponse): void => {
  response.writeHead(503, { 'Retry-After': '1' }).end('{"error": "Busy"}');
};
const isBadGateway = (response: ServerResponse): void => {
  response.writeHead(502, { 'Retry-After': 'soon' }).end('<h1>Bad gateway</h1>');
};
const isWrong = (response: ServerResponse): void => {
  response.writeHead(400, { 'X-Request-Id': 'r' }).end('{"error": "Wrong"}');
};

/** What a program wrote, and the requests that it sent. */
interface Ran {
  readonly output: string;
  readonly requests: readonly IncomingMessage[];
}

/** Runs a program that can import the client, on a service that answers so at first. */
async function run(program: string, first: readonly Answer[], key = 'bik_test'): Promise<Ran> {
  const answers = [...first];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.shift();
    if (answer === undefined) response.end('{"done": true}');
    else answer(response, url);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  try {
    const { output } = await python.run(program, { BRAND_API_URL: url, BRAND_API_KEY: key });
    return { output, requests };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A program that makes one call with the client, and shows its result. */
const calling = (method: string): string =>
  `from brand_api import call\nprint(call("${method}", "/x", {})[0])`;

/** The result of one call. */
interface Called {
  /** The last line that the program wrote. */
  readonly lastLine: string | undefined;
  /** How many requests arrived. */
  readonly count: number;
}

/** Makes one call with the client. */
async function call(method: string, ...first: readonly Answer[]): Promise<Called> {
  const { output, requests } = await run(calling(method), first);
  return { lastLine: output.trim().split('\n').at(-1), count: requests.length };
}

// The client waits before it repeats.
describe.concurrent('the client in Python', () => {
  it.each(['GET', 'POST'])('%s is repeated after every loss', async (method) => {
    const { output, requests } = await run(calling(method), [disconnects, breaksOff, isBusy]);
    expect(output).toBe("{'done': True}\n");
    expect(requests).toHaveLength(4);
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect(keys.has(undefined)).toBe(method === 'GET');
  });

  it.each(['GET', 'POST'])("%s is repeated after a gateway's error", async (method) => {
    const { lastLine, count } = await call(method, isBadGateway);
    expect({ lastLine, count }).toEqual({ lastLine: "{'done': True}", count: 2 });
  });

  it('waits until the date that Retry-After names', async () => {
    const started = Date.now();
    const date = new Date(started + 4000).toUTCString();
    const { count } = await call('GET', (response) => {
      response.writeHead(503, { 'Retry-After': date }).end('{"error": "Busy"}');
    });
    expect(count).toBe(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date));
  });

  it("a PATCH is not repeated after a gateway's error", async () => {
    const { lastLine, count } = await call('PATCH', isBadGateway);
    expect(count).toBe(1);
    expect(lastLine).toContain('ApiError: 502: <h1>Bad gateway</h1>');
  });

  it('a PATCH that may be done is not repeated', async () => {
    const { lastLine, count } = await call('PATCH', breaksOff);
    expect(count).toBe(1);
    expect(lastLine).toMatch(
      /^brand_api\.ApiError: lost response: (IncompleteRead|ConnectionResetError)/,
    );
  });

  it('a PATCH that is 503 is not repeated, because it may be done', async () => {
    const { lastLine, count } = await call('PATCH', isBusy);
    expect({ lastLine, count }).toEqual({
      lastLine: 'brand_api.ApiError: 503: {"error": "Busy"}',
      count: 1,
    });
  });

  it('a DELETE is repeated, because a second one does no harm', async () => {
    const { lastLine, count } = await call('DELETE', disconnects, isBadGateway);
    expect({ lastLine, count }).toEqual({ lastLine: "{'done': True}", count: 3 });
  });

  it('a DELETE that finds nothing after a loss has succeeded', async () => {
    const isGone = (response: ServerResponse): void => {
      response.writeHead(404).end('{"error": "Product not found."}');
    };
    for (const failure of [disconnects, isBusy]) {
      expect(await call('DELETE', failure, isGone)).toEqual({
        lastLine: "{'success': True}",
        count: 2,
      });
    }
    expect((await call('DELETE', isGone)).lastLine).toContain('ApiError: 404');
  });

  const STRANGE = [
    ...['default backend - 404', '<h1>Not found</h1>', '{"message": "no Route"}', ''],
    ...['{"error":{"code":404}}', '{"error":null}', '{"error"', '["error"]'],
    '{"error":"Not Found","statusCode":404}',
  ];

  it.each(STRANGE)("a gateway's 404 does not prove a deletion: %j", async (body) => {
    const { lastLine, count } = await call('DELETE', disconnects, (response) => {
      response.writeHead(404).end(body);
    });
    expect({ lastLine, count }).toEqual({
      lastLine: `brand_api.ApiError: 404: ${body}`.trim(),
      count: 2,
    });
  });

  it('only an error of the service has a status', async () => {
    const program = `
from brand_api import ApiError, call
try:
    call("GET", "/x")
except ApiError as error:
    print(error.status)`;
    const statusOf = async (status: number, body: string): Promise<string> =>
      (await run(program, [(response) => response.writeHead(status).end(body)])).output;
    for (const status of [404, 409, 410, 412]) {
      for (const body of STRANGE) {
        expect(await statusOf(status, body), `${status} ${body}`).toBe('None\n');
      }
      expect(await statusOf(status, '{"error":"No."}')).toBe(`${status}\n`);
    }
    expect(await statusOf(301, '{"error":"Moved."}')).toBe('None\n');
  });

  it.each(['GET', 'POST', 'DELETE'])("%s is repeated after a gateway's 429", async (method) => {
    const isBlocked = (response: ServerResponse): void => {
      response.writeHead(429).end('error code: 1015');
    };
    const { lastLine, count } = await call(method, isBlocked);
    expect({ lastLine, count }).toEqual({ lastLine: "{'done': True}", count: 2 });
  });

  it.each(['GET', 'DELETE'])('delete_unchanged does not believe a gateway: %s', async (method) => {
    const [sample = ''] = blocksOf('docs/integrating.md').flatMap(
      ({ text }) => /^def delete_unchanged.*?\n\n\n/ms.exec(text)?.[0] ?? [],
    );
    const program = `from brand_api import ApiError, call\n${sample}
print(delete_unchanged({"id": "1"}))`;
    for (const status of [404, 412]) {
      const answers = (response: ServerResponse): void => {
        response.writeHead(200, { ETag: '"1"' }).end('{"product": {"id": "1"}}');
      };
      const isStrange = (response: ServerResponse): void => {
        response.writeHead(status).end('default backend - 404');
      };
      const { output } = await run(program, method === 'GET' ? [isStrange] : [answers, isStrange]);
      expect(output).toContain(`ApiError: ${status}: default backend`);
    }
  });

  it.each([1, 2, 3])('links that come back after %i pages are an error', async (pages) => {
    const answers = Array.from({ length: 9 }, (_, index): Answer => (response, url) => {
      const link = `<${url}/api/brand/v1/x?cursor=${index % pages}>; rel="next"`;
      response.writeHead(200, { Link: link }).end('{}');
    });
    const program = 'from brand_api import pages\nfor page in pages("/x"): pass';
    const { output, requests } = await run(program, answers);
    expect(output).toContain('ApiError: a link to an earlier page');
    expect(requests).toHaveLength(pages + 1);
  });

  it.each(['bik_SECRET\nx', 'bik_SECRET\r\nx: 1', '“bik_SECRET”', 'bik_SECRET bik_SECRET', '\n'])(
    'what cannot be a key is refused without showing it: %j',
    async (key) => {
      const program = 'from brand_api import call\ncall("GET", "/x")';
      const { output, requests } = await run(program, [], key);
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

  it('a response without a change has no body', async () => {
    const { lastLine, count } = await call('GET', (response) => response.writeHead(304).end());
    expect({ lastLine, count }).toEqual({ lastLine: 'None', count: 1 });
  });

  it('an error is named', async () => {
    const { lastLine, count } = await call('POST', isWrong);
    expect(count).toBe(1);
    expect(lastLine).toBe('brand_api.ApiError: 400: {"error": "Wrong"} (request r)');
  });

  it.each(['GET', 'POST', 'DELETE'])('a redirect of %s is not followed', async (method) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { lastLine, count } = await call(method, (response, url) => {
        const target = url.replace('127.0.0.1', 'localhost');
        response.writeHead(status, { Location: `${target}/elsewhere` }).end();
      });
      expect(count).toBe(1);
      expect(lastLine).toMatch(new RegExp(`^brand_api.ApiError: ${status}: .*elsewhere`));
    }
  });
});
