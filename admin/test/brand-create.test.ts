import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { interceptDatabase } from './intercept-database.ts';
import type { Finished } from '../../test/node/processes.ts';
import { record, records } from '../../test/node/processes.ts';
import { DatabaseFailure } from '../../common/wrangler/database-failure.ts';
import { tryLock } from '../../common/file-lock.ts';
import { sha256 } from '../../src/hash.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere, runHere } from './admin-here.ts';

// Many brands at once: from a file of names into a file of keys.

let admin: AdminHere;
let [names, keys] = ['', ''];
let run = 0;

beforeAll(async () => {
  admin = await openAdminHere();
});

beforeEach(() => {
  run++;
  names = join(admin.path, `names-${run}`);
  keys = join(admin.path, `keys-${run}`);
});

afterAll(() => admin.close());

const create = (...words: readonly string[]): Promise<Finished> =>
  admin.run('brand', 'create', '--from', names, '--keys-to', keys, ...words);

async function lines(): Promise<Record<string, unknown>[]> {
  const text = await readFile(keys, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => record(JSON.parse(line)));
}

/** For how many days a key was issued. */
function daysOf({ createdAt, expiresAt }: Record<string, unknown>): number {
  return (Date.parse(String(expiresAt)) - Date.parse(String(createdAt))) / 86_400_000;
}

/** Each line has a brand of the database with this key, once, and nothing else was created. */
async function expectCreated(...expected: readonly string[]): Promise<void> {
  const made = await lines();
  expect(made.map(({ brandName }) => brandName)).toEqual(expected);
  for (const { brandId, apiKey, keyId } of made) {
    const [found] = await admin.database.run(
      sql`select id, brand_id from api_keys where hash = ${await sha256(String(apiKey))}`,
    );
    expect(found).toEqual([{ id: keyId, brand_id: brandId }]);
  }
  const search = String(expected[0]).replace(/ .*/, '');
  const listed = records((await admin.json('brand', 'list', '--search', search))['brands']);
  expect(listed).toHaveLength(expected.length);
  const audit = records((await admin.json('audit', '--action', 'brand.create'))['entries']);
  const ids = made.map(({ brandId }) => brandId);
  expect(audit.filter(({ brandId }) => ids.includes(brandId))).toHaveLength(expected.length);
}

it('`brand create --from` creates a brand for each line, and goes on behind what an earlier run has written', async () => {
  await writeFile(names, 'Alpha 1\r\n\n  Alpha 2  \n');
  expect((await create()).code).toBe(0);
  expect((await stat(keys)).mode & 0o777).toBe(0o600);
  await writeFile(names, 'Alpha 1\nAlpha 2\nAlpha 3\n');
  const again = await create('--json');
  expect(JSON.parse(again.stdout)).toEqual({ created: 1, found: 2, file: keys });
  await expectCreated('Alpha 1', 'Alpha 2', 'Alpha 3');
  expect(again.stdout + again.stderr).not.toContain('bik_');
});

it('`brand create --from` takes objects, and what holds for lines that do not say otherwise', async () => {
  await writeFile(
    names,
    '{"brandName":"Beta 1","scope":"read","expiresIn":"10d","label":"x"}\nBeta 2\n',
  );
  expect((await create('--label', 'first', '--expires-in', '20d')).code).toBe(0);
  await expectCreated('Beta 1', 'Beta 2');
  const found = records((await admin.json('key', 'list'))['keys']).slice(-2);
  expect(found).toMatchObject([
    { brandName: 'Beta 1', scope: 'read', label: 'x' },
    { brandName: 'Beta 2', scope: 'write', label: 'first' },
  ]);
  expect(found.map(daysOf)).toEqual([10, 20]);
});

it.each([false, true])(
  '`brand create --from` loses no key if a run ends at its call: made %s',
  async (isMade) => {
    const prefix = isMade ? 'Gamma' : 'Delta';
    const all = Array.from({ length: 60 }, (_, n) => `${prefix} ${n}`);
    await writeFile(names, all.join('\n'));
    let calls = 0;
    const ended = runHere(['brand', 'create', '--from', names, '--keys-to', keys], () =>
      interceptDatabase(admin.database, async (call) => {
        // The second one is the rest of the file.
        if (++calls < 2) return call();
        if (isMade) await call();
        throw new Error('Killed.');
      }),
    );
    await expect(ended).rejects.toThrow('Killed.');
    expect(await lines()).toHaveLength(50);
    expect((await create()).code).toBe(0);
    await expectCreated(...all);
  },
);

it('`brand create --from` goes on behind a line that a full disk has torn, and hides a file that was there', async () => {
  await writeFile(names, 'Kappa 1\nKappa 2\n');
  await writeFile(keys, '', { mode: 0o644 });
  expect((await create()).code).toBe(0);
  expect((await stat(keys)).mode & 0o777).toBe(0o600);
  const text = await readFile(keys, 'utf8');
  const second = text.indexOf('\n') + 1;
  const noted = (await lines()).map(({ expiresAt: _, ...line }) => `${JSON.stringify(line)}\n`);
  for (const end of [text.length - 1, text.length - 5, second + 20, second, 20]) {
    await writeFile(keys, text.slice(0, end));
    await writeFile(`${keys}.begun`, noted.join(''));
    expect((await create()).code).toBe(0);
    expect(await readFile(keys, 'utf8')).toBe(text);
  }
  await expectCreated('Kappa 1', 'Kappa 2');
  // Of a note that was torn, nothing was created.
  await writeFile(names, 'Kappa 1\nKappa 2\nKappa 3\n');
  await writeFile(`${keys}.begun`, '{"brandId":"01');
  expect((await create()).code).toBe(0);
  await expectCreated('Kappa 1', 'Kappa 2', 'Kappa 3');
});

it.each([
  ['is no brand', 'Eps\n\n{"name":"x"}\n', 'line 3: '],
  [
    'has two faults',
    '{"brandName":1,"scope":"all"}\n',
    'line 1: brandName: Invalid input: expected string, received number; scope: ',
  ],
  ['has no lifetime', '{"brandName":"x","expiresIn":"soon"}\n', 'line 1: Write a time such as 90d'],
  ['is half an object', '{"brandName":\n', 'line 1: It begins with { and is no JSON object.'],
  ['is too long', `${'x'.repeat(256)}\n`, 'line 1: The brand name is not valid'],
  ['is missing', '\n', 'names no brand'],
])('`brand create --from` creates nothing if a line is wrong: it %s', async (_, text, says) => {
  await writeFile(names, text);
  const before = await admin.json('brand', 'list');
  const { code, stderr } = await create();
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
  expect(await admin.json('brand', 'list')).toEqual(before);
});

it('`brand create --from` does not touch a file of something else, or of other brands', async () => {
  await writeFile(names, 'Zeta 1\n');
  await writeFile(keys, 'precious');
  expect((await create()).stderr).toContain('is no file of keys of this command');
  expect(await readFile(keys, 'utf8')).toBe('precious');
  await rm(keys);
  await create();
  await writeFile(names, 'Zeta 2\n');
  expect((await create()).stderr).toContain('has a key of "Zeta 1"');
});

it('`brand create --from` says what each key is called, and when it expires', async () => {
  await writeFile(
    names,
    'Lambda 1\n{"brandName":"Lambda 2","label":" report ","expiresIn":"1h"}\n',
  );
  expect((await create('--label', 'first')).code).toBe(0);
  const found = records((await admin.json('key', 'list'))['keys']);
  const made = await lines();
  expect(made).toMatchObject([{ label: 'first', expiresAt: null }, { label: 'report' }]);
  for (const { keyId, expiresAt } of made) {
    expect(found.find((key) => key['keyId'] === keyId)).toMatchObject({ expiresAt });
  }
});

it('`brand create --from` ends a last line that an editor has left without its end', async () => {
  await writeFile(names, 'Xi 1\n');
  expect((await create()).code).toBe(0);
  await writeFile(keys, (await readFile(keys, 'utf8')).trimEnd());
  await writeFile(names, 'Xi 1\nXi 2\n');
  expect((await create()).code).toBe(0);
  expect((await create()).code).toBe(0);
  await expectCreated('Xi 1', 'Xi 2');
});

it.each<[string, () => Promise<unknown>, string]>([
  ['a named pipe', () => Promise.resolve(execFileSync('mkfifo', [keys])), 'it is no regular file'],
  ['a device', () => symlink('/dev/null', keys), 'it is no regular file'],
  ['a folder', () => mkdir(keys), 'it is a folder'],
])(
  '`brand create --from` refuses a file for the keys that it cannot use, before anything changes: %s',
  async (_, make, says) => {
    await writeFile(names, 'Omicron\n');
    await make();
    const { mode } = await stat(keys);
    const before = await admin.json('brand', 'list');
    const { code, stderr } = await create();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${says}. Nothing was changed.`)]);
    expect((await stat(keys)).mode).toBe(mode);
    expect(await admin.json('brand', 'list')).toEqual(before);
  },
);

it('`brand create --from` names the file that was begun if the database fails', async () => {
  await writeFile(names, 'Pi 1\n');
  const failure = new DatabaseFailure('The database is away.', 'Look.');
  const ended = await runHere(['brand', 'create', '--from', names, '--keys-to', keys], () =>
    interceptDatabase(admin.database, () => Promise.reject(failure)),
  );
  expect([ended.code, ended.stderr]).toEqual([
    1,
    expect.stringContaining(
      `error: The database is away. Run the same command again: it goes on behind the keys that are in ${keys}. Until then, ${keys}.begun has keys too: leave it there.`,
    ),
  ]);
  expect((await create()).code).toBe(0);
  await expectCreated('Pi 1');
});

it('`brand create --from` is refused while another one writes into the same file', async () => {
  await writeFile(names, 'Mu 1\nMu 2\n');
  const other = await tryLock(keys);
  const { code, stderr } = await create();
  const sentence = `Another command is writing into ${keys}. Wait until it has ended.`;
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  await other?.close();
  expect((await create()).code).toBe(0);
  await expectCreated('Mu 1', 'Mu 2');
});

it('`brand create --from` hides what it has begun, also in a file that was there', async () => {
  await writeFile(names, 'Nu 1\n');
  await writeFile(`${keys}.begun`, '');
  await chmod(`${keys}.begun`, 0o666);
  let mode = 0;
  const ended = await runHere(['brand', 'create', '--from', names, '--keys-to', keys], () =>
    interceptDatabase(admin.database, async (call) => {
      mode = (await stat(`${keys}.begun`)).mode & 0o777;
      return call();
    }),
  );
  expect([ended.code, mode]).toEqual([0, 0o600]);
  expect(await readdir(admin.path)).not.toContain(`${basename(keys)}.begun`);
});

it.each([
  ['ISO 8859-1', [0x43, 0x61, 0x66, 0xe9, 0x0a]],
  ['UTF-16', [0xff, 0xfe, 0x43, 0x00, 0x0a, 0x00]],
])(
  '`brand create --from` creates nothing from a file in another encoding: %s',
  async (_, bytes) => {
    await writeFile(names, Uint8Array.from(bytes));
    const before = await admin.json('brand', 'list');
    const { code, stderr } = await create();
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is not in UTF-8.')]);
    expect(await admin.json('brand', 'list')).toEqual(before);
  },
);

it('`brand create --from` needs both files, and no name', async () => {
  for (const words of [['x', '--from', 'y', '--keys-to', 'z'], ['--from', 'y'], []]) {
    expect((await admin.run('brand', 'create', ...words)).code).toBe(2);
  }
});

it('`brand create` gives its key a scope and a lifetime', async () => {
  const words = ['--scope', 'read', '--expires-in', '5d'];
  const { keyId } = await admin.json('brand', 'create', 'Scoped', ...words);
  const found = records((await admin.json('key', 'list'))['keys']);
  const [made = {}] = found.filter((key) => key['keyId'] === keyId);
  expect([made['scope'], daysOf(made)]).toEqual(['read', 5]);
});
