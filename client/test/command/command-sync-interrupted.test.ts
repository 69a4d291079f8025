import { expect, it } from 'vitest';
import { item, items } from '../items.ts';
import { shop } from './command-shop.ts';

it('A signal ends `sync` before its next request, a deletion too, and it says how to continue', async () => {
  const { sync, skus } = await shop(items(2));
  const stop = new AbortController();
  const sent: (string | undefined)[] = [];
  const { code, stdout, stderr } = await sync(
    [item('S-0'), item('N')],
    ['--match', 'sku', '--delete'],
    {
      signal: stop.signal,
      fetch: async (url, init) => {
        sent.push(init?.method);
        if (init?.method === 'POST') stop.abort();
        return fetch(url, init);
      },
    },
  );
  expect([code, stdout]).toEqual([1, '1 created, 0 updated, 1 unchanged, 0 deleted.\n']);
  expect(stderr).toBe('error: Stopped before the end. Run it again to continue.\n');
  expect(sent).toEqual(['GET', 'POST']);
  expect(await skus()).toHaveLength(3);
});

it('A signal ends `sync` soon if a write has no answer, with a report of what is done', async () => {
  const { sync, skus } = await shop();
  const stop = new AbortController();
  let posts = 0;
  const { code, stdout, stderr } = await sync(items(501), undefined, {
    signal: stop.signal,
    fetch: async (url, init) => {
      if (init?.method !== 'POST' || ++posts === 1) return fetch(url, init);
      stop.abort();
      return new Promise(() => undefined);
    },
  });
  expect([code, stdout]).toEqual([1, '500 created, 0 updated, 0 unchanged.\n']);
  expect(stderr).toContain('Stopped before the end.');
  expect(await skus()).toHaveLength(500);
});

it.each<[string, () => Promise<Response>]>([
  ['before its answer', () => new Promise(() => undefined)],
  // An answer that has begun, and does not go on.
  ['within its answer', () => Promise.resolve(new Response(new ReadableStream()))],
])('A signal ends `sync` while it reads, and nothing is done: %s', async (_, answer) => {
  const { sync, skus } = await shop(items(2));
  const stop = new AbortController();
  const { code, stdout, stderr } = await sync([item('N')], undefined, {
    signal: stop.signal,
    fetch: () => {
      setTimeout(() => {
        stop.abort();
      }, 100);
      return answer();
    },
  });
  expect([code, stdout, stderr]).toEqual([1, '', 'error: Stopped before the end.\n']);
  expect(await skus()).toHaveLength(2);
});

it.each([[[]], [['--json']]])(
  'A failure ends `sync`, which reports what was done before: %j',
  async (words) => {
    const { sync, skus } = await shop();
    const error = 'This API key is read-only.';
    let requests = 0;
    const { code, stdout, stderr } = await sync(items(501), ['--match', 'sku', ...words], {
      fetch: (...request) =>
        ++requests === 3
          ? Promise.resolve(Response.json({ error }, { status: 403 }))
          : fetch(...request),
    });
    expect([code, stderr]).toEqual([1, `error: ${error}\n`]);
    if (words.length === 0) expect(stdout).toBe('500 created, 0 updated, 0 unchanged.\n');
    else expect(JSON.parse(stdout)).toMatchObject({ created: 500, refused: [], error });
    expect(await skus()).toHaveLength(500);
  },
);
