import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { getPlatformProxy } from 'wrangler';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginMove, readStatus } from '../../../mover/index.ts';
import type { Move, Status } from '../../../mover/index.ts';
import type { Databases } from '../../../src/env.ts';
import type { LocalDatabases } from '../../../tools/admin/moves.ts';
import { localDatabases } from '../../../tools/admin/configuration.ts';
import { writeMoverConfiguration } from '../../../tools/mover-configuration.ts';
import { runWrangler, WRANGLER } from '../../../tools/wrangler.ts';
import { freePort, killGroup } from '../../node/processes.ts';
import type { AdminOfSeveral } from '../../node/several-databases.ts';
import { openSeveral } from '../../node/several-databases.ts';

// The mover's Worker under `wrangler dev`, with the real engine of Workflows, killed in the middle of a move. Two processes
// that write to a local database block each other, so the databases are opened only while no server runs.

const NAME = 'brand-integration-api-mover';
/** How many rows the brand has, and after how many the target is stuck. */
const [ROWS, STUCK_AFTER] = [7000, 5000];

let admin: AdminOfSeveral;
let config: string;
let server: ChildProcess | undefined;
let port: number;

beforeAll(async () => {
  admin = await openSeveral(2);
  const toml = join(admin.folder.path, 'wrangler.toml');
  config = await writeMoverConfiguration('', toml, join(admin.folder.path, 'mover.json'));
});

afterAll(async () => {
  if (server) await killGroup(server);
  await admin.folder.remove();
});

/** Starts the mover's Worker, and waits until it listens. */
async function start(): Promise<void> {
  port = await freePort();
  const ports = [`--port=${port}`, `--inspector-port=${await freePort()}`];
  const place = [`--config=${config}`, '--env=', `--persist-to=${admin.folder.path}`];
  server = spawn(
    process.execPath,
    [WRANGLER, 'dev', ...place, ...ports, '--show-interactive-dev-session=false'],
    { stdio: 'ignore', detached: true, env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  );
  await until(() => listens(port));
}

async function kill(): Promise<void> {
  if (server) await killGroup(server);
}

function listens(at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, '127.0.0.1');
    socket.once('connect', () =>
      socket.end(() => {
        resolve(true);
      }),
    );
    socket.once('error', () => {
      resolve(false);
    });
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It takes too long.');
    await setTimeout(200);
  }
}

/** Runs a command of Workflows on the server. */
async function workflows(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runWrangler([
    ...['workflows', ...words, '--local', `--port=${port}`, '--json'],
  ]);
  if (code !== 0) throw new Error(stdout + stderr);
  return stdout;
}

/** Opens the databases while no server runs. */
async function inDatabases<T>(act: (local: LocalDatabases) => Promise<T>): Promise<T> {
  const { env, dispose } = await getPlatformProxy<Databases>({
    configPath: join(admin.folder.path, 'wrangler.toml'),
    persist: { path: join(admin.folder.path, 'v3') },
  });
  try {
    return await act(localDatabases(env, dispose));
  } finally {
    await dispose();
  }
}

function statusOf(move: Move): Promise<Status | undefined> {
  return inDatabases((local) => readStatus(local.at(0), local.at(1), move));
}

it('moves a brand, although it is killed in the middle', async () => {
  const { brandId } = await admin.json('brand', 'create', 'Moving', '--database', '0');
  const { local } = admin;
  await local
    .at(0)
    .prepare(
      `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
       with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < ${ROWS})
       select ?1, 'products', value, printf('01890000-0000-7000-8000-%012d', value), ?2 from numbers`,
    )
    .bind(String(brandId), new Date().toISOString())
    .run();
  await local
    .at(1)
    .prepare(
      `create trigger stuck before insert on tombstones when new.change_number > ${STUCK_AFTER} begin select raise(abort, 'stuck'); end`,
    )
    .run();
  const plan = { brandId: String(brandId), source: 0, target: 1, actor: 'tests' };
  const move = await beginMove(local.at(0), plan);
  if (move === undefined) throw new Error('The move has not begun.');
  await admin.dispose();

  await start();
  const started = JSON.stringify({ source: 0, brandId, move: move.id });
  await workflows('trigger', NAME, started, `--id=${move.id}`);
  const describe = (): Promise<string> => workflows('instances', 'describe', NAME, move.id);
  await until(async () => (await describe()).includes('stuck'));
  await kill();
  expect(await statusOf(move)).toMatchObject({ state: 'copying', copiedRows: STUCK_AFTER });
  await inDatabases((opened) => opened.at(1).prepare('drop trigger stuck').run());

  await start();
  await workflows('instances', 'restart', NAME, move.id);
  await until(async () => (await describe()).includes('redirect'));
  await kill();
  expect(await statusOf(move)).toMatchObject({
    ...{ state: 'settled', copiedRows: ROWS, driver: move.id },
  });
});
