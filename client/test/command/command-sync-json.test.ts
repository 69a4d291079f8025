import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { record } from '../../../test/node/processes.ts';
import { items } from '../items.ts';
import { commandOf } from './commanded.ts';

const nowhere = commandOf({ apiKey: `bik_${'0'.repeat(49)}`, baseUrl: 'http://127.0.0.1:4' });

/** The document of a sync that did nothing. */
function nothing(format: string | null, error: string | RegExp): object {
  const matching: unknown = expect.stringMatching(error);
  return {
    format,
    dryRun: false,
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    withheld: 0,
    unmatched: 0,
    kept: [],
    skipped: [],
    refused: [],
    error: matching,
  };
}

const bySku = ['--match', 'sku'];

it.each([
  ['the file is missing', ['/nowhere/a.json', ...bySku], '', 1, null, /no such file/],
  ['the file is empty', ['-', ...bySku], '', 1, null, /^The file is empty\.$/],
  ['the file is none', ['-', ...bySku], 'Good morning', 1, null, /neither JSON/],
  ['the service is unreachable', ['-', ...bySku], '[{"sku":"A"}]', 1, 'json', /did not answer/],
  ['the file has nothing', ['-'], '[]', 1, 'json', /^The file has no products: nothing was/],
  ['a store is not named', ['--from', 'woocommerce'], '', 2, 'woocommerce', /WOOCOMMERCE_URL/],
  ['the match is not known', ['-'], '[{"sku":"A"}]', 2, 'json', /^Which field identifies/],
] as const)(
  '`sync --json` prints one document with an error if it fails: %s',
  async (_, words, stdin, expected, format, error) => {
    const { code, stdout, stderr } = await nowhere(['sync', '--json', ...words], { stdin });
    const document = record(JSON.parse(stdout));
    expect([code, document]).toEqual([expected, nothing(format, error)]);
    expect(stderr).toBe(`error: ${String(document['error'])}\n`);
  },
);

it('`sync --json` prints one document with an error if the key is missing', async () => {
  const { code, stdout } = await nowhere(['sync', '-', '--json', ...bySku], {
    env: { BRAND_API_KEY: '' },
  });
  expect([code, JSON.parse(stdout)]).toEqual([2, nothing(null, /BRAND_API_KEY/)]);
});

it('`sync --json` prints one document with an error if a signal comes before anything is read', async () => {
  const stop = new AbortController();
  const openStdin = (): PassThrough => {
    // Nothing comes, and it does not end.
    setImmediate(() => {
      stop.abort();
    });
    return new PassThrough();
  };
  const { code, stdout } = await nowhere(['sync', '-', '--json', ...bySku], {
    signal: stop.signal,
    openStdin,
  });
  expect([code, JSON.parse(stdout)]).toEqual([1, nothing(null, /^Stopped before the end\.$/)]);
}, 10_000);

it('`sync --json` prints its document in the order of the members that the manual shows', async () => {
  const { stdout } = await nowhere(['sync', '-', '--json', ...bySku]);
  expect(Object.keys(record(JSON.parse(stdout)))).toEqual(Object.keys(nothing(null, '')));
});

it('`sync --json` prints no document if the options cannot be understood', async () => {
  const words = ['sync', '-', '--json', '--match', 'colour'];
  const { code, stdout } = await nowhere(words, { stdin: JSON.stringify(items(1)) });
  expect([code, stdout]).toEqual([2, '']);
});
