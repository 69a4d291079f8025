import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sha256 } from '../../src/hash.ts';
import type { Finished } from '../../test/node/processes.ts';
import { record, records } from '../../test/node/processes.ts';
import { revokeKey } from '../src/key/keys.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere, runHere } from './admin-here.ts';
import { interceptDatabase } from './intercept-database.ts';

// Which keys expire soon, and the rotation of many keys into a file.

type Document = Record<string, unknown>;

let admin: AdminHere;
let file = '';

beforeAll(async () => {
  admin = await openAdminHere();
});

// Each test has all brands and keys for itself.
beforeEach(async ({ task }) => {
  await admin.database.run(sql`delete from brands`, sql`delete from audit_trail`);
  file = join(admin.path, `keys ${task.id}.ndjson`);
});

afterAll(() => admin.close());

const DAY = 86_400_000;

const create = (name: string, ...words: readonly string[]): Promise<Document> =>
  admin.json('brand', 'create', name, ...words);

/** Sets for how many days a key was issued, and how many are left. */
async function setLife(key: Document, days: number, left: number): Promise<void> {
  const expiresAt = Date.now() + left * DAY;
  const [createdText, expiryText] = [expiresAt - days * DAY, expiresAt].map((time) =>
    new Date(time).toISOString(),
  );
  await admin.database.run(
    sql`update api_keys set created_at = ${createdText}, expires_at = ${expiryText} where id = ${key['keyId']}`,
  );
}

/** Creates brands whose keys expire soon, with labels of their own. */
async function createExpiring(count: number): Promise<Document[]> {
  const brands: Document[] = [];
  for (let n = 0; n < count; n++) brands.push(await create(`Größe ${n}`, '--label', `key ${n}`));
  for (const brand of brands) await setLife(brand, 90, 10);
  return brands;
}

const rotate = (...words: readonly string[]): Promise<Finished> =>
  admin.run('key', 'rotate', ...words, '--keys-to', file);

const rotated = (...words: readonly string[]): Promise<Document> =>
  admin.json('key', 'rotate', ...words, '--keys-to', file);

async function lines(): Promise<Document[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => record(JSON.parse(line)));
}

async function allKeys(): Promise<Document[]> {
  return records((await admin.json('key', 'list'))['keys']);
}

const idsOf = (keys: readonly Document[]): unknown[] => keys.map(({ keyId }) => keyId);

/** Each key that was replaced has its successor in the file, once, and the audit trail has each rotation once. */
async function expectAllInFile(replaced: readonly Document[]): Promise<void> {
  const found = await allKeys();
  const made = await lines();
  expect(made.map(({ replacedKeyId }) => replacedKeyId).sort()).toEqual(idsOf(replaced).sort());
  for (const line of made) {
    const { keyId, apiKey, replacedKeyId } = line;
    expect(found.find((key) => key['keyId'] === keyId)).toMatchObject({
      keyHash: (await sha256(String(apiKey))).slice(0, 16),
      status: 'live',
      brandId: line['brandId'],
      brandName: line['brandName'],
      label: line['label'],
      expiresAt: line['expiresAt'],
    });
    const old = found.find((key) => key['keyId'] === replacedKeyId);
    expect(old).toMatchObject({ replacedBy: keyId, expiresAt: line['replacedUntil'] });
  }
  const successors = found.flatMap(({ replacedBy }) => replacedBy ?? []);
  expect(successors.sort()).toEqual(idsOf(made).sort());
  const { entries } = await admin.json('audit', '--action', 'key.rotate');
  expect(idsOf(records(entries)).sort()).toEqual(idsOf(made).sort());
  await expect(stat(`${file}.begun`)).rejects.toThrow('ENOENT');
}

it.each([
  ['that was just issued for 10 days', 10, 10, false],
  ['of 10 days that has a third left', 10, 3.3, true],
  ['of 10 days that has more than a third left', 10, 3.4, false],
  ['of an hour that has 21 minutes left', 1 / 24, 21 / 60 / 24, false],
  ['of an hour that has 19 minutes left', 1 / 24, 19 / 60 / 24, true],
  ['of a year that has 31 days left', 365, 31, false],
  ['of a year that has 29 days left', 365, 29, true],
  ['of a year that has expired', 365, -1, false],
])(
  'A key expires soon if a third of its lifetime is left, say status, list and rotate: one %s',
  async (_, days, left, isSoon) => {
    const key = await create('Acme');
    await setLife(key, days, left);
    const expected = isSoon ? [key['keyId']] : [];
    const { code, stdout } = await admin.run('status', '--json');
    expect([code, idsOf(records(record(JSON.parse(stdout))['expiringKeys']))]).toEqual([
      isSoon ? 1 : 0,
      expected,
    ]);
    const listed = await admin.json('key', 'list', '--expiring-in', '30d');
    expect(idsOf(records(listed['keys']))).toEqual(expected);
    expect(await rotated('--expiring-in', '30d')).toMatchObject({ rotated: expected.length });
    // Its successor has replaced it.
    expect((await admin.run('status')).code).toBe(0);
    expect(await rotated('--expiring-in', '30d')).toMatchObject({ rotated: 0 });
  },
);

it('A time below 30 days is less, and one above shows what has a third of its lifetime left', async () => {
  const year = await create('Year');
  await setLife(year, 365, 60);
  const month = await create('Month');
  await setLife(month, 90, 10);
  const within = async (time: string): Promise<unknown[]> =>
    idsOf(records((await admin.json('key', 'list', '--expiring-in', time))['keys']));
  expect(await within('9d')).toEqual([]);
  expect(await within('30d')).toEqual([month['keyId']]);
  expect(await within('90d')).toEqual([year['keyId'], month['keyId']]);
});

it('`key rotate --keys-to` writes a line for each key that expires soon, which only the owner can read', async () => {
  const brands = await createExpiring(3);
  await create('Lasting');
  expect(await rotated('--expiring-in', '30d', '--overlap', '7d')).toEqual({
    rotated: 3,
    found: 0,
    left: 0,
    refused: [],
    file,
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expectAllInFile(brands);
  const [line = {}] = await lines();
  expect(Object.keys(line)).toEqual([
    'brandId',
    'brandName',
    'keyId',
    'label',
    'apiKey',
    'replacedKeyId',
    'expiresAt',
    'replacedUntil',
  ]);
  expect((Date.parse(String(line['expiresAt'])) - Date.now()) / DAY).toBeCloseTo(90, 2);
  expect((Date.parse(String(line['replacedUntil'])) - Date.now()) / DAY).toBeCloseTo(7, 2);
  const again = await rotate('--expiring-in', '30d', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ rotated: 0, found: 3 });
  expect(again.stdout + again.stderr).not.toContain('bik_');
  await expectAllInFile(brands);
});

it('`key rotate --keys-to` rotates the keys of a brand, of which it leaves what it has just made', async () => {
  const brand = await create('Acme');
  const brandId = String(brand['brandId']);
  const other = await admin.json('key', 'issue', brandId, '--scope', 'read');
  await create('Other');
  const words = ['--brand', brandId, '--overlap', '0s'];
  expect(await rotated(...words)).toMatchObject({ rotated: 2, left: 0 });
  await expectAllInFile([brand, other]);
  const scopes = (await allKeys()).map(({ scope }) => scope);
  expect(scopes.filter((scope) => scope === 'read')).toHaveLength(2);
  // The old ones are no longer valid, but the file has the new ones.
  expect(await rotated(...words)).toMatchObject({ rotated: 0, left: 2, found: 2 });
  await expectAllInFile([brand, other]);
});

it('`key rotate --keys-to` rotates all keys of all brands, if that is confirmed', async () => {
  const brands = [await create('One'), await create('Two')];
  const asked = await rotate('--all');
  expect([asked.code, asked.stderr]).toEqual([
    1,
    expect.stringContaining('Without a terminal, --all requires --yes.'),
  ]);
  expect(await lines()).toEqual([]);
  expect(await rotated('--all', '--yes')).toMatchObject({ rotated: 2 });
  await expectAllInFile(brands);
  const elsewhere = ['key', 'rotate', '--all', '--yes', '--keys-to', `${file} other`];
  expect(await admin.json(...elsewhere)).toMatchObject({ rotated: 0, left: 2 });
});

it.each(['before its call', 'after its call', 'after its answer'])(
  '`key rotate --keys-to` loses no key and doubles none if a run ends and another goes on: %s',
  async (moment) => {
    const brands = await createExpiring(60);
    let calls = 0;
    const words = ['key', 'rotate', '--all', '--yes', '--overlap', '0s', '--keys-to', file];
    const ended = runHere(words, () =>
      interceptDatabase(admin.database, async (call) => {
        // The first one reads the keys, and the third one rotates the rest.
        if (++calls < 3) return call();
        if (moment === 'before its call') throw new Error('Killed.');
        const answer = await call();
        if (moment === 'after its call') throw new Error('Killed.');
        return answer;
      }),
    );
    if (moment === 'after its answer') {
      await ended;
      const text = await readFile(file, 'utf8');
      const noted = (await lines()).map(
        ({ expiresAt: _, replacedUntil: __, ...line }) => `${JSON.stringify(line)}\n`,
      );
      await writeFile(`${file}.begun`, noted.slice(50).join(''));
      // Within a character of more than one byte.
      await truncate(
        file,
        new TextEncoder().encode(text.slice(0, text.lastIndexOf('ö'))).length + 1,
      );
    } else {
      await expect(ended).rejects.toThrow('Killed.');
      expect(await lines()).toHaveLength(50);
    }
    expect(await rotated(...words.slice(2, -2))).toMatchObject({ refused: [] });
    await expectAllInFile(brands);
  },
);

it('`key rotate --keys-to` leaves out of the file what somebody else has rotated or revoked meanwhile', async () => {
  const [first = {}, second = {}, third = {}] = await createExpiring(3);
  let isFirst = true;
  const words = ['key', 'rotate', '--expiring-in', '30d', '--keys-to', file, '--json'];
  const ended = await runHere(words, () =>
    interceptDatabase(admin.database, async (call) => {
      if (!isFirst) return call();
      isFirst = false;
      const answer = await call();
      await revokeKey(admin.database, String(first['keyId']));
      return answer;
    }),
  );
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('1 key was not rotated. Somebody else has changed');
  expect(JSON.parse(ended.stdout)).toMatchObject({
    rotated: 2,
    refused: [{ keyId: first['keyId'], brandId: first['brandId'] }],
  });
  await expectAllInFile([second, third]);
});

it('`key rotate --keys-to` rotates the others if a brand is being moved, and says which keys it has not rotated', async () => {
  const [frozen = {}, ...others] = await createExpiring(3);
  const frozenAt = '2026-01-31T09:30:00.000Z';
  await admin.database.run(
    sql`update api_keys set frozen_at = ${frozenAt} where id = ${frozen['keyId']}`,
  );
  const ended = await rotate('--expiring-in', '30d', '--json');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(
    `1 key was not rotated. The brand ${String(frozen['brandId'])} has been frozen since ${frozenAt}`,
  );
  await expectAllInFile(others);
});

it('`key rotate --keys-to` keeps what was begun if it runs on another database', async () => {
  const line = {
    brandId: '01890000-0000-7000-8000-000000000000',
    brandName: 'Elsewhere',
    keyId: '01890000-0000-7000-8000-000000000001',
    label: '',
    apiKey: `bik_${'a'.repeat(49)}`,
    replacedKeyId: '01890000-0000-7000-8000-000000000002',
  };
  const text = `${JSON.stringify(line)}\n`;
  await writeFile(`${file}.begun`, text);
  const { code, stderr } = await rotate('--expiring-in', '30d');
  expect([code, stderr]).toEqual([1, expect.stringContaining('this database does not know')]);
  expect(await readFile(`${file}.begun`, 'utf8')).toBe(text);
});

it('`key rotate --keys-to` does not touch a file of something else, or of another command', async () => {
  const names = join(admin.path, 'names');
  await writeFile(names, 'Acme\n');
  await admin.json('brand', 'create', '--from', names, '--keys-to', file);
  const before = await readFile(file, 'utf8');
  const { code, stderr } = await rotate('--expiring-in', '30d');
  expect([code, stderr]).toEqual([1, expect.stringContaining('is no file of keys of this')]);
  expect(await readFile(file, 'utf8')).toBe(before);
});

it.each([
  [[]],
  [['--all']],
  [['--expiring-in', '30d']],
  [['--all', '--brand', 'x', '--keys-to', 'y']],
  [['--all', '--expiring-in', '30d', '--keys-to', 'y']],
  [['x', '--brand', 'y']],
  [['x', '--keys-to', 'y']],
  [['--all', '--keys-to', 'y', '--label', 'z']],
  [['--expiring-in', 'soon', '--keys-to', 'y']],
])('`key rotate` with options that do not fit is wrong usage: %j', async (words) => {
  expect((await admin.run('key', 'rotate', ...words)).code).toBe(2);
});
