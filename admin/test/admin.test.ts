import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { usesDatabase } from '../src/commands/command.ts';
import { configured } from '../src/database/configuration.ts';
import { openDatabase } from '../src/database/connect.ts';
import { Databases } from '../src/home/databases.ts';
import { adminProgram } from '../src/run.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';
import { commandsOf, wordsOf } from '../../test/node/commands.ts';
import { records } from '../../test/node/processes.ts';

const A_UUID: unknown = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);
const A_KEY: unknown = expect.stringMatching(/^bik_[0-9A-Za-z]{49}$/);
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

let admin: AdminHere;

// The parts share the brands, and the lists.
let made: Record<keyof typeof NAMES, Document>;
let listedBrands: Document[];

beforeAll(async () => {
  admin = await openAdminHere();
  const create = (name: keyof typeof NAMES, ...args: readonly string[]): Promise<Document> =>
    admin.json('brand', 'create', NAMES[name], ...args);
  made = {
    first: await create('first'),
    keyHolder: await create('keyHolder'),
    follower: await create('follower'),
    doomed: await create('doomed', '--actor', ACTOR),
    second: await create('second'),
  };
  listedBrands = records((await admin.json('brand', 'list'))['brands']);
});

afterAll(() => admin.close());

/** How many hours a time is ahead. */
function hoursAhead(time: unknown): number {
  expect(time).toMatch(TIME);
  return (Date.parse(String(time)) - Date.now()) / 3_600_000;
}

it('`brand create` keeps the name as it is written, and prints the new key', () => {
  const all = Object.values(made);
  for (const document of all) {
    expect(document).toEqual({
      brandId: A_UUID,
      keyId: A_UUID,
      apiKey: A_KEY,
      brandName: document['brandName'],
    });
  }
  expect(all.map(({ brandName }) => brandName)).toEqual(Object.values(NAMES));
  expect(listedBrands.toReversed()).toMatchObject(
    all.map(({ brandId, brandName }) => ({ brandId, brandName })),
  );
});

it('`brand delete` requires --yes without a terminal', async () => {
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

describe('key', () => {
  let brandId: string;
  let first: Document;
  let issued: Document;
  let limited: Document;
  let rotated: Document;
  let rotatedSoon: Document;
  let list: Document;

  const rotate = ({ keyId }: Document, ...args: string[]): Promise<Document> =>
    admin.json('key', 'rotate', String(keyId), ...args);

  // All are run once, and one list at the end tells what came of them.
  beforeAll(async () => {
    first = made.keyHolder;
    brandId = String(first['brandId']);
    issued = await admin.json('key', 'issue', brandId);
    const options = ['--scope', 'read', '--expires-in', '90d', '--label', LABEL];
    limited = await admin.json('key', 'issue', brandId, ...options);
    rotated = await rotate(first);
    rotatedSoon = await rotate(limited, '--overlap', '0s');
    await admin.json('key', 'revoke', String(issued['keyId']));
    list = await admin.json('key', 'list', brandId);
  });

  const listed = ({ keyId }: Document): Document =>
    records(list['keys']).find((key) => key['keyId'] === keyId) ?? {};

  it('`key issue` and `key rotate` print the new key, and `key list` only its first characters', () => {
    const all = [first, issued, limited, rotated, rotatedSoon];
    for (const document of all.slice(1)) {
      expect(Object.keys(document).sort()).toEqual(['apiKey', 'brandId', 'expiresAt', 'keyId']);
      expect(document).toMatchObject({ brandId, keyId: A_UUID, apiKey: A_KEY });
    }
    expect(records(list['keys']).map(({ keyId, prefix }) => [keyId, prefix])).toEqual(
      all.map(({ keyId, apiKey }) => [keyId, String(apiKey).slice(0, 12)]),
    );
    for (const { apiKey } of all) {
      expect(JSON.stringify(list)).not.toContain(String(apiKey).slice(12));
    }
  });

  it('`key issue` takes --scope, --expires-in and --label, which `key rotate` keeps, and has none by default', () => {
    const given = { scope: 'read', label: LABEL };
    expect(listed(issued)).toMatchObject({ scope: 'write', label: '', expiresAt: null });
    for (const key of [limited, rotatedSoon]) {
      expect(hoursAhead(key['expiresAt'])).toBeCloseTo(90 * 24, 0);
      expect(listed(key)).toMatchObject(given);
    }
  });

  it('`key rotate` keeps the old key valid for a day, or for --overlap', () => {
    expect(hoursAhead(listed(first)['expiresAt'])).toBeCloseTo(24, 0);
    const statuses = [first, limited, rotatedSoon].map((key) => listed(key)['status']);
    expect(statuses).toEqual(['live', 'expired', 'live']);
  });

  it('`key rotate` takes --expires-in and --no-expiry, and says until when the old key is valid', async () => {
    const week = await rotate(made.second, '--expires-in', '7d');
    expect(hoursAhead(week['expiresAt'])).toBeCloseTo(7 * 24, 0);
    expect((await rotate(week, '--no-expiry'))['expiresAt']).toBeNull();
    const { stderr } = await admin.run('key', 'rotate', String(made.first['keyId']));
    const [, time] = /The old key is valid until (\S+)\.\n/.exec(stderr) ?? [];
    expect(hoursAhead(time)).toBeCloseTo(24, 1);
  });

  it('`key list` shows that the brand is suspended, and `audit` why', async () => {
    const stopped = String(made.follower['brandId']);
    const reason = 'unpaid';
    expect(await admin.json('brand', 'suspend', stopped, '--reason', reason)).toEqual({
      suspendedBrandId: stopped,
    });
    const { stdout } = await admin.run('key', 'list', stopped);
    expect(stdout).toMatch(/│ suspended 20\S+Z +│/);
    const again = await admin.run('brand', 'suspend', stopped);
    expect(again.stderr).toContain('has been suspended since 20');
    expect(await admin.json('brand', 'resume', stopped)).toEqual({ resumedBrandId: stopped });
    expect((await admin.run('brand', 'resume', stopped)).stderr).toContain('is not suspended');
    const { entries } = await admin.json('audit', '--brand', stopped);
    const expected = { action: 'brand.suspend', details: { reason } };
    expect(records(entries).slice(-2)).toMatchObject([expected, { action: 'brand.resume' }]);
  });

  it('`key list` shows at a glance which keys are live', async () => {
    const { stdout, stderr } = await admin.run('key', 'list', brandId);
    const row = ({ keyId }: Document): string =>
      stdout.split('\n').find((line) => line.includes(String(keyId))) ?? '';
    expect(row(rotated)).toMatch(/^│ LIVE +│/);
    expect(row(first)).toMatch(/^│ LIVE until 20\S+Z \(rotated\) +│/);
    expect(row(issued)).toMatch(/^│ revoked 20\S+Z +│/);
    expect(row(limited)).toMatch(/^│ expired 20\S+Z +│/);
    expect(stderr).toContain('5 keys.');
  });

  it.each([
    ['rotate', () => issued, 'There is no live key'],
    ['revoke', () => issued, 'has been revoked since 20'],
    ['rotate', () => first, 'Its successor is '],
  ])('A key that is not live is neither rotated nor revoked: %s', async (command, key, reason) => {
    const keyId = String(key()['keyId']);
    const { code, stdout, stderr } = await admin.run('key', command, keyId, '--json');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
  });

  it('A failure names the database in a line of its own', async () => {
    const { code, stderr } = await admin.run('key', 'list', 'nobody');
    const database = 'This was the local database. Add --remote to use the deployed one.';
    const hint = 'To find the id of a brand: brand list --search "nobody"';
    expect([code, stderr]).toEqual([1, `error: There is no brand nobody. ${hint}\n${database}\n`]);
  });

  it('The environment that wrangler takes from a variable is named', async () => {
    vi.stubEnv('CLOUDFLARE_ENV', 'staging');
    const { stderr } = await admin.run('brand', 'list');
    vi.unstubAllEnvs();
    expect(stderr).toContain('This was the local database of the environment staging.');
  });
});

it('`audit` lists the actions with --actor or the account name, even after the brand is deleted', async () => {
  const { brandId, keyId } = made.doomed;
  const { entries } = await admin.json('audit', '--brand', String(brandId));
  // Its name and the labels of its keys are gone with it.
  const details = {};
  const key = { scope: 'write', expiresAt: null };
  const at: unknown = expect.stringMatching(TIME);
  const entry = { at, brandId, keyId: null, details };
  const actor = userInfo().username;
  expect(entries).toEqual([
    { ...entry, action: 'brand.create', keyId, actor: ACTOR, details: key },
    { ...entry, action: 'brand.delete.begin', actor },
    { ...entry, action: 'brand.delete.done', actor },
  ]);
  const { stdout } = await admin.run('audit');
  expect(stdout).not.toContain(NAMES.doomed);
  expect(stdout).toMatch(/scope: read[^]*label: Ann's[^]*expiresAt: 20[^]*expiresAt: none/);
});

it('`tokens reset` ends the tokens of one brand or of all, and says so', async () => {
  const { brandId } = made.follower;
  const brands = listedBrands.length;
  const one = await admin.json('tokens', 'reset', '--brand', String(brandId));
  expect(one).toEqual({ resetBrands: 1 });
  const all = await admin.run('tokens', 'reset', '--all', '--yes', '--json');
  expect(JSON.parse(all.stdout)).toEqual({ resetBrands: brands });
  expect(all.stderr).toContain('since=0');
  const entries = records((await admin.json('audit'))['entries']);
  expect(entries.slice(-2)).toMatchObject([
    { action: 'tokens.reset', brandId, details: {} },
    { action: 'tokens.reset', brandId: null, details: { brands } },
  ]);
});

it('`--env` without --remote is refused by every command', async () => {
  const refusal = /^error: --env names a deployed database\. Add --remote, or leave out --env/;
  const before = await admin.json('audit');
  const program = adminProgram(new Databases(openDatabase, configured));
  for (const command of commandsOf(program).filter(usesDatabase)) {
    const words = [...wordsOf(command), ...command.registeredArguments.map(() => NOBODY)];
    const { code, stdout, stderr } = await admin.run(...words, '--env', 'production');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(refusal)]);
  }
  expect(await admin.json('audit')).toEqual(before);
});

const REFUSED: readonly [says: string, ...args: string[]][] = [
  ['brand name', 'brand', 'create', ''],
  ['1 to 255 characters', 'brand', 'create', 'x'.repeat(100_000)],
  ['label', 'brand', 'create', 'A name', '--label', 'x'.repeat(300)],
  ['without control characters', 'key', 'issue', NOBODY, '--label', 'two\nlines'],
  ['--actor', 'brand', 'create', 'A name', '--actor', ''],
  ["' or 1=1 --", 'audit', '--brand', "' or 1=1 --"],
  [NOBODY, 'brand', 'delete', NOBODY, '--yes'],
  [NOBODY, 'brand', 'show', NOBODY],
  ['There is no brand x.', 'brand', 'list', '--after', 'x'],
  ['There is no key x.', 'key', 'list', '--after', 'x'],
  [NOBODY, 'brand', 'suspend', NOBODY],
  ['reason', 'brand', 'suspend', NOBODY, '--reason', ''],
  ['contains an API key', 'brand', 'suspend', NOBODY, '--reason', `leaked: ${PASTED}`],
  ['contains an API key', 'brand', 'create', PASTED],
  ['contains an API key', 'brand', 'resume', NOBODY, '--actor', `Ann (${PASTED.slice(0, 13)})`],
  ['contains an API key', 'brand', 'list', '--search', PASTED],
  [NOBODY, 'key', 'issue', NOBODY],
  [NOBODY, 'key', 'rotate', NOBODY],
  [`There is no key ${NOBODY}.`, 'key', 'revoke', NOBODY],
  [NOBODY, 'tokens', 'reset', '--brand', NOBODY],
  ['There is no brand all.', 'tokens', 'reset', '--brand', 'all', '--yes'],
  ['Without a terminal, --all requires --yes.', 'tokens', 'reset', '--all'],
];
const MISUSED: typeof REFUSED = [
  ['--scope', 'key', 'issue', NOBODY, '--scope', 'admin'],
  ['--expires-in', 'key', 'issue', NOBODY, '--expires-in', 'soon'],
  ['would have expired', 'key', 'issue', NOBODY, '--expires-in', '0d'],
  ['--no-expiry', 'key', 'rotate', NOBODY, '--expires-in', '1d', '--no-expiry'],
  ['--overlap', 'key', 'rotate', NOBODY, '--overlap', '-1h'],
  ['Give --brand <brandId>, or --all', 'tokens', 'reset'],
  ['--brand', 'tokens', 'reset', '--brand', NOBODY, '--all', '--yes'],
  ['nonsense', 'nonsense'],
  ['Give one of: a keyId, --brand', 'key', 'rotate'],
  ['Give one of: a keyId, --brand', 'key', 'rotate', NOBODY, '--brand', NOBODY],
  ['--label', 'key', 'rotate', '--brand', NOBODY, '--label', 'x'],
  ['--limit', 'brand', 'list', '--limit', '0'],
  ['--limit', 'key', 'list', '--limit', '1001'],
  ['--since', 'audit', '--since', '2026-02-31'],
  ['--since', 'audit', '--since', '2026-11-01T09:30:00'],
  ['--since', 'audit', '--since', '99999999999d'],
  ['--persist-to', 'brand', 'list', '--persist-to', ''],
  ['There is no such folder', 'brand', 'create', 'Lost', '--persist-to', './not-there'],
  ['--label has no value', 'key', 'issue', NOBODY, '--label', '--expires-in=90d'],
  ['--search has no value', 'brand', 'list', '--search'],
  ['--action', 'audit', '--action', 'brand.delete'],
  ['--prefix', 'key', 'list', '--prefix', 'abc'],
  ['--expiring-in', 'key', 'list', '--expiring-in', 'soon'],
  ["missing required argument 'brandId'", 'brand', 'show'],
];

it.each([
  ...REFUSED.map(([says, ...args]) => ({ exit: 1, says, args })),
  ...MISUSED.map(([says, ...args]) => ({ exit: 2, says, args })),
])(
  'An invalid command exits with 1 or 2, and names its fault: $exit, $says, $args',
  async ({ exit, says, args }) => {
    const { code, stdout, stderr } = await admin.run(...args, '--json');
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(/^error: .+/);
    expect(stderr).toContain(says);
    // A sentence, not a stack.
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toMatch(/insert into|SQLITE_/);
  },
);
