import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseOfKey } from '../../../src/auth/api-key.ts';
import { expectShape } from '../../node/json-shapes.ts';
import { record, records } from '../../node/processes.ts';
import { atTerminal } from '../../node/terminal.ts';
import { describeMoves } from './moves.ts';
import { Operator } from './operator.ts';
import { MANY_DATABASES } from './runbook.ts';
import { testRestore } from './restore-one.ts';
import { statusOf } from './tour.ts';

const WORKER = 'brand-integration-api';
const PRODUCTION = `${WORKER}-production`;

// One story, each part on what the one before left behind.
let operator: Operator;
let isBroken = false;

beforeAll(async () => {
  operator = await Operator.begin(MANY_DATABASES);
  const output = await operator.run(`npx wrangler d1 create ${PRODUCTION}`);
  await operator.putDatabaseId(output, '[[env.production.d1_databases]]');
  await operator.run('npx wrangler d1 migrations apply DB --remote --env production');
});

beforeEach(({ skip, onTestFailed }) => {
  skip(isBroken, 'An earlier part of the story failed.');
  onTestFailed(() => {
    isBroken = true;
  });
});

afterAll(() => operator.end());

const versions = (): number => operator.account.workers.find(PRODUCTION).versions.length;

async function json(command: string): Promise<Record<string, unknown>> {
  return record(
    JSON.parse(
      await operator.run(`npm run -s admin -- ${command} --json --remote --env production`),
    ),
  );
}

/** The tables that a migration of this test makes, in the database with this number. */
async function hasTable(number: number): Promise<boolean> {
  const name = number === 0 ? PRODUCTION : `${PRODUCTION}-${number}`;
  const { databases } = operator.account;
  const [found] = await databases.run(
    databases.find(name),
    "select name from sqlite_master where name = 'later'",
  );
  return found?.results.length === 1;
}

describe('database add', () => {
  it('needs a first database, the deployed ones, and somebody to ask', async () => {
    const refused = async (line: string): Promise<string> => {
      const { code, stderr } = await operator.project.type(`npm run -s admin -- ${line}`);
      expect([line, code]).toEqual([line, 1]);
      return stderr;
    };
    expect(await refused('database add')).toContain('Add --remote.');
    expect(await refused('database add --remote --env staging')).toContain('the first database');
    const before = await operator.project.read('wrangler.toml');
    const stderr = await refused('database add --remote --env production');
    expect(stderr).toContain('requires --yes');
    expect(stderr).toContain('+binding = "DB_1"');
    expect(await operator.project.read('wrangler.toml')).toBe(before);
    expect(operator.account.databases.list()).toHaveLength(1);
  });

  it('creates the next one, binds it in its environment alone, and migrates it', async () => {
    const toml = await operator.project.read('wrangler.toml');
    const command = operator.take(
      'npm run admin -- database add --location weur --remote --env production',
    );
    const { code, screen } = await atTerminal(command, operator.project, {
      question: 'Type yes to continue',
      answer: 'yes',
    });
    expect([code, screen]).toEqual([
      0,
      expect.stringContaining('npm run deploy -- --env production'),
    ]);
    const { uuid } = operator.account.databases.find(`${PRODUCTION}-1`);
    const changed = await operator.project.read('wrangler.toml');
    const added = `
[[env.production.d1_databases]]
binding = "DB_1"
database_name = "${PRODUCTION}-1"
database_id = "${uuid}"
migrations_dir = "migrations"
`;
    expect(changed).toContain(added);
    expect(changed.replace(added, '')).toBe(toml);
    expect(screen.replaceAll('\r', '')).toContain(`+database_name = "${PRODUCTION}-1"`);
    const document = await json('database add --jurisdiction eu --yes');
    expectShape('database add', document);
    expect(document).toMatchObject({ number: 2, name: `${PRODUCTION}-2` });
    await operator.type('npm run admin -- database list --remote --env production');
    const { databases } = await json('database list');
    expect(records(databases)).toMatchObject(
      [0, 1, 2].map((number) => ({
        ...{ number, brands: 0, movedAway: 0 },
        jurisdiction: number === 2 ? 'eu' : null,
      })),
    );
    for (const { bytes } of records(databases)) expect(bytes).toBeGreaterThan(4096);
  });

  it('leaves wrangler.toml as it is if Cloudflare has a database of that name', async () => {
    operator.account.databases.create(`${PRODUCTION}-3`);
    const before = await operator.project.read('wrangler.toml');
    const { code, stderr } = await operator.project.type(
      'npm run -s admin -- database add --yes --remote --env production',
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${PRODUCTION}-3 already`)]);
    expect(await operator.project.read('wrangler.toml')).toBe(before);
  });
});

describe('brand move', () => {
  it('waits until the Worker that moves brands is deployed', async () => {
    const { brandId } = await json('brand create Waiting --database 0');
    const line = `npm run -s admin -- brand move ${String(brandId)} --to 1 --remote --env production`;
    const { code, stderr } = await operator.project.type(line);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('is not deployed: npm run deploy -- --env production.'),
    ]);
    const status = await json(`brand move ${String(brandId)} --status`);
    expect(status).toMatchObject({ state: 'copying', rows: 0, instance: null });
  });
});

describe('A service with three databases', () => {
  it('serves brands of each', async () => {
    await operator.type('npm run deploy -- --env production');
    const url = operator.account.runtime.urlOf(PRODUCTION);
    for (const number of [0, 1, 2]) {
      const { apiKey } = await json(`brand create Somebody --database ${number}`);
      expect(databaseOfKey(String(apiKey))).toBe(number);
      expect(await statusOf(url, String(apiKey))).toBe(200);
    }
    // The third one is in another jurisdiction than the first.
    const { apiKey: anywhere } = await json('brand create Anywhere');
    expect(databaseOfKey(String(anywhere))).not.toBe(2);
    const created = await operator.type(
      'npm run admin -- brand create "Acme" --database 1 --remote --env production',
    );
    const [apiKey = ''] = /bik_\w{49}/.exec(created) ?? [];
    expect(databaseOfKey(apiKey)).toBe(1);
    // One more has waited to be moved.
    expect(await json('brand list')).toMatchObject({ total: 6 });
    const help = await operator.run('npm run -s admin -- brand create --help');
    expect(help).toContain('--database <number>');
  });

  it('does not get new code if a migration fails in the second database, and says which', async () => {
    const { databases } = operator.account;
    await databases.run(databases.find(`${PRODUCTION}-1`), 'create table later (id integer)');
    await operator.project.write('migrations/9998_later.sql', 'create table later (id text);\n');
    const { code, stderr } = await operator.project.type('npm run -s deploy -- --env production');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `error: In database 1 (${PRODUCTION}-1): The Worker was not deployed, because this failed: npx wrangler d1 migrations apply DB_1 `,
      ),
    ]);
    expect(versions()).toBe(1);
    expect([await hasTable(0), await hasTable(2)]).toEqual([true, false]);
  });

  it('gets it when the migration is repaired', async () => {
    const { databases } = operator.account;
    await databases.run(databases.find(`${PRODUCTION}-1`), 'drop table later');
    await operator.run('npm run deploy -- --env production');
    expect(versions()).toBe(2);
    expect([await hasTable(0), await hasTable(1), await hasTable(2)]).toEqual([true, true, true]);
  });

  it('names the database that lacks a table', async () => {
    const { databases } = operator.account;
    await databases.run(databases.find(`${PRODUCTION}-1`), 'alter table audit_trail rename to x');
    const { code, stderr } = await operator.project.type(
      'npm run -s admin -- audit --remote --env production',
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/error: Database 1: .* npx wrangler d1 migrations apply DB_1 --remote/),
    ]);
  });

  it('has all tables again', async () => {
    const { databases } = operator.account;
    await databases.run(databases.find(`${PRODUCTION}-1`), 'alter table x rename to audit_trail');
    expect(records((await json('audit'))['entries'])).not.toEqual([]);
  });

  testRestore(() => operator);

  describeMoves(() => operator);

  it('was given every documented command', () => {
    expect(operator.left()).toEqual([]);
  });

  it('used no endpoint that the simulated account does not have', () => {
    expect(operator.account.unknown).toEqual([]);
  });
});
