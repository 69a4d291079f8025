import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrandClient } from '../../src/index.ts';
import type { TakenBrand } from '../../../test/node/pool.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { temporaryFolder } from '../../../test/node/processes.ts';
import { items } from '../items.ts';
import type { Running, Start } from './follow-exec.ts';
import { commandIn } from './follow-exec.ts';
import { STOP_LIMIT } from './stopping.ts';
import { all } from '../outcomes.ts';
import { random } from '../../../test/support/random.ts';

let folder: TemporaryFolder;
let brand: TakenBrand;
let client: BrandClient;
let start: Start;

beforeAll(async () => {
  folder = await temporaryFolder();
  brand = await takeBrand();
  client = new BrandClient(brand);
  await client.products.push(items(3), { match: 'sku' });
  start = commandIn(folder.path, brand);
});

afterAll(() => folder.remove());

beforeEach(async () => {
  for (const name of ['state', 'lines', 'ids']) {
    await rm(join(folder.path, name), { force: true });
  }
  await writeFile(join(folder.path, 'hold'), '');
});

/** Runs `follow` to its end. */
async function follow(command: string, ...words: string[]): Promise<[number | null, string]> {
  const run = start(['follow', '--state', 'state', '--exec', command, ...words]);
  const code = await run.exit();
  return [code, run.printed()];
}

const inFolder = (name: string): Promise<string> => readFile(join(folder.path, name), 'utf8');

/** The part of a program that waits for `release`. */
const HOLD = 'while [ -e hold ]; do sleep 0.05; done';

const release = (): Promise<void> => rm(join(folder.path, 'hold'));

/** Waits until something is true. */
async function until(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue, { interval: 20 }).toBe(true);
}

it('`follow --exec` gives each page to a program, and passes through what it prints', async () => {
  expect(await follow('cat >> lines; echo out; echo err >&2')).toEqual([
    0,
    expect.stringMatching(/^(out\nerr|err\nout)\n$/),
  ]);
  expect((await inFolder('lines')).trim().split('\n')).toHaveLength(3);
  // Nothing has changed, so nothing is started.
  expect(await follow('echo started')).toEqual([0, '']);
});

it('`follow --exec` saves the token only if the program exits with 0', async () => {
  const failed = 'error: The program ended with exit code 7. Its lines come again.\n';
  expect(await follow('exit 7')).toEqual([1, failed]);
  expect(existsSync(join(folder.path, 'state'))).toBe(false);
  // It does not read its lines.
  expect(await follow('true')).toEqual([0, '']);
  const state = await inFolder('state');
  await client.products.push(items(1, 5), { match: 'sku' });
  expect(await follow('kill -9 $$')).toEqual([
    1,
    'error: The program was ended by SIGKILL. Its lines come again.\n',
  ]);
  expect(await follow('exit 7', '--reset')).toEqual([1, failed]);
  expect(await inFolder('state')).toBe(state);
  expect(await follow('cat')).toEqual([
    0,
    expect.stringMatching(/^\{"changed":.*"sku":"S-0".*\n$/),
  ]);
});

it('`follow --exec` sends the same page again after the pause, with --every', async () => {
  const program = 'echo x >> ids; cat > lines; test $(wc -l < ids) -ge 3';
  const run = start(['follow', '--state', 'state', '--every', '0.05', '--exec', program]);
  await until(() => existsSync(join(folder.path, 'state')));
  run.child.kill('SIGTERM');
  expect(await run.exit()).toBe(1);
  const again = 'error: The program ended with exit code 1. Its lines come again.\n';
  expect(run.printed()).toBe(`${again}${again}error: Stopped before the end.\n`);
  expect((await inFolder('lines')).trim().split('\n')).toHaveLength(3);
});

it('`follow --exec` waits for what its own program left behind, with --every', async () => {
  const program = 'echo start >> ids; (sleep 1; echo end >> ids) & kill -9 $$';
  const run = start(['follow', '--state', 'state', '--every', '0.05', '--exec', program]);
  let lines: string[] = [];
  while (lines.length < 4) {
    await setTimeout(20);
    lines = (await inFolder('ids').catch(() => '')).split('\n');
  }
  run.child.kill('SIGTERM');
  await run.exit();
  expect(lines.slice(0, 3)).toEqual(['start', 'end', 'start']);
});

it('`follow --exec` gives the whole page to the program, also if it is killed then', async () => {
  const program = `echo $$ > ids; ${HOLD}; cat > read; mv read lines`;
  const run = start(['follow', '--state', 'state', '--exec', program]);
  await until(() => existsSync(join(folder.path, 'ids')));
  run.child.kill('SIGKILL');
  await run.exit();
  await release();
  await until(() => existsSync(join(folder.path, 'lines')));
  expect((await inFolder('lines')).trim().split('\n')).toHaveLength(3);
});

it.each([`${HOLD}; echo left >> lines`, `(${HOLD}; echo left >> lines) & exit 0`])(
  '`follow --exec` waits for the program that a killed run left behind: %s',
  async (rest) => {
    const run = start(['follow', '--state', 'state', '--exec', `echo $$ > ids; ${rest}`]);
    await until(() => existsSync(join(folder.path, 'ids')));
    run.child.kill('SIGKILL');
    await run.exit();
    const next = start(['follow', '--state', 'state', '--exec', 'echo next >> lines']);
    // One that does not wait prints nothing, and ends.
    await until(() => next.printed() !== '' || next.child.exitCode !== null);
    await release();
    expect([await next.exit(), next.printed()]).toEqual([
      0,
      'Waiting: another follow, or a program of an earlier one, uses this state.\n',
    ]);
    expect(await inFolder('lines')).toBe('left\nnext\n');
  },
);

it('`follow --exec` waits for another one with the same state, until a signal', async () => {
  const first = start(['follow', '--state', 'state', '--every', '1', '--exec', 'cat > lines']);
  await until(() => existsSync(join(folder.path, 'state')));
  const second = start(['follow', '--state', 'state', '--exec', 'echo second']);
  await until(() => second.printed() !== '');
  second.child.kill('SIGINT');
  expect(await second.exit()).toBe(1);
  expect(second.printed()).toMatch(/^Waiting: .*\nerror: Stopped before the end\.\n$/);
  first.child.kill('SIGINT');
  expect(await first.exit()).toBe(1);
});

it('`follow --exec` ends within two seconds of a signal, and leaves the program to the next run', async () => {
  const run = start([
    'follow',
    '--state',
    'state',
    '--exec',
    `echo $$ > ids; ${HOLD}; touch lines`,
  ]);
  await until(() => existsSync(join(folder.path, 'ids')));
  const before = performance.now();
  run.child.kill('SIGTERM');
  expect(await run.exit()).toBe(1);
  expect(performance.now() - before).toBeLessThan(STOP_LIMIT);
  // It has waited for the program, so a busy machine may have no time left for the sentence.
  expect(run.printed()).toMatch(/^(?:error: Stopped before the end\.\n)?$/);
  expect(existsSync(join(folder.path, 'state'))).toBe(false);
  await release();
  await until(() => existsSync(join(folder.path, 'lines')));
});

const PROGRAMS = [
  ['Python', `python3 "${resolve('client/examples/apply.py')}" shop.db`],
  ['PHP', `php "${resolve('client/examples/apply.php')}" shop.db`],
] as const;

/**
 * A shell's command that runs a program. It leaves the process ids in files, and a file `twice` if another one of it runs
 * at the same time.
 */
function watched(program: string): string {
  return [
    'echo $$ > shell.pid',
    `flock -n -E 99 once.lock sh -c 'echo $$ > program.pid; exec ${program}'`,
    'code=$?',
    'if [ $code = 99 ]; then touch twice; fi',
    'exit $code',
  ].join('\n');
}

/** Kills the process whose id a file has, if it is still there. */
async function killIn(folder: string, file: string): Promise<void> {
  const id = Number(await readFile(join(folder, file), 'utf8').catch(() => ''));
  if (!(id > 1)) return;
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const { numRuns: KILLS } = random(6);
const PRODUCTS = 1000;

describe.concurrent.each(PROGRAMS)('%s', (_, program) => {
  it('The example of a program loses nothing while it and the command are killed again and again', async () => {
    const own = await temporaryFolder();
    const taken = await takeBrand();
    const { products } = new BrandClient(taken);
    const run = commandIn(own.path, taken);
    const words = ['follow', '--state', 'state', '--exec', watched(program)];
    await products.push(items(PRODUCTS), { match: 'sku' });

    const end = new AbortController();
    const changes = (async (): Promise<void> => {
      for (let round = 1; !end.signal.aborted; round++) {
        const from = Math.floor(Math.random() * (PRODUCTS - 50));
        const some = items(PRODUCTS, round).slice(from, from + 50);
        const [gone, ...changed] = some.map((item) => item);
        await products.push([...changed, { sku: gone?.sku ?? '', deleted: true }], {
          match: 'sku',
        });
        await setTimeout(20);
      }
    })();
    let follower: Running | undefined;
    for (let kill = 0; kill < KILLS; kill++) {
      if (follower?.child.exitCode !== null || follower.child.killed) {
        follower = run([...words, '--every', '0.05']);
      }
      await setTimeout(150 + Math.random() * 400);
      if (kill % 3 === 0) follower.child.kill('SIGKILL');
      else await killIn(own.path, kill % 3 === 1 ? 'shell.pid' : 'program.pid');
    }
    follower?.child.kill('SIGKILL');
    end.abort();
    await changes;

    const last = run(words);
    expect([await last.exit(), last.printed().replace(/^Waiting: .*\n/, '')]).toEqual([0, '']);
    expect(existsSync(join(own.path, 'twice')), 'two programs ran at once').toBe(false);
    const shop = new DatabaseSync(join(own.path, 'shop.db'));
    const copy = shop
      .prepare('SELECT id, sku, title, price_cents, currency_code FROM products')
      .all();
    shop.close();
    const service = (await all(products.list())).map(
      ({ id, sku, title, priceCents, currencyCode }) => ({
        id,
        sku,
        title,
        price_cents: priceCents,
        currency_code: currencyCode,
      }),
    );
    const byId = (rows: readonly object[]): object[] =>
      rows
        .map((row) => ({ ...row }))
        .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    expect(byId(copy)).toEqual(byId(service));
    await own.remove();
  });
});
