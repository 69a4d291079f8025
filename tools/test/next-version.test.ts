import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { temporaryFolder } from '../../test/node/processes.ts';

// What an operator enters into wrangler.toml survives the merge of the next version.

const base = readFileSync('wrangler.toml', 'utf8');
const lines = base.split('\n');
const line = lines.findIndex((text) => text.startsWith('# YOURS.'));

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder.path, 'base'), base);
  await writeFile(join(folder.path, 'mine'), mine);
});

afterAll(() => folder.remove());

/** What the documents tell operators to enter. */
const EDITS: readonly (readonly [from: string | RegExp, to: string])[] = [
  ['00000000-0000-0000-0000-000000000000', '01234567-89ab-4cde-8f01-23456789abcd'],
  ['DAILY_JOB_QUERIES = 50', 'DAILY_JOB_QUERIES = 1000'],
  [/namespace_id = "(\d)/g, 'namespace_id = "77$1'],
  [
    'name = "brand-integration-api-production"\n',
    'name = "brand-integration-api-production"\nroutes = [{ pattern = "api.example.com", custom_domain = true }]\nworkers_dev = false\n',
  ],
  [/^# (?=\[observability|persist|head_|dest|enabled)/gm, ''],
  [/$/g, '\n[[env.production.d1_databases]]\nbinding = "DB_1"\ndatabase_id = "1"\n'],
];

const mine = EDITS.reduce((text, [from, to]) => text.replaceAll(from, to), base);

it('Everything that the documents tell operators to enter is below the line YOURS', () => {
  expect(mine.split('\n').slice(0, line + 1)).toEqual(lines.slice(0, line + 1));
  for (const [from, to] of EDITS) expect(base.replace(from, to)).not.toBe(base);
});

it.each([
  ['is another one', (text: string): string => `# before: ${text}`],
  ['has another one before it', (text: string): string => `# before\n${text}`],
  ['is gone', (): string => ''],
])(
  'A version in which any line above YOURS differs is merged without a conflict: it %s',
  async (_, change) => {
    // The line itself, with what frames it, stays.
    for (let changed = 0; changed < line - 1; changed++) {
      const next = lines.with(changed, change(lines[changed] ?? '')).join('\n');
      await writeFile(join(folder.path, 'next'), next);
      const words = ['merge-file', '-p', 'mine', 'base', 'next'];
      const merged = execFileSync('git', words, { cwd: folder.path, encoding: 'utf8' });
      expect(merged.slice(merged.indexOf('# YOURS.'))).toBe(mine.slice(mine.indexOf('# YOURS.')));
      expect(merged.startsWith(next.slice(0, next.indexOf('# YOURS.')))).toBe(true);
    }
  },
);
