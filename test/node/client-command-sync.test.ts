import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import { runCommand } from '../../client/src/command/command.ts';
import type { Special } from './commanded.ts';
import { commandOf } from './commanded.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { all } from './outcomes.ts';
import type { TakenBrand } from './pool.ts';
import { takeBrand } from './pool.ts';
import type { Finished, TemporaryFolder } from './processes.ts';
import { temporaryFolder } from './processes.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

const item = (sku: string, priceCents = 1): { sku: string; title: string; priceCents: number } => ({
  sku,
  title: `Product ${sku}`,
  priceCents,
});
const items = (count: number, priceCents = 1): ReturnType<typeof item>[] =>
  Array.from({ length: count }, (_, index) => item(`S-${index}`, priceCents));

/** A brand of a test, and the command with its key. */
interface Shop {
  readonly brand: TakenBrand;
  readonly client: BrandClient;
  readonly products: () => Promise<Product[]>;
  readonly skus: () => Promise<(string | null)[]>;
  /** Runs `sync -`, which reads the text, or the items as JSON. */
  readonly sync: (
    content: string | readonly object[],
    words?: readonly string[],
    special?: Special,
  ) => Promise<Finished>;
  readonly command: ReturnType<typeof commandOf>;
}

async function shop(products: readonly ReturnType<typeof item>[] = []): Promise<Shop> {
  const brand = await takeBrand();
  const client = new BrandClient(brand);
  const command = commandOf(brand);
  await client.products.push(products, { match: 'sku' });
  const list = (): Promise<Product[]> => all(client.products.list());
  return {
    brand,
    client,
    command,
    products: list,
    skus: async () => (await list()).map(({ sku }) => sku),
    sync: (content, words = ['--match', 'sku'], special = {}) => {
      const stdin = typeof content === 'string' ? content : JSON.stringify(content);
      return command(['sync', '-', ...words], { stdin, ...special });
    },
  };
}

/** Lines of an export of Shopify. */
function shopify(...lines: readonly string[]): string {
  return ['Handle,Title,Variant SKU,Variant Price', ...lines].join('\n');
}

describe('sync', () => {
  it.each(['ndjson', 'json', 'csv'])(
    'of what list prints as %s changes nothing',
    async (format) => {
      const { client, products, command, sync } = await shop();
      await client.products.createMany([
        { title: '=1+1', priceCents: 1, sku: 'A', description: ' two\nlines, "quoted"\t' },
        { title: 'ü', priceCents: 0, storeProductId: 'gid://shopify/Product/1', featured: true },
        { title: 'B', priceCents: 9, imageUrls: ['https://e.org/a,b', 'https://e.org/c'] },
      ]);
      await client.couponCodes.create({ code: '-TEN', discountPercent: 10.25, active: false });
      const before = [await products(), await all(client.couponCodes.list())];
      for (const words of [[], ['--collection', 'coupon-codes']]) {
        const { stdout } = await command(['list', '--format', format, ...words]);
        const result = await sync(stdout, ['--match', 'id', '--delete', ...words]);
        const count = words.length === 0 ? 3 : 1;
        expect(result).toEqual({
          code: 0,
          stdout: `0 created, 0 updated, ${count} unchanged, 0 deleted.\n`,
          stderr: '',
        });
      }
      expect([await products(), await all(client.couponCodes.list())]).toEqual(before);
    },
  );

  it('creates, updates and deletes, and reports in a dry run what it would do', async () => {
    const { sync, skus } = await shop(items(5));
    const wanted = [...items(4, 2).slice(1), item('N')];
    const words = ['--match', 'sku', '--delete'];
    const counts = '1 created, 3 updated, 0 unchanged, 2 deleted.\n';
    const dry = await sync(wanted, [...words, '--dry-run']);
    expect(dry).toEqual({ code: 0, stdout: `Would be: ${counts}`, stderr: '' });
    expect(await skus()).toHaveLength(5);
    expect(await sync(wanted, words)).toEqual({ code: 0, stdout: counts, stderr: '' });
    expect(await skus()).toEqual(['S-1', 'S-2', 'S-3', 'N']);
  });

  const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, withheld: 0 };
  const lists = { kept: [], skipped: [], refused: [] };
  const unreadable: unknown = expect.stringContaining('free');
  const refusal: unknown = expect.stringMatching(/^priceCents: /);

  it.each([
    ['json', JSON.stringify({ products: items(2) }), 'sku', 0, { created: 2 }],
    [
      'ndjson',
      items(2)
        .map((one) => JSON.stringify(one))
        .join('\n'),
      'sku',
      0,
      { created: 2 },
    ],
    ['csv', 'sku,title,priceCents\nA,B,1\n', 'sku', 0, { created: 1 }],
    ['shopify', shopify('a,A,S,1.50'), undefined, 0, { created: 1 }],
    [
      'shopify',
      shopify('a,A,S,1.50', 'b,B,T,free'),
      'sku',
      1,
      { created: 1, skipped: [{ key: 'T', reason: unreadable }] },
    ],
    [
      'json',
      JSON.stringify([item('A'), item('B', -1)]),
      'sku',
      1,
      { created: 1, refused: [{ key: 'B', error: refusal }] },
    ],
  ])('--json reports %s: %s', async (format, content, match, expected, report) => {
    const { sync } = await shop();
    const words = match === undefined ? [] : ['--match', match];
    const { code, stdout, stderr } = await sync(content, ['--json', ...words]);
    expect([code, stderr]).toEqual([expected, '']);
    const document: unknown = JSON.parse(stdout);
    expect(document).toEqual({ format, dryRun: false, ...none, ...lists, ...report });
  });

  it('--json prints nothing beside the document, because cron would mail it', async () => {
    const { sync } = await shop();
    const header = 'Handle,Title,Variant SKU,Variant Price,Variant Compare At Price';
    const { code, stdout, stderr } = await sync(`${header}\na,A\u0099,S,1.50,2.00`, ['--json']);
    expect([code, JSON.parse(stdout), stderr]).toEqual([
      0,
      { format: 'shopify', dryRun: false, ...none, ...lists, created: 1 },
      '',
    ]);
  });

  it('keeps the exit code if nobody reads its report', async () => {
    const { brand, skus } = await shop();
    const path = join(folder.path, 'one.json');
    await writeFile(path, JSON.stringify([item('A'), item('B', -1)]));
    const closed = new Writable({
      write: (_chunk, _encoding, done) => {
        done(Object.assign(new Error('closed'), { code: 'EPIPE' }));
      },
    });
    const code = await runCommand(['sync', path, '--match', 'sku'], {
      env: { BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl },
      stdin: process.stdin,
      stdout: closed,
      stderr: closed,
      signal: new AbortController().signal,
    });
    expect([code, await skus()]).toEqual([1, ['A']]);
  });
});

describe('sync --delete', () => {
  it('withholds all deletions if too much is missing, does the rest, and says what to do', async () => {
    const { sync, skus } = await shop(items(100));
    const wanted = [...items(88), item('N')];
    const words = ['--match', 'sku', '--delete'];
    const counts = '1 created, 0 updated, 88 unchanged, 0 deleted.\n';
    const advice =
      'nothing was deleted. Check the file; if it is right, run it again with --max-delete 12.\n';
    const byDefault = await sync(wanted, words);
    expect(byDefault).toEqual({
      code: 1,
      stdout: `12 of 100 products are missing from the file, more than 10, and more than 10%: ${advice}${counts}`,
      stderr: '',
    });
    const strict = await sync(wanted, [...words, '--max-delete', '11%']);
    expect(strict.stdout).toMatch(
      /^12 of 101 products are missing from the file, more than --max-delete 11%: /,
    );
    expect(await skus()).toHaveLength(101);
    const done = await sync(wanted, [...words, '--max-delete', '12']);
    expect([done.code, done.stdout]).toEqual([
      0,
      '0 created, 0 updated, 89 unchanged, 12 deleted.\n',
    ]);
  });

  it('withholds them if the file is empty, or a row may mean any product', async () => {
    const { sync, skus } = await shop(items(3));
    const words = ['--match', 'sku', '--delete', '--max-delete', '100%'];
    const empty = await sync('[]', words);
    expect([empty.code, empty.stdout.split('\n')[0]]).toEqual([
      1,
      'The file has no products, so nothing was deleted. Check where it comes from.',
    ]);
    const unclear = await sync(`${JSON.stringify(item('S-0'))}\n{"sku":"S-1`, words);
    expect(unclear.code).toBe(1);
    expect(unclear.stdout).toContain('2 of 3 products are missing from the file, but some of its');
    expect(await skus()).toHaveLength(3);
  });

  it('withholds them if the service accepts nothing of the file', async () => {
    const { sync, skus } = await shop(items(3));
    const words = ['--match', 'sku', '--delete', '--max-delete', '100%'];
    const { code, stdout } = await sync('[{"sku":"error","title":""}]', words);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('no products that the service accepts'),
    ]);
    expect(await skus()).toHaveLength(3);
  });

  it('deletes only what the file is responsible for, and nothing that it skips', async () => {
    const { sync, client, products } = await shop();
    const source = { priceCents: 1, source: 'SHOPIFY' };
    await client.products.createMany([
      { ...source, title: 'In file' },
      { ...source, title: 'Unreadable' },
      { ...source, title: 'Gone' },
      { ...source, title: 'Draft', storeStatus: 'DRAFT' },
      { ...source, title: 'By hand', source: 'API' },
    ]);
    const file = shopify('in-file,In file,,0.01', 'unreadable,Unreadable,,free');
    const words = ['--delete', '--only', 'storeStatus=null', '--max-delete', '1'];
    const { code, stdout } = await sync(file, words);
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      1,
      '0 created, 0 updated, 1 unchanged, 1 deleted, 1 skipped.',
    ]);
    const left = (await products()).map(({ handle }) => handle);
    expect(left).toEqual(['in-file', 'unreadable', 'draft', 'by-hand']);
  });

  it.each([
    ['source=WOO', 'The service has no products with source=WOO (--only): none is deleted.\n'],
    ['source=API', ''],
  ])('says if nothing has what --only names: %s', async (only, note) => {
    const { sync } = await shop(items(2));
    const words = ['--match', 'sku', '--delete', '--only', only];
    const deleted = note === '' ? 1 : 0;
    const counts = `0 created, 0 updated, 1 unchanged, ${deleted} deleted.\n`;
    expect(await sync(items(1), words)).toEqual({ code: 0, stdout: note + counts, stderr: '' });
    const empty = await shop();
    const first = await empty.sync(items(1), words);
    expect(first.stdout).toBe('1 created, 0 updated, 0 unchanged, 0 deleted.\n');
  });

  it('keeps what was changed after the file was written, which is no failure', async () => {
    const { command, skus } = await shop(items(2));
    const path = join(folder.path, 'old.json');
    await writeFile(path, JSON.stringify(items(1)));
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(path, hourAgo, hourAgo);
    const words = ['sync', path, '--match', 'sku', '--delete'];
    const kept = await command(words);
    expect([kept.code, kept.stdout]).toEqual([
      0,
      'kept: S-1: it was changed after the items were read\n0 created, 0 updated, 1 unchanged, 0 deleted, 1 kept.\n',
    ]);
    const now = new Date().toISOString();
    expect((await command([...words, '--read-at', now])).code).toBe(0);
    expect(await skus()).toEqual(['S-0']);
  });
});

describe('sync refuses', () => {
  const json = JSON.stringify(items(1));

  it.each([
    [json, [], 2, /Which field identifies products\? Use --match with one of id, /],
    [json, ['--match', 'colour'], 2, /--match is one of id, /],
    [json, ['--match', 'sku', '--max-delete', '5'], 2, /--max-delete needs --delete/],
    [json, ['--match', 'sku', '--only', 'sku=A'], 2, /--only needs --delete/],
    [json, ['--match', 'sku', '--read-at', '2026-01-31T09:30:00Z'], 2, /--read-at needs --delete/],
    [json, ['--match', 'sku', '--currency', 'EUR'], 2, /--currency is for exports.* is JSON/],
    ['sku\nA', ['--match', 'sku', '--decimal-comma'], 2, /--decimal-comma is for exp.* is CSV/],
    [json, ['--match', 'sku', '--variants', 'first'], 2, /--variants is for exports/],
    [json, ['--currency', 'euro'], 2, /a currency code such as EUR/],
    [json, ['--delete', '--max-delete', '101%'], 2, /a share such as 10%/],
    [json, ['--delete', '--max-delete', '-1'], 2, /a number such as 25/],
    [json, ['--delete', '--max-delete', 'many'], 2, /a number such as 25/],
    [json, ['--delete', '--match', 'sku', '--only', 'color=red'], 2, /have no such field/],
    [json, ['--delete', '--read-at', '2026-01-31'], 2, /a time in the past such as/],
    [json, ['--delete', '--read-at', '2126-01-31T00:00:00Z'], 2, /a time in the past such as/],
    ['Good morning', ['--match', 'sku'], 1, /The file is neither JSON/],
    ['[{"sku":', ['--match', 'sku'], 1, /is not valid JSON/],
    ['sku,title\nA,"a', ['--match', 'sku'], 1, /valid CSV: Quote Not Closed: [^:]+\.\n$/],
  ] as const)('%j with %j', async (stdin, words, expected, sentence) => {
    const nowhere = commandOf({ apiKey: `bik_${'0'.repeat(49)}`, baseUrl: 'http://127.0.0.1:4' });
    const { code, stdout, stderr } = await nowhere(['sync', '-', ...words], { stdin });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^error: [^\n]+\n(?:\([^\n]+\)\n)*$/);
    expect([code, stdout]).toEqual([expected, '']);
  });

  it.each([
    ['nowhere.csv', 'there is no such file or folder'],
    ['.', 'it is a folder'],
    ['file/products.csv', 'a part of its path is no folder'],
    ['loop', 'its links lead back to themselves'],
    ['x'.repeat(300), 'its name is too long'],
  ])('the file %s', async (name, reason) => {
    const { command } = await shop();
    await writeFile(join(folder.path, 'file'), '');
    await symlink('loop', join(folder.path, 'loop')).catch(() => undefined);
    const path = join(folder.path, name);
    const refused = { code: 1, stdout: '', stderr: `error: ${path}: ${reason}.\n` };
    expect(await command(['sync', path])).toEqual(refused);
  });

  it('a dry run that npm kept for itself', async () => {
    const { command } = await shop();
    const env = { npm_config_dry_run: 'true' };
    const kept = await command(['sync', '-', '--match', 'sku'], { env, stdin: json });
    expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('npm kept --dry-run')]);
  });
});

describe('sync ends early', () => {
  it('before its next request, a deletion too', async () => {
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
    expect(stderr).toContain('Stopped before the end.');
    expect(sent).toEqual(['GET', 'POST']);
    expect(await skus()).toHaveLength(3);
  });

  it('while it reads: nothing is done', async () => {
    const { sync, skus } = await shop(items(2));
    const stop = new AbortController();
    const { code, stdout, stderr } = await sync([item('N')], undefined, {
      signal: stop.signal,
      fetch: async (...request) => {
        stop.abort();
        return fetch(...request);
      },
    });
    expect([code, stdout, stderr]).toEqual([1, '', 'error: Stopped before the end.\n']);
    expect(await skus()).toHaveLength(2);
  });

  it.each([[[]], [['--json']]])(
    'after a failure, and reports what was done before, with %j',
    async (words) => {
      const { sync, skus } = await shop();
      const error = 'This API key is read-only.';
      let requests = 0;
      const { code, stdout, stderr } = await sync(items(600), ['--match', 'sku', ...words], {
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

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'between two requests at %s, in a program without a terminal',
    async (signal) => {
      const { brand, skus } = await shop();
      const path = join(folder.path, `${signal}.json`);
      await writeFile(path, JSON.stringify(items(1100)));
      const proxy = await startFaultProxy(brand.baseUrl);
      const env = { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: proxy.url };
      const words = ['sync', path, '--match', 'sku'];
      const child = spawn('client/bin/brand-integration.js', words, {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let posts = 0;
      proxy.fault = async (request, pass) => {
        if (request.method === 'POST' && ++posts === 2) child.kill(signal);
        return pass(request);
      };
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      proxy.stop();
      expect([child.exitCode, stdout, stderr]).toEqual([
        1,
        '1000 created, 0 updated, 0 unchanged.\n',
        'error: Stopped before the end. Run it again to continue.\n',
      ]);
      expect(await skus()).toHaveLength(1000);
    },
  );
});
