import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../tools/admin/database.ts';
import { adminProgram } from '../../tools/admin/run.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';
import { commandsOf, wordsOf } from './commands.ts';
import { migratedFolder } from './pool.ts';
import type { TemporaryFolder } from './processes.ts';
import { AdminTool, records, runScript, runScriptWith, temporaryFolder } from './processes.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const KEY = /^bik_[0-9A-Za-z]{49}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LABEL = "Ann's 🗝; key";
/** The text of a key that somebody pastes. Not one of a test's keys, which may end up in a report. */
const PASTED = `bik_${'Aa0'.repeat(16)}Z`;
const NOBODY = '01890000-0000-7000-8000-000000000000';

type Document = Record<string, unknown>;

/** Names that a shell or SQL could take for something else, of the brand of each part. */
const NAMES = {
  first: 'A COMMIT; BEGIN TRANSACTION; B',
  keyHolder: "O'Brien; drop table brands; --",
  follower: 'say "hi" \\ 100 % $HOME `id`',
  doomed: 'Größe 🧴 名前',
  second: 'COMMIT; BEGIN TRANSACTION;',
} as const;
const ACTOR = 'Ann 🗝';

let folder: TemporaryFolder;
let admin: AdminHere;

// The parts share the brands, and the lists.
let made: Record<keyof typeof NAMES, Document>;
let listedBrands: Document[];

beforeAll(async () => {
  folder = await migratedFolder();
  // One command in its own process, before this one opens the database.
  const first = await new AdminTool(folder.path).json('brand', 'create', NAMES.first);
  admin = await openAdminHere(folder.path);
  const create = (name: keyof typeof NAMES, ...args: readonly string[]): Promise<Document> =>
    admin.json('brand', 'create', NAMES[name], ...args);
  made = {
    first,
    keyHolder: await create('keyHolder'),
    follower: await create('follower'),
    doomed: await create('doomed', '--actor', ACTOR),
    second: await create('second'),
  };
  listedBrands = records((await admin.json('brand', 'list'))['brands']);
});

afterAll(async () => {
  await admin.close();
  await folder.remove();
});

/** How many hours a time is ahead. */
function hoursAhead(time: unknown): number {
  expect(time).toMatch(TIME);
  return (Date.parse(String(time)) - Date.now()) / 3_600_000;
}

describe('a database without tables', () => {
  it('is reported with the command that creates them', async () => {
    const empty = await temporaryFolder();
    const { code, stderr } = await new AdminTool(empty.path).run('brand', 'list');
    expect(code).toBe(1);
    expect(stderr).toContain(`wrangler d1 migrations apply DB --local --persist-to=${empty.path}`);
    await empty.remove();
  });
});

describe('brand', () => {
  it('create keeps the name as it is written, and prints the new key', () => {
    const all = Object.values(made);
    for (const document of all) {
      expect(Object.keys(document).sort()).toEqual(['apiKey', 'brandId', 'brandName', 'keyId']);
      expect(document['brandId']).toMatch(UUID);
      expect(document['keyId']).toMatch(UUID);
      expect(document['apiKey']).toMatch(KEY);
    }
    expect(all.map(({ brandName }) => brandName)).toEqual(Object.values(NAMES));
    expect(listedBrands.map(({ brandId, brandName }) => [brandId, brandName])).toEqual(
      all.toReversed().map(({ brandId, brandName }) => [brandId, brandName]),
    );
  });

  it('delete requires --yes without a terminal', async () => {
    const { brandId } = made.doomed;
    const refused = await admin.run('brand', 'delete', String(brandId), '--json');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('--yes');

    const deleted = await admin.json('brand', 'delete', String(brandId), '--yes');
    expect(deleted).toEqual({ deletedBrandId: brandId });
    const others = listedBrands.filter((brand) => brand['brandId'] !== brandId);
    listedBrands = records((await admin.json('brand', 'list'))['brands']);
    expect(listedBrands).toEqual(others);
  });
});

describe('key', () => {
  let brandId: string;
  let first: Document;
  let issued: Document;
  let limited: Document;
  let revoked: Document;
  let rotated: Document;
  let rotatedSoon: Document;
  let rotatedNow: Document;
  let list: Document;

  // All are run once, and one list at the end tells what came of them.
  beforeAll(async () => {
    first = made.keyHolder;
    brandId = String(first['brandId']);
    issued = await admin.json('key', 'issue', brandId);
    const options = ['--scope', 'read', '--expires-in', '90d', '--label', LABEL];
    limited = await admin.json('key', 'issue', brandId, ...options);
    revoked = await admin.json('key', 'issue', brandId);
    await admin.json('key', 'revoke', String(revoked['keyId']));
    const rotate = (key: Document, ...args: string[]): Promise<Document> =>
      admin.json('key', 'rotate', String(key['keyId']), ...args);
    rotated = await rotate(first);
    rotatedSoon = await rotate(limited, '--overlap', '1h');
    rotatedNow = await rotate(rotatedSoon, '--overlap', '0s');
    list = await admin.json('key', 'list', brandId);
  });

  const listed = ({ keyId }: Document): Document =>
    records(list['keys']).find((key) => key['keyId'] === keyId) ?? {};

  it('issue and rotate print the new key', () => {
    for (const document of [issued, limited, rotated, rotatedSoon, rotatedNow]) {
      expect(Object.keys(document).sort()).toEqual(['apiKey', 'brandId', 'expiresAt', 'keyId']);
      expect(document['brandId']).toBe(brandId);
      expect(document['keyId']).toMatch(UUID);
      expect(document['apiKey']).toMatch(KEY);
    }
  });

  it('list shows only the first characters of keys', () => {
    const all = [first, issued, limited, revoked, rotated, rotatedSoon, rotatedNow];
    expect(records(list['keys']).map(({ keyId, prefix }) => [keyId, prefix])).toEqual(
      all.map(({ keyId, apiKey }) => [keyId, String(apiKey).slice(0, 12)]),
    );
    for (const { apiKey } of all) {
      expect(JSON.stringify(list)).not.toContain(String(apiKey).slice(12));
    }
  });

  it('issue creates a key with the scope write that does not expire', () => {
    expect(issued['expiresAt']).toBeNull();
    expect(listed(issued)).toMatchObject({ scope: 'write', status: 'live', expiresAt: null });
  });

  it('issue takes --scope, --expires-in and --label', () => {
    expect(hoursAhead(limited['expiresAt'])).toBeCloseTo(90 * 24, 0);
    expect(listed(limited)).toMatchObject({ scope: 'read', label: LABEL });
  });

  it('revoke revokes a key', () => {
    expect(listed(revoked)['status']).toBe('revoked');
    expect(listed(revoked)['revokedAt']).toMatch(TIME);
    expect(listed(issued)['revokedAt']).toBeNull();
  });

  it('rotate keeps the old key valid for a day', () => {
    expect(listed(first)['status']).toBe('live');
    expect(hoursAhead(listed(first)['expiresAt'])).toBeCloseTo(24, 0);
    expect(listed(rotated)).toMatchObject({ status: 'live', scope: 'write', expiresAt: null });
  });

  it('rotate takes --overlap and keeps scope and label', () => {
    expect(hoursAhead(listed(limited)['expiresAt'])).toBeCloseTo(1, 0);
    expect(listed(limited)['status']).toBe('live');
    expect(listed(rotatedSoon)['status']).toBe('expired');
    expect(listed(rotatedNow)).toMatchObject({ status: 'live', scope: 'read', label: LABEL });
  });

  it('rotate keeps the lifetime, unless --expires-in or --no-expiry says otherwise', async () => {
    expect(hoursAhead(rotatedSoon['expiresAt'])).toBeCloseTo(90 * 24, 0);
    expect(hoursAhead(rotatedNow['expiresAt'])).toBeCloseTo(90 * 24, 0);
    const rotate = (key: Document, ...args: string[]): Promise<Document> =>
      admin.json('key', 'rotate', String(key['keyId']), ...args);
    const week = await rotate(made.second, '--expires-in', '7d');
    expect(hoursAhead(week['expiresAt'])).toBeCloseTo(7 * 24, 0);
    expect((await rotate(week, '--no-expiry'))['expiresAt']).toBeNull();
  });

  it('rotate names the successor of a key that was rotated', async () => {
    const { code, stderr } = await admin.run('key', 'rotate', String(first['keyId']));
    expect(code).toBe(1);
    expect(stderr).toContain(`Its successor is ${String(rotated['keyId'])}.`);
  });

  it('list shows that the brand is suspended, and audit why', async () => {
    const { brandId: stopped } = made.follower;
    const suspended = await admin.json('brand', 'suspend', String(stopped), '--reason', 'unpaid');
    expect(suspended).toEqual({ suspendedBrandId: stopped });
    const { stdout } = await admin.run('key', 'list', String(stopped));
    expect(stdout).toMatch(/│ suspended 20\S+Z +│/);
    const again = await admin.run('brand', 'suspend', String(stopped));
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('has been suspended since 20'),
    ]);
    const resumed = await admin.json('brand', 'resume', String(stopped));
    expect(resumed).toEqual({ resumedBrandId: stopped });
    const { stderr } = await admin.run('brand', 'resume', String(stopped));
    expect(stderr).toContain('is not suspended');
    const { entries } = await admin.json('audit', '--brand', String(stopped));
    const expected = { action: 'brand.suspend', details: { reason: 'unpaid' } };
    expect(records(entries).slice(-2)).toMatchObject([expected, { action: 'brand.resume' }]);
  });

  it('list shows at a glance which keys are live', async () => {
    const { stdout, stderr } = await admin.run('key', 'list', brandId);
    const row = ({ keyId }: Document): string =>
      stdout.split('\n').find((line) => line.includes(String(keyId))) ?? '';
    expect(row(issued)).toMatch(/^│ LIVE +│/);
    expect(row(first)).toMatch(/^│ LIVE until 20\S+Z \(rotated\) +│/);
    expect(row(revoked)).toMatch(/^│ revoked 20\S+Z +│/);
    expect(row(rotatedSoon)).toMatch(/^│ expired 20\S+Z +│/);
    expect(stderr).toContain('7 keys.');
  });

  it.each([
    ['rotate', 'There is no live key'],
    ['revoke', 'has been revoked since 20'],
  ])('%s rejects a revoked key', async (command, reason) => {
    const keyId = String(revoked['keyId']);
    const { code, stdout, stderr } = await admin.run('key', command, keyId, '--json');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
  });

  it('rotate says until when the old key is valid, and in which database', async () => {
    const { code, stderr } = await admin.run('key', 'rotate', String(issued['keyId']));
    expect(code).toBe(0);
    const [, time] = /The old key is valid until (\S+)\.\n/.exec(stderr) ?? [];
    expect(hoursAhead(time)).toBeCloseTo(24, 1);
    expect(stderr).toContain('This was the local database. Add --remote');
  });

  it('a failure names the database in a line of its own', async () => {
    const { code, stderr } = await admin.run('key', 'list', 'nobody');
    expect([code, stderr.split('\n')]).toEqual([
      1,
      [
        'error: There is no brand nobody.',
        'This was the local database. Add --remote to use the deployed one.',
        '',
      ],
    ]);
  });

  it('the environment that wrangler takes from a variable is named', async () => {
    const variables = { CLOUDFLARE_ENV: 'staging' };
    const args = ['brand', 'list', '--persist-to', folder.path];
    const { stderr } = await runScriptWith(variables, 'admin', ...args);
    expect(stderr).toContain('This was the local database of the environment staging.');
  });

  it.each([
    ['key', 'revoke'],
    ['brand', 'delete'],
  ])('%s %s does not repeat an API key in the place of an id', async (...command) => {
    const apiKey = String(issued['apiKey']);
    const { code, stderr } = await admin.run(...command, apiKey);
    expect([code, stderr]).toEqual([1, expect.stringContaining(' list shows the id')]);
    expect(stderr).not.toContain(apiKey);
  });
});

describe('audit', () => {
  it('lists the actions with --actor or the account name, even after the brand is deleted', async () => {
    const { brandId, keyId } = made.doomed;
    const { entries } = await admin.json('audit', '--brand', String(brandId));
    const details = { brandName: NAMES.doomed };
    const key = { scope: 'write', label: '', expiresAt: null };
    const at: unknown = expect.stringMatching(TIME);
    const account = userInfo().username;
    expect(entries).toEqual([
      { at, action: 'brand.create', brandId, keyId, actor: ACTOR, details: { ...details, ...key } },
      { at, action: 'brand.delete.begin', brandId, keyId: null, actor: account, details },
      { at, action: 'brand.delete.done', brandId, keyId: null, actor: account, details },
    ]);
    const all = await admin.run('audit');
    expect(all.stdout).toContain(`brandName: ${NAMES.doomed}`);
    expect(all.stdout).toContain(NAMES.keyHolder);
    expect(all.stdout).toMatch(/scope: read[^]*label: Ann's[^]*expiresAt: 20[^]*expiresAt: none/);
  });
});

describe('tokens', () => {
  it('reset ends the tokens of one brand or of all, and notes it', async () => {
    const { brandId } = made.follower;
    const brands = listedBrands;
    expect(brands.length).toBeGreaterThan(1);
    expect(await admin.json('tokens', 'reset', '--brand', String(brandId))).toEqual({
      resetBrands: 1,
    });
    const all = await admin.run('tokens', 'reset', '--all', '--yes', '--actor', 'Ann');
    expect([all.code, all.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`resetBrands.*${brands.length}`, 's')),
    ]);
    expect(all.stderr).toContain('since=0');
    const entries = records((await admin.json('audit'))['entries']);
    expect(entries.slice(-2)).toMatchObject([
      { action: 'tokens.reset', brandId, details: {} },
      { action: 'tokens.reset', brandId: null, actor: 'Ann', details: { brands: brands.length } },
    ]);
  });
});

describe('--env without --remote', () => {
  const refusal = /^error: --env names a deployed database\. Add --remote, or leave out --env/;

  it.each(
    commandsOf(adminProgram(openDatabase)).map((command) => [
      ...wordsOf(command),
      ...command.registeredArguments.map(() => NOBODY),
    ]),
  )('is refused: %s %s %s', async (...words) => {
    const before = await admin.json('audit');
    const { code, stdout, stderr } = await admin.run(...words, '--env', 'production');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(refusal)]);
    expect(await admin.json('audit')).toEqual(before);
  });
});

describe('an invalid command', () => {
  const refused: readonly [says: string, ...args: string[]][] = [
    ['brand name', 'brand', 'create', ''],
    ['1 to 255 characters', 'brand', 'create', 'x'.repeat(100_000)],
    ['label', 'brand', 'create', 'A name', '--label', 'x'.repeat(300)],
    ['without control characters', 'key', 'issue', NOBODY, '--label', 'two\nlines'],
    ['--actor', 'brand', 'create', 'A name', '--actor', ''],
    ["' or 1=1 --", 'audit', '--brand', "' or 1=1 --"],
    ['label', 'key', 'rotate', NOBODY, '--label', '\u001b[31m'],
    [NOBODY, 'brand', 'delete', NOBODY, '--yes'],
    [NOBODY, 'brand', 'show', NOBODY],
    ['There is no brand x.', 'brand', 'list', '--after', 'x'],
    ['There is no key x.', 'key', 'list', '--after', 'x'],
    [NOBODY, 'key', 'list', NOBODY],
    [NOBODY, 'key', 'rotate', '--brand', NOBODY],
    [NOBODY, 'brand', 'suspend', NOBODY],
    [NOBODY, 'brand', 'resume', NOBODY],
    ['reason', 'brand', 'suspend', NOBODY, '--reason', ''],
    ['contains an API key', 'brand', 'suspend', NOBODY, '--reason', `leaked: ${PASTED}`],
    ['contains an API key', 'brand', 'create', PASTED],
    ['contains an API key', 'brand', 'resume', NOBODY, '--actor', `Ann (${PASTED.slice(0, 13)})`],
    ['contains an API key', 'key', 'issue', NOBODY, '--label', PASTED],
    ['contains an API key', 'brand', 'list', '--search', PASTED],
    ['--search', 'brand', 'list', '--search', 'x'.repeat(70_000)],
    [NOBODY, 'key', 'issue', NOBODY],
    [NOBODY, 'key', 'rotate', NOBODY],
    [`There is no key ${NOBODY}.`, 'key', 'revoke', NOBODY],
    [NOBODY, 'tokens', 'reset', '--brand', NOBODY],
    ["' or 1=1 --", 'tokens', 'reset', '--brand', "' or 1=1 --"],
    ["' or 1=1 --", 'key', 'revoke', "' or 1=1 --"],
    ['There is no brand all.', 'tokens', 'reset', '--brand', 'all', '--yes'],
    ['Without a terminal, --all requires --yes.', 'tokens', 'reset', '--all'],
  ];
  const misused: typeof refused = [
    ['--scope', 'key', 'issue', NOBODY, '--scope', 'admin'],
    ['--expires-in', 'key', 'issue', NOBODY, '--expires-in', 'soon'],
    ['would have expired', 'key', 'issue', NOBODY, '--expires-in', '0d'],
    ['would have expired', 'key', 'rotate', NOBODY, '--expires-in', '0s'],
    ['--no-expiry', 'key', 'rotate', NOBODY, '--expires-in', '1d', '--no-expiry'],
    ['--overlap', 'key', 'rotate', NOBODY, '--overlap', '-1h'],
    ['Give --brand <brandId>, or --all', 'tokens', 'reset'],
    ['Give --brand <brandId>, or --all', 'tokens', 'reset', '--yes'],
    ['--brand', 'tokens', 'reset', '--brand', NOBODY, '--all', '--yes'],
    ['nonsense', 'nonsense'],
    ['Give a keyId, or --brand', 'key', 'rotate'],
    ['Give a keyId, or --brand', 'key', 'rotate', NOBODY, '--brand', NOBODY],
    ['--label', 'key', 'rotate', '--brand', NOBODY, '--label', 'x'],
    ['--limit', 'brand', 'list', '--limit', '0'],
    ['--limit', 'key', 'list', '--limit', '1001'],
    ['--limit', 'audit', '--limit', 'all'],
    ['--since', 'audit', '--since', 'yesterday'],
    ['--since', 'audit', '--since', '2026-13-01'],
    ['--since', 'audit', '--since', '2026-02-31'],
    ['--since', 'audit', '--since', '2026-11-01T09:30:00'],
    ['--since', 'audit', '--since', '99999999999d'],
    ['--persist-to', 'brand', 'list', '--persist-to', ''],
    ['There is no such folder', 'brand', 'create', 'Lost', '--persist-to', './not-there'],
    ['--label has no value', 'key', 'issue', NOBODY, '--label', '--expires-in=90d'],
    ['--actor has no value', 'brand', 'delete', NOBODY, '--actor', '--yes'],
    ['--search has no value', 'brand', 'list', '--search'],
    ['--action', 'audit', '--action', 'brand.delete'],
    ['--prefix', 'key', 'list', '--prefix', 'abc'],
    ['--expiring-in', 'key', 'list', '--expiring-in', 'soon'],
    ["missing required argument 'brandId'", 'brand', 'show'],
  ];

  it.each([
    ...refused.map(([says, ...args]) => ({ exit: 1, says, args })),
    ...misused.map(([says, ...args]) => ({ exit: 2, says, args })),
  ])('exits with $exit, says so on standard error, and names $says', async (wrong) => {
    const { exit, says, args } = wrong;
    const { code, stdout, stderr } = await admin.run(...args, '--json');
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(/^error: .+/);
    expect(stderr).toContain(says);
    // A sentence, not a stack.
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toMatch(/insert into|SQLITE_/);
  });

  it('names an environment that wrangler.toml does not have', async () => {
    const words = ['brand', 'list', '--remote', '--env', 'nowhere', '--json'];
    const { code, stdout, stderr } = await runScript('admin', ...words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .+"nowhere"/);
  });
});

describe('the help', () => {
  it('shows durations as people type them', async () => {
    const { code, stdout } = await admin.run('key', 'rotate', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('(default: 24h)');
    expect(stdout).not.toContain('86400');
  });
});
