import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseOfKey } from '../../../src/auth/api-key.ts';
import { nextDatabase } from '../../../admin/src/database/add.ts';
import { verify } from '../../../admin/src/verify/verify.ts';
import { record } from '../../../test/node/processes.ts';
import { readWorkflow } from '../workflow.ts';
import type { Account } from './account.ts';
import { openAccount } from './account.ts';
import type { Project } from './project.ts';
import { copyProject } from './project.ts';

const PRODUCTION = 'brand-integration-api-production';
const SECOND = `${PRODUCTION}-1`;
const ZEROS = '00000000-0000-0000-0000-000000000000';
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

// One story, each part on what the one before left behind: a call of wrangler takes seconds.
let account: Account;
let project: Project;
let deployment: string;
let apiKey: string;

beforeAll(async () => {
  account = await openAccount();
  project = await copyProject(account.environment);
  // tools/test/dev and tools/test/browser have the pages that this builds.
  const toml = await project.read('wrangler.toml');
  await project.write('wrangler.toml', toml.replace('command = "npm run -s docs"', ''));
  const steps = readWorkflow('deploy.yml').jobs['deploy']?.steps.flatMap(({ run }) => run ?? []);
  expect(steps).toEqual(['npm ci --ignore-scripts', 'npm run deploy -- --env "$TARGET"']);
  deployment = `export TARGET=production CLOUDFLARE_ENV=staging; ${steps?.[1] ?? ''}`;
});

afterAll(async () => {
  await account.stop();
  await project.remove();
});

/** Enters the id of a database into `wrangler.toml`, as the documents say. */
async function enterId(name: string, id: string): Promise<void> {
  const line = `database_name = "${name}"\n`;
  const [before = '', after = ''] = (await project.read('wrangler.toml')).split(line);
  await project.write('wrangler.toml', before + line + after.replace(ZEROS, id));
}

/** Types a line that must succeed, and returns what it prints. */
async function type(line: string): Promise<string> {
  const { code, stdout, stderr } = await project.type(line);
  if (code !== 0) throw new Error(`${line}: ${stdout}\n${stderr}`);
  return stdout;
}

/** A line that runs the operator's tool on the deployed databases. */
function operate(command: string): string {
  return `node admin/bin/brand-admin.js ${command} --remote --env production`;
}

/** Types a line that must fail, and returns what it prints. */
async function refused(line: string): Promise<string> {
  const { code, stdout, stderr } = await project.type(line);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stdout + stderr;
}

/** Expects that the deployed service passes. */
async function verified(): Promise<void> {
  const lines: string[] = [];
  const show = (line: string): void => void lines.push(line);
  const { failed } = await verify({ url: await account.runtime.url(), apiKey, show });
  expect(failed, lines.join('\n')).toBe(0);
}

it('A dry run prints the size that the README states, and needs no database', async () => {
  expect(await type('npm run -s deploy -- --dry-run')).toMatch(/ gzip: 5\d\.\d\d KiB/);
});

it('A deployment is refused before anything is migrated if a name or an id is missing', async () => {
  expect(await refused('npm run -s deploy -- --env prod')).toContain(
    'has no environment "prod". It has staging and production.',
  );
  expect(await refused(deployment)).toContain(
    `has zeros in place of the id of the database ${PRODUCTION}: create it`,
  );
});

it('A deployment without an environment takes the top level, whatever the shell names', async () => {
  await enterId('brand-integration-api', UNKNOWN);
  const said = await refused('CLOUDFLARE_ENV=staging npm run -s deploy');
  expect(said).toContain(`There is no database ${UNKNOWN}`);
  expect(said).toMatch(/this failed: npx wrangler d1 migrations apply DB --remote --env=$/m);
});

it('database add needs a first one, then creates, binds and migrates the next one', async () => {
  const first = { number: 0, name: PRODUCTION, id: ZEROS };
  expect(() => nextDatabase({ env: 'production' }, [first])).toThrow('the first database');
  await enterId(PRODUCTION, account.databases.create(PRODUCTION).uuid);
  const add = operate('database add --yes --json');
  const added: unknown = JSON.parse(await type(`${add} --jurisdiction eu`));
  const { uuid, jurisdiction } = account.databases.find(SECOND);
  expect([added, jurisdiction]).toEqual([{ number: 1, name: SECOND, databaseId: uuid }, 'eu']);
  const toml = await project.read('wrangler.toml');
  expect(toml).toContain(`
[[env.production.d1_databases]]
binding = "DB_1"
database_name = "${SECOND}"
database_id = "${uuid}"
migrations_dir = "migrations"
`);
  expect(await account.databases.hasTable(SECOND, 'brands')).toBe(true);
  account.databases.create(`${PRODUCTION}-2`);
  expect(await refused(add)).toContain(`${PRODUCTION}-2 already`);
  expect(await project.read('wrangler.toml')).toBe(toml);
});

it('The workflow deploys the API, the pages and the daily job, with both databases', async () => {
  expect(await type(deployment)).toContain(`https://${PRODUCTION}.stand-in.workers.dev`);
  expect(account.uploads).toEqual([PRODUCTION]);
  // An old version has the production database too, past a fix and every rule of a domain.
  expect(account.published).toEqual({ enabled: true, previews_enabled: false });
  const created = await type(operate('brand create Acme --json --database 1'));
  apiKey = String(record(JSON.parse(created))['apiKey']);
  expect(databaseOfKey(apiKey)).toBe(1);
  await verified();
  expect(account.schedules).toEqual(['23 3 * * *']);
  expect(await account.runtime.runSchedule('23 3 * * *')).toBe('ok');
  const time: unknown = expect.stringMatching(/^20/);
  for (const name of [PRODUCTION, SECOND]) {
    const [job] = await account.databases.run(name, 'select done_at from daily_job');
    expect(job?.results).toEqual([{ done_at: time }]);
  }
});

it('A migration that fails half-way in the second database keeps the old code, and leaves nothing', async () => {
  const { databases, uploads } = account;
  await databases.run(SECOND, 'create table later (id integer)');
  const migration = 'create table half (id integer);\ncreate table later (id text);\n';
  await project.write('migrations/9998_later.sql', migration);
  const said = await refused('npm run -s deploy -- --env production');
  expect(said).toContain(
    `error: In database 1 (${SECOND}): The Worker was not deployed, because this failed: npx wrangler d1 migrations apply DB_1 `,
  );
  expect(said).toContain('table later already exists');
  expect(uploads).toEqual([PRODUCTION]);
  const has = [PRODUCTION, SECOND].map((name) => databases.hasTable(name, 'half'));
  expect(await Promise.all(has)).toEqual([true, false]);
  await verified();
});

// Last, because nothing without a key is served afterwards for ten seconds.
it('The deployed service has the limits', async () => {
  const url = `${await account.runtime.url()}/api/brand/v1/profile`;
  const statuses = new Set<number>();
  // A period of ten seconds may end on the way.
  for (let sent = 0; sent < 700 && !statuses.has(429); sent++) {
    statuses.add((await fetch(url)).status);
  }
  expect([...statuses]).toEqual([401, 429]);
});

it('wrangler used no endpoint that the simulated account does not have', () => {
  expect(account.unknown).toEqual([]);
});
