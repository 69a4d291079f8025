import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SQLOutputValue } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/hash.ts';
import { random } from '../../test/support/random.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { ADMIN, record } from '../../test/node/processes.ts';

// Commands that create many keys, killed by force at any moment, and run again.

const { numRuns: KILLS } = random(2);

/** How many keys one run would create, in several batches. */
const KEYS = 250;

/** The longest time between the first note of a run and its end, in milliseconds: some batches take it. */
const LONGEST = 400;

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await migratedFolder();
});

afterAll(() => folder.remove());

/** Runs a statement while no command runs, on the file of the database: a runtime for each takes a second. */
async function rowsOf(statement: string): Promise<Record<string, SQLOutputValue>[]> {
  const databases = join(folder.path, 'v3/d1/miniflare-D1DatabaseObject');
  const name = (await readdir(databases)).find((file) => /^[0-9a-f]+\.sqlite$/.test(file));
  const database = new DatabaseSync(join(databases, String(name)));
  try {
    return database
      .prepare(statement)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

/**
 * Runs a command, and kills it: mostly a moment after it has begun to write, and sometimes at any time.
 * @param isSpared whether it may end by itself
 * @returns its exit code; null if it was killed
 */
async function killed(
  file: string,
  words: readonly string[],
  isSpared: boolean,
): Promise<number | null> {
  const before = await stateOf(file);
  const [program, ...first] = ADMIN;
  const options = ['--keys-to', file, '--persist-to', folder.path];
  const child = spawn(program, [...first, ...words, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  const exited = once(child, 'exit');
  if (isSpared) {
    await exited;
  } else if (Math.random() < 0.25) {
    await Promise.race([exited, setTimeout(Math.random() * 10 * LONGEST)]);
  } else {
    while (child.exitCode === null && (await stateOf(file)) === before) await setTimeout(5);
    await Promise.race([exited, setTimeout(Math.random() * LONGEST)]);
  }
  child.kill('SIGKILL');
  await exited;
  if (child.exitCode !== null) expect([child.exitCode, await said]).toEqual([0, expect.anything()]);
  return child.exitCode;
}

/** Returns what changes when a command writes. */
async function stateOf(file: string): Promise<string> {
  const times = [file, `${file}.begun`].map((path) =>
    stat(path).then(
      ({ ino, mtimeMs, size }) => [ino, mtimeMs, size],
      () => [],
    ),
  );
  return JSON.stringify(await Promise.all(times));
}

/**
 * Runs a command until it has ended by itself.
 * @param most how often it is killed at most
 * @returns how often it was killed
 */
async function runToItsEnd(file: string, words: readonly string[], most: number): Promise<number> {
  for (let kills = 0; ; kills++) {
    const code = await killed(file, words, kills === most);
    if (code !== null) return kills;
  }
}

async function linesOf(file: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => record(JSON.parse(line)));
}

it('`brand create --from` creates each brand once, with the key in the file, however often it is killed', async () => {
  let [kills, rounds] = [0, 0];
  while (kills < KILLS) {
    await rowsOf(`delete from brands`);
    const names = Array.from({ length: KEYS }, (_, n) => `Größe ${n}`);
    const from = join(folder.path, 'names');
    await writeFile(from, names.join('\n'));
    const file = join(folder.path, `created-${++rounds}.ndjson`);
    kills += await runToItsEnd(file, ['brand', 'create', '--from', from], KILLS - kills);
    const lines = await linesOf(file);
    expect(lines.map(({ brandName }) => brandName)).toEqual(names);
    const expected = await Promise.all(
      lines.map(async ({ brandId, keyId, apiKey }) => ({
        hash: await sha256(String(apiKey)),
        id: keyId,
        brand_id: brandId,
      })),
    );
    expect(await rowsOf(`select hash, id, brand_id from api_keys order by id`)).toEqual(expected);
    expect(await rowsOf(`select id from brands`)).toHaveLength(KEYS);
  }
  process.stdout.write(`brand create: ${kills} kills, ${rounds} × ${KEYS} brands, each once.\n`);
});

it('`key rotate --all` has every key in the file that was replaced, once, however often it is killed', async () => {
  let [kills, rounds] = [0, 0];
  while (kills < KILLS) {
    const live = await rowsOf(`select id from api_keys where replaced_by is null order by id`);
    expect(live).toHaveLength(KEYS);
    const file = join(folder.path, `rotated-${++rounds}.ndjson`);
    const words = ['key', 'rotate', '--all', '--yes', '--overlap', '0s'];
    kills += await runToItsEnd(file, words, KILLS - kills);
    const lines = await linesOf(file);
    expect(lines.map(({ replacedKeyId }) => replacedKeyId).sort()).toEqual(
      live.map(({ id }) => id),
    );
    const found = await rowsOf(
      `select made.hash, made.id, made.brand_id, made.label, made.expires_at, old.id as replaced
        from api_keys as old join api_keys as made on made.id = old.replaced_by where made.replaced_by is null`,
    );
    const expected = await Promise.all(
      lines.map(async ({ brandId, keyId, apiKey, label, expiresAt, replacedKeyId }) => ({
        hash: await sha256(String(apiKey)),
        id: keyId,
        brand_id: brandId,
        label,
        expires_at: expiresAt,
        replaced: replacedKeyId,
      })),
    );
    expect(new Set(found.map((row) => JSON.stringify(row)))).toEqual(
      new Set(expected.map((row) => JSON.stringify(row))),
    );
    expect(found).toHaveLength(KEYS);
  }
  const entries = await rowsOf(
    `select count(*) as count from audit_trail where action = 'key.rotate'`,
  );
  expect(entries).toEqual([{ count: KEYS * rounds }]);
  process.stdout.write(`key rotate: ${kills} kills, ${rounds} × ${KEYS} keys, each once.\n`);
});
