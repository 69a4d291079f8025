import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { item, items } from '../items.ts';
import { shop, shopify } from './command-shop.ts';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { temporaryFolder } from '../../../test/node/processes.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

it('`sync --delete` withholds all deletions if too much is missing, does the rest, and says what to do', async () => {
  const { sync, skus } = await shop(items(100));
  const wanted = [...items(88), item('N')];
  const words = ['--match', 'sku', '--delete'];
  const counts = '1 created, 0 updated, 88 unchanged, 0 deleted.\n';
  const advice =
    'nothing was deleted. Check the file; if it is right, run it again with --max-delete 12.\n';
  const byDefault = await sync(wanted, words);
  expect(byDefault).toEqual({
    code: 1,
    stdout: `12 of 100 products are missing from the file, and at most 10 may be deleted at once: ${advice}${counts}`,
    stderr: '',
  });
  const strict = await sync(wanted, [...words, '--max-delete', '11%']);
  expect(strict.stdout).toMatch(
    /^12 of 101 products are missing from the file, and at most 11 may be deleted at once \(--max-delete 11%\): /,
  );
  expect(await skus()).toHaveLength(101);
  const done = await sync(wanted, [...words, '--max-delete', '12']);
  expect([done.code, done.stdout]).toEqual([
    0,
    '0 created, 0 updated, 89 unchanged, 12 deleted.\n',
  ]);
});

it('`sync --delete` withholds all deletions if the file is empty', async () => {
  const { sync, skus } = await shop(items(3));
  const words = ['--match', 'sku', '--delete', '--max-delete', '100%'];
  const empty = await sync('[]', words);
  expect([empty.code, empty.stdout.split('\n')[0]]).toEqual([
    1,
    'The file has no products, so nothing was deleted. Check where it comes from.',
  ]);
  expect(await skus()).toHaveLength(3);
});

it('`sync --delete` withholds all deletions if the service accepts nothing of the file', async () => {
  const { sync, skus } = await shop(items(3));
  const words = ['--match', 'sku', '--delete', '--max-delete', '100%'];
  const { code, stdout } = await sync('[{"sku":"error","title":""}]', words);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('no products that the service accepts'),
  ]);
  expect(await skus()).toHaveLength(3);
});

it('`sync --delete` deletes only what the file is responsible for, and nothing that it skips', async () => {
  const { sync, client, products } = await shop();
  const source = { priceCents: 1, source: 'SHOPIFY' };
  await client.products.createMany([
    { ...source, title: 'In file' },
    { ...source, title: 'Unreadable' },
    { ...source, title: 'Gone' },
    { ...source, title: 'Draft', storeStatus: 'DRAFT' },
    { ...source, title: 'By hand', source: 'API' },
  ]);
  const file = shopify('in-file,In file,,0.01', 'unreadable,Unreadable,,1', 'unreadable,Other,,1');
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
  [
    'source=WOO',
    'None of the products in the service that the source may delete has source=WOO (--only): none is deleted.\n',
  ],
  ['source=API', ''],
])('`sync --delete` says if nothing has what --only names: %s', async (only, note) => {
  const { sync } = await shop(items(2));
  const words = ['--match', 'sku', '--delete', '--only', only];
  const deleted = note === '' ? 1 : 0;
  const counts = `0 created, 0 updated, 1 unchanged, ${deleted} deleted.\n`;
  expect(await sync(items(1), words)).toEqual({ code: 0, stdout: note + counts, stderr: '' });
  const empty = await shop();
  const first = await empty.sync(items(1), words);
  expect(first.stdout).toBe('1 created, 0 updated, 0 unchanged, 0 deleted.\n');
});

it('`sync --delete` keeps what was changed after the file was written, which is no failure', async () => {
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

it.each([[[]], [['--dry-run']]])(
  'A file that is still being written deletes nothing: %j',
  async (words) => {
    const all = items(12);
    const { command, skus } = await shop(all);
    const path = join(folder.path, 'growing.ndjson');
    const lines = all.map((one) => `${JSON.stringify(one)}\n`);
    const written = lines.slice(0, 10).join('');
    await writeFile(path, written);
    // What was created in the millisecond in which a file was read is kept.
    const created = Date.now();
    await vi.waitUntil(() => Date.now() > created, { interval: 1 });
    const readAt = new Date().toISOString();
    const sync = ['sync', path, '--match', 'sku', '--delete', '--read-at', readAt, ...words];
    const { code, stderr } = await command(sync, {
      fetch: async (...request) => {
        await writeFile(path, lines.join(''));
        return fetch(...request);
      },
    });
    expect([code, stderr]).toEqual([
      1,
      `error: ${path} has changed since it was read, so it may not have been complete. Run it again when all of it is written.\n`,
    ]);
    expect(await skus()).toEqual(all.map(({ sku }) => sku));
  },
);
