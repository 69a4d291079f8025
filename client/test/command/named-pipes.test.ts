import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import type { TakenBrand } from '../../../test/node/pool.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { run, runWith, temporaryFolder } from '../../../test/node/processes.ts';
import { BrandClient } from '../../src/index.ts';
import { STOP_LIMIT } from './stopping.ts';

// The system waits for the other end of a named pipe, for ever, and no signal ends that.

const COMMAND = inject('command');

let folder: TemporaryFolder;
let pipe: string;
let brand: TakenBrand;
let variables: Readonly<Record<string, string>>;

beforeEach(async () => {
  folder = await temporaryFolder();
  pipe = join(folder.path, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  brand = await takeBrand();
  variables = { BRAND_API_KEY: brand.apiKey, BRAND_API_URL: brand.baseUrl };
});

afterEach(() => folder.remove());

it.each([
  ['read', () => ['read', pipe]],
  ['sync', () => ['sync', pipe, '--json']],
])(
  'A named pipe that nobody writes to does not keep a signal from ending the command: %s',
  async (_, words) => {
    const child = spawn(COMMAND, words(), { env: { ...process.env, ...variables } });
    await setTimeout(1500);
    child.kill('SIGTERM');
    const late = AbortSignal.timeout(STOP_LIMIT);
    const ended = await once(child, 'exit', { signal: late }).finally(() => child.kill('SIGKILL'));
    expect(ended).toEqual([1, null]);
  },
);

it('A named pipe is read to its end, however slowly it is written', async () => {
  const lines = Array.from({ length: 3000 }, (_, at) => JSON.stringify({ sku: `S-${at}` }));
  const half = `${lines.slice(0, 1500).join('\n')}\n`;
  const rest = `${lines.slice(1500).join('\n')}\n`;
  await writeFile(join(folder.path, 'half'), half);
  await writeFile(join(folder.path, 'rest'), rest);
  const writing = `(sleep 0.5; cat half; sleep 0.5; cat rest) > pipe & exec "$0" read pipe --match sku`;
  const read = await run('env', '-C', folder.path, 'sh', '-c', writing, COMMAND);
  expect([read.code, read.stderr, read.stdout]).toEqual([0, '', half + rest]);
});

it('A named pipe has no time of its own: what it gives was read now', async () => {
  await promisify(execFile)('touch', ['-d', '2 days ago', pipe]);
  const start = Date.now();
  const words = `(echo '{"sku":"A","title":"A","priceCents":1}' > "$1") & exec "$0" sync "$1" --match sku --record`;
  const { code, stderr } = await runWith(variables, 'sh', '-c', words, COMMAND, pipe);
  expect([code, stderr]).toEqual([0, '']);
  const { connection } = (await new BrandClient(brand).profile.get()).data;
  expect(Date.parse(connection.lastProductsSyncAt ?? '')).toBeGreaterThanOrEqual(start);
});

it('A named pipe of a shell that gives nothing is an empty file', async () => {
  const { code, stderr } = await run('bash', '-c', `"$0" read <(true)`, COMMAND);
  expect([code, stderr]).toEqual([1, expect.stringContaining('empty')]);
});

it('A named pipe in place of the page of `follow` is removed', async () => {
  await new BrandClient(brand).products.create({ title: 'A', priceCents: 1 });
  await promisify(execFile)('mkfifo', [join(folder.path, 'state.page')]);
  const followed = await runWith(
    variables,
    'timeout',
    '--signal=KILL',
    '60',
    COMMAND,
    'follow',
    '--state',
    join(folder.path, 'state'),
    '--exec',
    'cat',
  );
  expect([followed.code, followed.stderr]).toEqual([0, '']);
  expect(followed.stdout).toContain('"title":"A"');
});

it('A device, which has nothing to keep, takes the lines of follow', async () => {
  await new BrandClient(brand).products.create({ title: 'A', priceCents: 1 });
  const state = join(folder.path, 'state');
  const words = `"$0" follow --state "${state}" > /dev/null`;
  const { code, stderr } = await runWith(variables, 'sh', '-c', words, COMMAND);
  expect([code, stderr]).toEqual([0, '']);
  const full = await runWith(
    variables,
    'sh',
    '-c',
    `"$0" follow --reset --state "${state}" > /dev/full`,
    COMMAND,
  );
  expect([full.code, full.stderr]).toEqual([
    1,
    expect.stringMatching(/output is not complete.*space/),
  ]);
});
