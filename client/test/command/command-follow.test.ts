import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { BrandClient } from '../../src/index.ts';
import { commandOf } from './commanded.ts';
import { startFaultProxy } from '../../../test/node/fault-proxy.ts';
import type { TakenBrand } from '../../../test/node/pool.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { record, temporaryFolder } from '../../../test/node/processes.ts';

let folder: TemporaryFolder;
let brand: TakenBrand;
let client: BrandClient;
let command: ReturnType<typeof commandOf>;
let state: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  brand = await takeBrand();
  client = new BrandClient(brand);
  command = commandOf(brand);
  state = join(folder.path, 'state.json');
  await client.products.createMany(
    Array.from({ length: 300 }, (_, index) => ({ title: `P ${index}`, priceCents: index })),
  );
});

afterAll(() => folder.remove());

function objectsIn(printed: string): Record<string, unknown>[] {
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => record(JSON.parse(line)));
}

/** The titles of the changed products. */
function titlesIn(printed: string): unknown[] {
  return objectsIn(printed).map(({ changed }) => record(changed)['title']);
}

it('`follow` prints everything first, and then what changed', async () => {
  const first = await command(['follow', '--state', state]);
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(objectsIn(first.stdout)).toHaveLength(300);
  expect(await command(['follow', '--state', state])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });

  const { data } = await client.products.create({ title: 'New', priceCents: 1 });
  const [gone] = objectsIn(first.stdout);
  const id = String(record(gone?.['changed'])['id']);
  await client.products.delete(id);
  const { stdout } = await command(['follow', '--state', state]);
  expect(objectsIn(stdout)).toEqual([{ changed: data }, { deleted: id }]);
});

it('`follow` keeps its token if a full disk takes only a part of the lines, and ends the last one first', async () => {
  const path = join(folder.path, 'full.json');
  const lines = join(folder.path, 'lines.ndjson');
  const limited = async (limit: string, words = ''): Promise<number | null> => {
    // A file may have so many KiB, as if the disk were full.
    const shell = `ulimit -f ${limit}; "${inject('command')}" follow --state "${path}" ${words} >> "${lines}"`;
    const env = { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl };
    const child = spawn('bash', ['-c', shell], { env, stdio: 'ignore' });
    await once(child, 'exit');
    return child.exitCode;
  };
  expect(await limited('64')).not.toBe(0);
  expect(existsSync(path)).toBe(false);
  const cut = await readFile(lines, 'utf8');
  expect(cut).not.toMatch(/\n$/);
  expect(await limited('unlimited')).toBe(0);
  const all = await readFile(lines, 'utf8');
  expect(all.slice(0, cut.length + 1)).toBe(`${cut}\n`);
  expect(objectsIn(all.slice(cut.length + 1))).toHaveLength(300);
  // The last line has its end now.
  const { data } = await client.products.create({ title: 'After', priceCents: 1 });
  expect(await limited('unlimited')).toBe(0);
  expect(titlesIn((await readFile(lines, 'utf8')).slice(all.length))).toEqual(['After']);
  // Nothing at all fits: what would replace the state does not stay beside it.
  expect(await limited('0')).not.toBe(0);
  expect((await readdir(folder.path)).filter((name) => name.startsWith('full.json'))).toEqual([
    'full.json',
  ]);
  // Nor does a part of a page that is for a program.
  expect(await limited('64', '--reset --exec cat')).not.toBe(0);
  expect(existsSync(`${path}.page`)).toBe(false);
  await client.products.delete(data.id);
});

it('`follow` reports what was deleted after a first page whose token was not saved', async () => {
  const path = join(folder.path, 'begun.json');
  const first = await client.products.create({ title: 'Gone', priceCents: 1 });
  const [state, begun] = [path, `${path}.begun`];
  const before = await command(['follow', '--state', state]);
  expect(titlesIn(before.stdout)).toContain('Gone');
  const token = await readFile(state, 'utf8');
  // As after a kill between the lines and the token.
  await rename(state, begun);
  await client.products.delete(first.data.id);
  const { stdout } = await command(['follow', '--state', state]);
  expect(objectsIn(stdout)).toContainEqual({ deleted: first.data.id });
  expect(existsSync(begun)).toBe(false);
  expect(await readFile(state, 'utf8')).not.toBe(token);
});

it('`follow` keeps a link that leads to its state, also to one that is not there yet', async () => {
  const [target, link] = [join(folder.path, 'target.json'), join(folder.path, 'link.json')];
  await symlink('target.json', link);
  for (let times = 0; times < 2; times++) {
    expect((await command(['follow', '--state', link])).code).toBe(0);
  }
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(record(JSON.parse(await readFile(target, 'utf8')))['collection']).toBe('products');
});

it('`follow` keeps a link in a folder that is reached by a link', async () => {
  const inner = join(folder.path, 'outer', 'inner');
  await mkdir(inner, { recursive: true });
  await symlink(inner, join(folder.path, 'short'));
  await symlink('../there.json', join(inner, 'link.json'));
  const { code } = await command(['follow', '--state', join(folder.path, 'short', 'link.json')]);
  expect(code).toBe(0);
  expect(existsSync(join(folder.path, 'outer', 'there.json'))).toBe(true);
});

it('`follow` does not stumble over another one with the same state', async () => {
  const path = join(folder.path, 'two.json');
  const runs = await Promise.all([1, 2, 3].map(() => command(['follow', '--state', path])));
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
});

it('`follow` goes on until it is interrupted, through a failure of the service', async () => {
  const stop = new AbortController();
  const path = join(folder.path, 'every.json');
  let polls = 0;
  const { code, stdout, stderr } = await command(['follow', '--state', path, '--every', '0.01'], {
    signal: stop.signal,
    fetch: async (...request) => {
      // The first load has two pages.
      polls++;
      if (polls === 5) stop.abort();
      return polls === 3
        ? Response.json({ error: 'Internal server error.' }, { status: 500 })
        : fetch(...request);
    },
  });
  expect([code, objectsIn(stdout).length, stderr]).toEqual([
    1,
    300,
    'error: Internal server error.\nerror: Stopped before the end.\n',
  ]);
});

it('`follow` loses nothing if it is killed between two pages', async () => {
  const path = join(folder.path, 'killed.json');
  const proxy = await startFaultProxy(brand.baseUrl);
  const env = { ...process.env, BRAND_API_KEY: brand.apiKey, BRAND_API_URL: proxy.url };
  const child = spawn(inject('command'), ['follow', '--state', path], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let pages = 0;
  proxy.fault = (request, pass) => {
    if (++pages === 2) child.kill('SIGKILL');
    return pass(request);
  };
  const [before] = await Promise.all([text(child.stdout), once(child, 'close')]);
  proxy.stop();
  const after = await command(['follow', '--state', path, '--url', proxy.url], {
    fetch: toService,
  });
  expect(objectsIn(before)).toHaveLength(250);
  expect(new Set([...titlesIn(before), ...titlesIn(after.stdout)]).size).toBe(300);
  expect(objectsIn(after.stdout)).toHaveLength(50);
});

/** Sends what goes to the proxy, which has ended, to the service. */
function toService(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  return fetch(brand.baseUrl + pathname + search, init);
}

it.each([5, null, '', ['t'], 'a b', 'x'.repeat(1001)])(
  '`follow` refuses an answer whose token is none, and prints nothing of it: %j',
  async (since) => {
    const path = join(folder.path, 'strange.json');
    const page = { products: [{ id: '1' }], deletedProductIds: [], since };
    const { code, stdout, stderr } = await command(['follow', '--state', path], {
      fetch: () => Promise.resolve(Response.json(page)),
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: The response has no (token|since)\. /);
    expect(existsSync(path)).toBe(false);
  },
);

it('`follow` refuses a state that cannot be written, before it prints anything', async () => {
  // The name of the file beside it, which replaces it, is too long.
  const path = join(folder.path, 's'.repeat(240));
  await copyFile(state, path);
  for await (const { id } of client.products.list({ handle: 'p-1' })) {
    await client.products.update(id, { priceCents: 9 });
  }
  const { code, stdout, stderr } = await command(['follow', '--state', path]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/cannot be written: its name is too long\.\n$/);
});

it('`follow` refuses a token that is no longer good, until --reset', async () => {
  const fetch410 = (): Promise<Response> =>
    Promise.resolve(Response.json({ error: 'This token is no longer good.' }, { status: 410 }));
  const before = await readFile(state, 'utf8');
  const { code, stdout, stderr } = await command(['follow', '--state', state], {
    fetch: fetch410,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: The token in .* start again with --reset\.\n$/);
  expect(await readFile(state, 'utf8')).toBe(before);
  const again = await command(['follow', '--state', state, '--reset']);
  expect([again.code, objectsIn(again.stdout).length]).toEqual([0, 300]);
});

it.each([
  '',
  '\0\0\0',
  '{"url":"http://local',
  '{"url":"x","collection":"products","since":5}',
  '{"url":"x","collection":"products","since":""}',
  '{"url":["x"],"collection":"products","since":"0"}',
])('`follow` refuses a state file with other content, until --reset: %s', async (content) => {
  const path = join(folder.path, 'damaged.json');
  await writeFile(path, content);
  const refused = await command(['follow', '--state', path]);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(
    /^error: .*damaged\.json is empty or damaged\. Start again with --reset\.\n$/,
  );
  const { code, stdout } = await command(['follow', '--state', path, '--reset']);
  expect([code, objectsIn(stdout).length]).toEqual([0, 300]);
});

it('`follow` refuses the state of another service, collection or brand, and any other file', async () => {
  const other = commandOf(await takeBrand());
  const elsewhere = ['--url', `${brand.baseUrl}/elsewhere`];
  const file = join(folder.path, 'products.json');
  await writeFile(file, '[]');
  for (const [run, words, sentence] of [
    [command, [...elsewhere, '--state', state], /is the state of products of http/],
    [command, ['--collection', 'coupon-codes', '--state', state], /is the state of products of/],
    [other, ['--state', state], /belongs to another brand/],
    [command, ['--reset', '--state', file], /is not a state file of this command/],
    [command, ['--state', join(folder.path, 'no', 'state')], /cannot be written: there is no/],
    [command, ['--state', folder.path], /it is a folder\. Name another file\.\n$/],
    [
      command,
      ['--reset', '--state', '/dev/null'],
      /\/dev\/null: it is no regular file\. Name another/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await run(['follow', ...words]);
    expect(stderr).toMatch(sentence);
    expect([code, stdout]).toEqual([1, '']);
  }
  expect(await readFile(file, 'utf8')).toBe('[]');
});

it.each([
  [[], /required option '--state <file>' not specified/],
  [['--state', 'x', '--every', '0'], /a number of seconds/],
  [['--state', 'x', '--every', 'hour'], /a number of seconds/],
])('`follow` refuses wrong options: %j', async (words, sentence) => {
  const { code, stderr } = await command(['follow', ...words]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});
