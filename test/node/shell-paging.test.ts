import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from './markdown.ts';
import type { Finished } from './processes.ts';
import { freePort, runWith, temporaryFolder } from './processes.ts';

// The loop of docs/integrating.md that reads a list page by page. A part of a list must not pass for the whole.

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let script: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  script = join(folder.path, 'paging.sh');
  const blocks = blocksOf('docs/integrating.md').filter(({ language }) => language === 'sh');
  const texts = blocks.map(({ text }) => text).filter((text) => /^api\(\)|^while /m.test(text));
  expect(texts).toHaveLength(2);
  await writeFile(script, texts.join('\n'));
});

afterAll(() => folder.remove());

type Answer = (response: ServerResponse) => void;

const page =
  (title: string, next = ''): Answer =>
  (response) => {
    const link = `<http://elsewhere.invalid/api/brand/v1/products?cursor=${next}>; rel="next"`;
    response.writeHead(200, next === '' ? {} : { Link: link });
    response.end(JSON.stringify({ products: title === '' ? [] : [{ title }] }));
  };

/** Runs the loop against these answers. The last one is repeated. */
async function readPages(...answers: readonly Answer[]): Promise<Finished & { paths: string[] }> {
  const port = await freePort();
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    (answers[paths.length - 1] ?? answers.at(-1))?.(response);
  }).listen(port);
  await once(server, 'listening');
  const variables = { BRAND_API_URL: `http://127.0.0.1:${port}`, BRAND_API_KEY: 'bik_test' };
  const finished = await runWith(variables, 'timeout', '10', 'bash', script);
  server.closeAllConnections();
  server.close();
  return { ...finished, paths };
}

describe('The shell loop', () => {
  it('reads all pages, from the configured service alone', async () => {
    const { code, stdout, stderr, paths } = await readPages(
      page('A', '1'),
      page('B', '2'),
      page('C'),
    );
    expect([code, stdout, stderr]).toEqual([0, 'A\nB\nC\n', '']);
    expect(paths).toEqual(
      ['limit=2', 'cursor=1', 'cursor=2'].map((query) => `/api/brand/v1/products?${query}`),
    );
  });

  it('reads an empty list', async () => {
    const { code, stdout, stderr } = await readPages(page(''));
    expect([code, stdout, stderr]).toEqual([0, '', '']);
  });

  const failures: readonly (readonly [string, Answer])[] = [
    ['503', (response) => response.writeHead(503).end('{"error":"Busy."}')],
    ['429', (response) => response.writeHead(429).end('{"error":"Too many requests."}')],
    ["a gateway's 502", (response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
    ['a redirect', (response) => response.writeHead(302, { Location: '/' }).end()],
    ['an empty answer', (response) => response.end()],
    ['a lost connection', (response) => response.destroy()],
    [
      'an answer that breaks off',
      (response) => response.write('{"products": [', () => response.destroy()),
    ],
  ];

  it.each(failures)('ends with an error after %s in the middle', async (_, failure) => {
    const { code, stdout, stderr } = await readPages(page('A', '1'), failure);
    expect([code, stdout]).toEqual([1, 'A\n']);
    expect(stderr).not.toBe('');
  });

  it('ends with an error if the links form a circle', async () => {
    const { code } = await readPages(page('A', '1'));
    expect(code).toBe(1);
  });
});
