import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrandClient } from '../../../client/src/index.ts';
import { all } from '../../node/outcomes.ts';
import { record } from '../../node/processes.ts';
import { adminCommands } from './admin-commands.ts';
import { firstLine } from './follow.ts';
import { Operator } from './operator.ts';
import { commandsAnywhere, documentedCommands, MANY_DATABASES } from './runbook.ts';
import { atTerminal } from '../../node/terminal.ts';
import { statusOf, tour } from './tour.ts';
import { readWorkflow, stepsOf } from './workflow.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const KEY = /bik_[0-9A-Za-z]{49}/;
const WORKER = 'brand-integration-api';

/** Commands of the documents that cannot run here, and why. */
const NOT_HERE: Readonly<Record<string, string>> = {
  'npm ci': 'brought the packages that this very run uses; .ci/run begins with it',
  'npx wrangler login':
    "opens a browser, to log in at Cloudflare; the account's token takes its place",
  'git tag v1.0.0': 'starts the workflow at GitHub, whose own commands run here',
  'git push origin v1.0.0': 'starts the workflow at GitHub, whose own commands run here',
};

interface Brand {
  readonly brandId: string;
  readonly keyId: string;
  readonly apiKey: string;
}

// One story, each part on what the one before left behind: a call of wrangler takes seconds.
let operator: Operator;
const brands = new Map<string, Brand>();

let isBroken = false;

beforeAll(async () => {
  operator = await Operator.begin();
});

beforeEach(({ skip, onTestFailed }) => {
  skip(isBroken, 'An earlier part of the story failed.');
  onTestFailed(() => {
    isBroken = true;
  });
});

afterAll(() => operator.end());

/** The address of a deployed Worker; for an environment, of its own. */
function address(environment?: string): string {
  return operator.account.runtime.urlOf(environment ? `${WORKER}-${environment}` : WORKER);
}

/** What `brand create`, `key issue` or `key rotate` showed in its table. */
function brandIn(table: string): Brand {
  const [brandId, keyId] = table.match(UUID) ?? [];
  const [apiKey] = KEY.exec(table) ?? [];
  if (!brandId || !keyId || !apiKey) throw new Error(`No brand and key in: ${table}`);
  return { brandId, keyId, apiKey };
}

/** The brand that was created in a place before. */
function brandOf(place: string): Brand {
  const brand = brands.get(place);
  if (brand === undefined) throw new Error(`No brand was created in ${place}.`);
  return brand;
}

/** A client of the brand that was created in a place. */
function client(place: string): BrandClient {
  return new BrandClient({ apiKey: brandOf(place).apiKey, baseUrl: address(place), tries: 1 });
}

/** What Cloudflare would bind the deployed Worker to. */
function bindingsOf(name: string): readonly unknown[] {
  return operator.account.workers.find(name).versions.at(-1)?.upload.bindings ?? [];
}

/** Runs the commands of the job that deploys as GitHub does, up to the first that fails. */
async function runWorkflow(environment: string): Promise<{ code: number | null; output: string }> {
  const variables = operator.account.environment;
  const steps = stepsOf(readWorkflow('deploy.yml').jobs['deploy'], {
    "inputs.environment || 'production'": environment,
    'secrets.CLOUDFLARE_API_TOKEN': variables['CLOUDFLARE_API_TOKEN'] ?? '',
    'secrets.CLOUDFLARE_ACCOUNT_ID': variables['CLOUDFLARE_ACCOUNT_ID'] ?? '',
  });
  // The packages are those that run this test.
  expect(steps[0]?.run).toBe('npm ci --ignore-scripts');
  let output = '';
  for (const { run, env } of steps.slice(1)) {
    const { code, stdout, stderr } = await operator.project.type(run, env);
    output += stdout + stderr;
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

describe('A new account', () => {
  const noId = (name: string): string =>
    `error: wrangler.toml has zeros in place of the id of the database ${name}: create it with npx wrangler d1 create ${name}, and enter the id that this prints.\n`;

  it.each([
    ['npm run deploy', noId(WORKER)],
    ['npm run deploy -- --env staging', noId(`${WORKER}-staging`)],
    [
      'npm run deploy -- --env prod',
      'error: wrangler.toml has no environment "prod". It has staging and production.\n',
    ],
    [
      // As a script has it whose variable is empty.
      'npm run deploy -- --env ""',
      'error: wrangler.toml has no environment "". It has staging and production.\n',
    ],
    [
      'npm run deploy --env=production',
      'error: npm kept --env for itself. Write -- before the arguments: npm run deploy -- …\n',
    ],
    [
      'npm run deploy -- production',
      'error: too many arguments. Expected 0 arguments but got 1.\n(use --help to see the options)\n',
    ],
  ])('%s is refused in a sentence, before anything is migrated', async (line, says) => {
    const { code, stderr } = await operator.project.type(line);
    // npm itself warns of settings of this machine.
    const own = stderr.replace(/^npm warn .*\n/gm, '');
    expect([code, own]).toEqual([1, says]);
  });

  it('whoami, create the database and enter its id', async () => {
    expect(await operator.type('npx wrangler whoami')).toContain('Stand-in');
    const output = await operator.type('npx wrangler d1 create brand-integration-api');
    await operator.putDatabaseId(output, '[[d1_databases]]');
  });

  it('migrate and deploy, which prints the address', async () => {
    // Whatever environment the person's shell names.
    const line = operator.take('npm run deploy');
    const { stdout: output, stderr } = await operator.project.type(line, {
      CLOUDFLARE_ENV: 'staging',
    });
    expect(output, stderr).toContain(`https://${WORKER}.stand-in.workers.dev`);
    expect(operator.account.workers.find(WORKER)).toMatchObject({
      schedules: ['23 3 * * *'],
      isOnWorkersDev: true,
    });
    // With one database, there is no second Worker.
    expect(() => operator.account.workers.find(`${WORKER}-mover`)).toThrow('does not exist');
  });

  it('create the first brand, and try its key with the line from the documents', async () => {
    // Whatever environment a file names that wrangler reads.
    await operator.project.write('.env', 'CLOUDFLARE_ENV=staging\n');
    const brand = brandIn(
      await operator.type(
        'npm run admin -- brand create "Northwind Nutrition" --label "first key" --remote',
      ),
    );
    await operator.project.write('.env', '');
    brands.set('', brand);
    operator.values.set('bik_…', brand.apiKey);
    operator.values.set(`https://${WORKER}.YOUR-SUBDOMAIN.workers.dev`, address());
    const profile = await operator.type(
      `curl -H "Authorization: Bearer bik_…" https://${WORKER}.YOUR-SUBDOMAIN.workers.dev/api/brand/v1/profile`,
    );
    expect(profile).toContain('"brandName":"Northwind Nutrition"');
  });

  it('verify the deployment', async () => {
    const before = await client('').getProfile();
    const table = await operator.type(
      `BRAND_API_KEY=bik_… npm run verify -- --url https://${WORKER}.YOUR-SUBDOMAIN.workers.dev`,
    );
    expect(table).toContain(' 0 failed');
    expect(await client('').getProfile()).toEqual(before);
    expect(await all(client('').products.list())).toEqual([]);
  });

  it('the uploaded Worker serves every operation, its assets, and its daily job', async () => {
    await tour(address(), brandOf('').apiKey);
    const page = await fetch(`${address()}/docs`);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const document = await fetch(`${address()}/api/brand/v1/openapi.json`);
    expect(await document.json()).toHaveProperty('paths./products');
    expect(await operator.account.runtime.runSchedule(WORKER, '23 3 * * *')).toBe('ok');
  });

  it('the uploaded Worker applies the rate limits of its bindings', async () => {
    const statuses: number[] = [];
    // Failures are counted for each address: this one has none yet.
    const from = { 'CF-Connecting-IP': '203.0.113.7' };
    // Periods of ten seconds begin by the clock: a second one may begin on the way, and counts from zero.
    while (statuses.length < 1000 && !statuses.includes(429)) {
      const some = Array.from({ length: 25 }, () => statusOf(address(), 'bik_nonsense', from));
      statuses.push(...(await Promise.all(some)));
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.length).toBeGreaterThan(300);
  });
});

describe('Staging and production beside it', () => {
  it('staging by hand', async () => {
    const output = await operator.type('npx wrangler d1 create brand-integration-api-staging');
    await operator.putDatabaseId(output, '[[env.staging.d1_databases]]');
    const deployed = await operator.type('npm run deploy -- --env staging');
    expect(deployed).toContain(`https://${WORKER}-staging.stand-in.workers.dev`);
    const created = await operator.type(
      'npm run admin -- brand create "Northwind Nutrition" --remote --env staging',
    );
    brands.set('staging', brandIn(created));
  });

  it('production by the workflow', async () => {
    const output = await operator.run('npx wrangler d1 create brand-integration-api-production');
    await operator.putDatabaseId(output, '[[env.production.d1_databases]]');
    expect(await runWorkflow('production')).toMatchObject({ code: 0 });
    const created = await operator.run(
      'npm run admin -- brand create "Northwind Nutrition" --remote --env production',
    );
    brands.set('production', brandIn(created));
  });

  it('each has its own database and rate limits', () => {
    const all = ['', '-staging', '-production'].map((suffix) => bindingsOf(WORKER + suffix));
    const values = all.flatMap((bindings) =>
      bindings.flatMap(
        (bound) => JSON.stringify(bound).match(/"(?:id|namespace_id)":"[^"]+"/g) ?? [],
      ),
    );
    expect(values).toHaveLength(9);
    expect(new Set(values).size).toBe(9);
  });

  it('a key is valid only in its own environment', async () => {
    const places = ['', 'staging', 'production'];
    for (const place of places) {
      const statuses = await Promise.all(
        places.map((from) => statusOf(address(place), brandOf(from).apiKey)),
      );
      expect(statuses).toEqual(places.map((from) => (from === place ? 200 : 401)));
    }
    await tour(address('production'), brandOf('production').apiKey);
  });
});

describe('A second version in production', () => {
  const second = async (): Promise<string | null> =>
    (await fetch(`${address('production')}/api/brand/v1/profile`)).headers.get('X-Second');

  it('a migration that fails half-way changes nothing, names the error, and the first version keeps serving', async () => {
    await operator.project.write(
      'migrations/9998_half.sql',
      'create table half (id integer primary key) strict;\ninsert into nowhere values (1);\n',
    );
    const { code, output } = await runWorkflow('production');
    expect(code).not.toBe(0);
    expect(output).toContain('9998_half.sql');
    expect(output).toContain('no such table: nowhere');
    const left = await operator.run(
      `npx wrangler d1 execute DB --remote --env production --json --command "select name from sqlite_master where name = 'half' union all select name from d1_migrations where name like '9998%'"`,
    );
    expect(JSON.parse(left)).toMatchObject([{ results: [] }]);
    expect(operator.account.workers.find(`${WORKER}-production`).versions).toHaveLength(1);
    await tour(address('production'), brandOf('production').apiKey);
  });

  it('the fixed migration is applied', async () => {
    await operator.project.write(
      'migrations/9998_half.sql',
      'create table half (id integer primary key) strict;\n',
    );
    await operator.project.write(
      'src/second.ts',
      `import first from './index.ts';
       export default { ...first, async fetch(request, env, context) {
         const response = await first.fetch(request, env, context);
         const headers = new Headers(response.headers);
         headers.set('X-Second', 'yes');
         return new Response(response.body, { status: response.status, headers });
       } };`,
    );
    const toml = await operator.project.read('wrangler.toml');
    await operator.project.write('wrangler.toml', toml.replace('src/index.ts', 'src/second.ts'));
    expect(await second()).toBeNull();
    expect(await runWorkflow('production')).toMatchObject({ code: 0 });
    expect(await second()).toBe('yes');
    await operator.project.write('wrangler.toml', toml);
  });

  it('is in the lists, and is rolled back on the tables of the second', async () => {
    const versions = operator.account.workers.find(`${WORKER}-production`).versions;
    expect(versions).toHaveLength(2);
    for (const command of ['versions', 'deployments']) {
      const list = await operator.run(`npx wrangler ${command} list --env production`);
      for (const { id } of versions) expect(list).toContain(id);
    }
    await operator.type('npx wrangler rollback --env production');
    expect(await second()).toBeNull();
    await tour(address('production'), brandOf('production').apiKey);
  });

  it('the other environments are not affected', () => {
    for (const suffix of ['', '-staging']) {
      expect(operator.account.workers.find(WORKER + suffix).versions).toHaveLength(1);
    }
  });

  it('is not deployed at a terminal where the question about its migration is answered with no', async () => {
    const environment = { ...operator.project.environment, CI: 'false' };
    const { code, screen } = await atTerminal(
      'npm run deploy -- --env staging',
      { folder: operator.project.folder, environment },
      { question: 'continue?', answer: 'n' },
    );
    expect(screen).toContain('error: The migrations are not all applied');
    expect(code).toBe(1);
    expect(operator.account.workers.find(`${WORKER}-staging`).versions).toHaveLength(1);
  });
});

describe('Brands and keys in production', () => {
  const status = (apiKey: string): Promise<number> => statusOf(address('production'), apiKey);
  const keys: Brand[] = [];

  it('list, issue, rotate and revoke, each effective with the next request', async () => {
    const first = brandOf('production');
    operator.values.set('BRAND_ID', first.brandId);
    operator.values.set('KEY_ID', first.keyId);
    const list = await operator.run('npm run admin -- brand list --remote --env production');
    expect(list).toContain(first.brandId);
    expect(list).not.toContain(brandOf('staging').brandId);
    expect(
      await operator.type('npm run admin -- brand show BRAND_ID --remote --env production'),
    ).toContain(first.brandId);
    for (const command of [
      'npm run admin -- key issue BRAND_ID --label "warehouse sync" --remote --env production',
      'npm run admin -- key issue BRAND_ID --label "report" --scope read --expires-in 90d --remote --env production',
      'npm run admin -- key rotate KEY_ID --overlap 7d --remote --env production',
    ]) {
      keys.push(brandIn(await operator.type(command)));
    }
    for (const { apiKey } of [first, ...keys]) expect(await status(apiKey)).toBe(200);
    operator.values.set('bik_XXXXXXXX', first.apiKey.slice(0, 12));
    expect(
      await operator.type(
        'npm run admin -- key list --prefix bik_XXXXXXXX --remote --env production',
      ),
    ).toContain(first.keyId);
    await operator.type('npm run admin -- key revoke KEY_ID --remote --env production');
    expect(await status(first.apiKey)).toBe(401);
    for (const { apiKey } of keys) expect(await status(apiKey)).toBe(200);
    expect(
      await operator.type('npm run admin -- key list BRAND_ID --remote --env production'),
    ).toMatch(/warehouse sync[^]*report/);
    await operator.type(
      'npm run admin -- brand suspend BRAND_ID --reason "unpaid invoice" --remote --env production',
    );
    for (const { apiKey } of keys) expect(await status(apiKey)).toBe(403);
    await operator.type('npm run admin -- brand resume BRAND_ID --remote --env production');
    for (const { apiKey } of keys) expect(await status(apiKey)).toBe(200);
    const [writer] = keys;
    if (writer) brands.set('production', writer);
  });

  it('delete at a terminal asks for the name, and a brand that was exported is created again', async () => {
    const doomed = brandIn(
      await operator.run('npm run admin -- brand create Doomed --remote --env production'),
    );
    operator.values.set('BRAND_ID', doomed.brandId);
    await operator.type(
      'npm run admin -- brand export BRAND_ID --to ../brand.json --remote --env production',
    );
    const command = operator.take(
      'npm run admin -- brand delete BRAND_ID --remote --env production',
    );
    const answer = (text: string): ReturnType<typeof atTerminal> =>
      atTerminal(command, operator.project, { question: "Type the brand's name", answer: text });
    const refused = await answer('Doomsday');
    expect(refused.screen).toContain('Nothing was deleted');
    expect([refused.code, await status(doomed.apiKey)]).toEqual([1, 200]);
    const stopped = await answer('\u0003');
    expect(stopped.screen).toContain('error: Stopped. Nothing was deleted.');
    expect([stopped.code, await status(doomed.apiKey)]).toEqual([130, 200]);
    const deleted = await answer('Doomed');
    expect(deleted.screen).toContain(doomed.brandId);
    expect([deleted.code, await status(doomed.apiKey)]).toEqual([0, 401]);

    await operator.type('npm run admin -- brand import ../brand.json --remote --env production');
    expect(await status(doomed.apiKey)).toBe(401);
    const rotated = await operator.type(
      'npm run admin -- key rotate --brand BRAND_ID --overlap 0s --remote --env production',
    );
    const [apiKey = ''] = /bik_\w{49}/.exec(rotated) ?? [];
    expect(await status(apiKey)).toBe(200);
    await operator.run(
      `npm run admin -- brand delete ${doomed.brandId} --yes --remote --env production`,
    );
    operator.values.set('BRAND_ID', brandOf('production').brandId);
  });
});

describe('Backups of production', () => {
  const titles = async (): Promise<string[]> =>
    (await all(client('production').products.list())).map(({ title }) => title);
  const add = (title: string): Promise<unknown> =>
    client('production').products.create({ title, priceCents: 1 });
  const follow = (since: string): Promise<Response> =>
    fetch(`${address('production')}/api/brand/v1/products?since=${since}`, {
      headers: { Authorization: `Bearer ${brandOf('production').apiKey}` },
    });
  /** A token of now. */
  const token = async (): Promise<string> =>
    String(record(await (await follow('0')).json())['since']);

  it('restores an earlier time, and undoes that', async () => {
    await add('Before');
    const before = await titles();
    const { brandId } = brandOf('production');
    const leaked = brandIn(
      await operator.run(`npm run admin -- key issue ${brandId} --remote --env production`),
    );
    // The simulated account keeps the state of now.
    await operator.type('npx wrangler d1 time-travel info DB --env production');
    const moment = new Date().toISOString();
    operator.values.set('2026-11-20T09:30:00Z', moment);
    operator.values.set('2026-11-20T09:30:00.000Z', moment);
    await add('A mistake');
    const mistaken = await titles();
    const undone = await token();
    await operator.run(`npm run admin -- key revoke ${leaked.keyId} --remote --env production`);
    await operator.type(
      'npm run -s admin -- audit --since 31d --json --remote --env production > ../audit.json',
    );
    await operator.type(
      'npx wrangler d1 time-travel info DB --env production --timestamp 2026-11-20T09:30:00Z',
    );
    const output = await operator.type(
      'npx wrangler d1 time-travel restore DB --env production --timestamp 2026-11-20T09:30:00Z',
    );
    expect(await titles()).toEqual(before);
    expect(await statusOf(address('production'), leaked.apiKey)).toBe(200);
    const again = await operator.type(
      `jq '.entries[] | select(.at >= "2026-11-20T09:30:00.000Z")' ../audit.json`,
    );
    expect(JSON.parse(again)).toMatchObject({ action: 'key.revoke', keyId: leaked.keyId });
    await operator.run(`npm run admin -- key revoke ${leaked.keyId} --remote --env production`);
    expect(await statusOf(address('production'), leaked.apiKey)).toBe(401);
    const reset = await atTerminal(
      operator.take('npm run admin -- tokens reset --all --remote --env production'),
      operator.project,
      { question: 'all brands (1) in the deployed database of the environment', answer: '1' },
    );
    expect([reset.code, reset.screen]).toEqual([0, expect.stringContaining('get 410')]);
    expect((await follow(undone)).status).toBe(410);
    expect((await follow(await token())).status).toBe(200);
    const [, bookmark = ''] = /previous bookmark: (\S+)/.exec(output) ?? [];
    await operator.run(
      `npx wrangler d1 time-travel restore DB --env production --bookmark ${bookmark}`,
    );
    expect(await titles()).toEqual(mistaken);
  });

  it('exports, and restores into a new database', async () => {
    // A row that is too long for one statement.
    const description = 'é'.repeat(65_000);
    await client('production').products.create({ title: 'Long', priceCents: 1, description });
    const exported = await titles();
    await operator.type('install -m 600 /dev/null ../backup.sql');
    await operator.type(
      'npx wrangler d1 export DB --remote --env production --output ../backup.sql',
    );
    await operator.type('npm run restorable -- ../backup.sql ../restore.sql');
    for (const name of ['backup.sql', 'restore.sql']) {
      const { mode, size } = await stat(join(operator.project.folder, '..', name));
      expect([name, mode & 0o777, size > 1000]).toEqual([name, 0o600, true]);
    }
    await add('After the export');
    const lost = await token();
    const created = await operator.type('npx wrangler d1 create brand-integration-api-restored');
    const [, id = ''] = /database_id = "([^"]+)"/.exec(created) ?? [];
    await operator.changeSection('[[env.production.d1_databases]]', (text) =>
      text
        .replace(/database_id = "[^"]+"/, `database_id = "${id}"`)
        .replace(/database_name = "[^"]+"/, 'database_name = "brand-integration-api-restored"'),
    );
    await operator.type(
      'npx wrangler d1 execute DB --remote --env production --file ../restore.sql',
    );
    expect(
      await operator.type('npx wrangler d1 migrations apply DB --remote --env production'),
    ).toContain('No migrations to apply');
    await operator.type('npm run admin -- tokens reset --all --yes --remote --env production');
    await operator.type('npm run deploy -- --env production');
    expect(await titles()).toEqual(exported);
    expect((await follow(lost)).status).toBe(410);
    await tour(address('production'), brandOf('production').apiKey);
  });

  it('opens the copy on this machine', async () => {
    await operator.type('mkdir -m 700 ../restored');
    await operator.type(
      'npx wrangler d1 execute DB --local --persist-to ../restored --file ../restore.sql --yes',
    );
    expect(await operator.type('npm run admin -- brand list --persist-to ../restored')).toContain(
      brandOf('production').brandId,
    );
    await operator.type('rm -r ../restored');
  });
});

describe('Logs of production', () => {
  const followed = documentedCommands().filter((command) =>
    command.startsWith('npx wrangler tail '),
  );

  it.each(followed)('%s', async (command) => {
    const database = operator.account.databases.find('brand-integration-api-restored');
    const { apiKey } = brandOf('production');
    const request = (): Promise<number> => statusOf(address('production'), apiKey);
    // Without its table a list is an error, which every filter of the documents lets through.
    await operator.account.databases.run(database, 'alter table products rename to elsewhere');
    const line = await firstLine(operator.take(command), operator.project, async () => {
      expect(await request()).toBe(500);
    });
    await operator.account.databases.run(database, 'alter table elsewhere rename to products');
    expect(JSON.parse(line)).toMatchObject({ route: '/api/brand/v1/products' });
    expect(await request()).toBe(200);
  });
});

describe('At the end', () => {
  it('every documented command was run, or cannot run here', async () => {
    const failed: string[] = [];
    for (const command of operator.left().filter((line) => !(line in NOT_HERE))) {
      const { code, stdout, stderr } = await operator.attempt(command);
      if (code !== 0) failed.push(`${command}: ${stdout}${stderr}`);
    }
    expect(failed).toEqual([]);
    expect(Object.keys(NOT_HERE).filter((line) => !documentedCommands().includes(line))).toEqual(
      [],
    );
  });

  it("every command of the operators' tool ran on the database of an environment", async () => {
    const isRun = (command: string): boolean =>
      operator.lines.some(
        (line) =>
          line.startsWith(`npm run admin -- ${command} `) &&
          /--remote .*--env|--env .*--remote/.test(line),
      );
    const commands = await adminCommands();
    expect(commands).toContain('key rotate');
    // several-databases.test.ts runs the one that is left.
    expect(commands.filter((command) => !isRun(command))).toEqual(['database add']);
  });

  it('no other document has commands for operators', () => {
    const known = [...documentedCommands(), ...documentedCommands(MANY_DATABASES)];
    expect(commandsAnywhere().filter((command) => !known.includes(command))).toEqual([]);
  });

  it('wrangler used no endpoint that the simulated account does not have', () => {
    expect(operator.account.unknown).toEqual([]);
  });

  it('nothing in the project was changed', () => {
    expect(existsSync('migrations/9998_half.sql')).toBe(false);
  });
});
