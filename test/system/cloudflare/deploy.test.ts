import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseOfKey } from '../../../src/auth/api-key.ts';
import { createBrand } from '../../../tools/admin/brands.ts';
import { executeOn } from '../../../tools/admin/execute.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { record } from '../../node/processes.ts';
import { readWorkflow } from '../../node/workflow.ts';
import type { Account } from './account.ts';
import { openAccount } from './account.ts';
import type { Project } from './project.ts';
import { copyProject } from './project.ts';

const WORKER = 'brand-integration-api';
const PRODUCTION = `${WORKER}-production`;

// One story, each part on what the one before left behind: a call of wrangler takes seconds.
let account: Account;
let project: Project;
let isBroken = false;

beforeAll(async () => {
  account = await openAccount();
  project = await copyProject(account.environment);
  // test/system/dev and test/system/browser have the pages that this builds.
  const toml = await project.read('wrangler.toml');
  await project.write('wrangler.toml', toml.replace('command = "npm run -s docs"', ''));
});

beforeEach(({ skip, onTestFailed }) => {
  skip(isBroken, 'An earlier part of the story failed.');
  onTestFailed(() => {
    isBroken = true;
  });
});

afterAll(async () => {
  await account.stop();
  await project.remove();
});

/** Types a line that must succeed, and returns what it prints. */
async function type(line: string): Promise<string> {
  const { code, stdout, stderr } = await project.type(line);
  if (code !== 0) throw new Error(`${line}: ${stdout}\n${stderr}`);
  return stdout;
}

/** Expects that a deployed service passes. */
async function verified(worker: string, apiKey: string): Promise<void> {
  const lines: string[] = [];
  const show = (line: string): void => void lines.push(line);
  const passed = await verify({ url: account.runtime.urlOf(worker), apiKey, show });
  expect(passed, lines.join('\n')).toBe(true);
}

/** Enters the id of a database below a heading of `wrangler.toml`, as the documents say. */
async function enterId(heading: string, id: string): Promise<void> {
  const [before = '', after = ''] = (await project.read('wrangler.toml')).split(`${heading}\n`);
  const section = after.replace('00000000-0000-0000-0000-000000000000', id);
  await project.write('wrangler.toml', `${before}${heading}\n${section}`);
}

describe('A new account', () => {
  it.each([
    ['', /has zeros in place of the id of the database brand-integration-api: create it/],
    [' -- --env prod', /has no environment "prod". It has staging and production\./],
  ])('npm run deploy%s is refused before anything is migrated', async (words, says) => {
    const { code, stderr } = await project.type(`npm run -s deploy${words}`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('gets the migrations, then the code, whatever environment the shell names', async () => {
    const output = await type(`npx wrangler d1 create ${WORKER}`);
    const [, id = ''] = /database_id = "([^"]+)"/.exec(output) ?? [];
    await enterId('[[d1_databases]]', id);
    const deployed = await type('CLOUDFLARE_ENV=staging npm run -s deploy');
    expect(deployed).toContain(`https://${WORKER}.stand-in.workers.dev`);
    expect(account.uploads).toEqual([WORKER]);
    expect(account.schedules.get(WORKER)).toEqual(['23 3 * * *']);
  });

  it('runs what was uploaded: the API, the pages, the limits and the daily job', async () => {
    const database = await account.runtime.database(account.databases.find(WORKER).uuid);
    const { apiKey } = await createBrand(executeOn(database, 'tests'), 'Acme');
    await verified(WORKER, apiKey);
    expect(await account.runtime.runSchedule(WORKER, '23 3 * * *')).toBe('ok');
    const url = `${account.runtime.urlOf(WORKER)}/api/brand/v1/profile`;
    const statuses = new Set<number>();
    // A period of ten seconds may end on the way.
    for (let sent = 0; sent < 700 && !statuses.has(429); sent++) {
      statuses.add((await fetch(url)).status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });
});

describe('Production with two databases', () => {
  const later = 'migrations/9998_later.sql';
  const second = `${PRODUCTION}-1`;
  let apiKey: string;

  it('database add needs a first one, then creates, binds and migrates the next one', async () => {
    const add = 'npm run -s admin -- database add --yes --json --remote --env production';
    expect((await project.type(add)).stderr).toContain('the first database');
    await enterId('[[env.production.d1_databases]]', account.databases.create(PRODUCTION).uuid);
    const added: unknown = JSON.parse(await type(`${add} --jurisdiction eu`));
    const { uuid, jurisdiction } = account.databases.find(second);
    expect(added).toEqual({ number: 1, name: second, databaseId: uuid });
    expect(jurisdiction).toBe('eu');
    const toml = await project.read('wrangler.toml');
    expect(toml).toContain(`
[[env.production.d1_databases]]
binding = "DB_1"
database_name = "${second}"
database_id = "${uuid}"
migrations_dir = "migrations"
`);
    expect(await account.databases.hasTable(second, 'brands')).toBe(true);
    account.databases.create(`${PRODUCTION}-2`);
    expect((await project.type(add)).stderr).toContain(`${PRODUCTION}-2 already`);
    expect(await project.read('wrangler.toml')).toBe(toml);
  });

  it('is deployed by the workflow, and serves the brands of the second', async () => {
    const steps = readWorkflow('deploy.yml').jobs['deploy']?.steps.flatMap(({ run }) => run ?? []);
    expect(steps).toEqual(['npm ci --ignore-scripts', 'npm run deploy -- --env "$TARGET"']);
    await type(`TARGET=production; ${steps?.[1] ?? ''}`);
    const create = 'npm run -s admin -- brand create Acme --json --database 1';
    const created = await type(`${create} --remote --env production`);
    apiKey = String(record(JSON.parse(created))['apiKey']);
    expect(databaseOfKey(apiKey)).toBe(1);
    await verified(PRODUCTION, apiKey);
  });

  it('a migration that fails half-way in the second keeps the old code, and leaves nothing', async () => {
    const { databases, uploads } = account;
    await databases.run(second, 'create table later (id integer)');
    await project.write(later, 'create table half (id integer);\ncreate table later (id text);\n');
    const { code, stdout, stderr } = await project.type('npm run -s deploy -- --env production');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `error: In database 1 (${second}): The Worker was not deployed, because this failed: npx wrangler d1 migrations apply DB_1 `,
      ),
    ]);
    expect(stdout + stderr).toContain('table later already exists');
    expect(uploads).toEqual([WORKER, PRODUCTION]);
    const has = [PRODUCTION, second].map((name) => databases.hasTable(name, 'half'));
    expect(await Promise.all(has)).toEqual([true, false]);
    await verified(PRODUCTION, apiKey);
  });
});

it('wrangler used no endpoint that the simulated account does not have', () => {
  expect(account.unknown).toEqual([]);
});
