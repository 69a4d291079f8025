import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Break } from './breaks.ts';
import { BREAKS } from './breaks.ts';

// Applies each break to a copy of the project, and expects a red test. `npm run breaks [text]`, for those whose rule has
// the text.

const COPIED = ['src', 'test', 'tools', 'client', 'migrations', 'public', 'docs'];
const FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'wrangler.toml'];

/** Only the tests in the Workers runtime: what the others start takes longer than the test. */
const RUN = ['run', '--bail=1', '--project=worker', '--project=exhaustive'];

const run = promisify(execFile);

const [wanted = ''] = process.argv.slice(2);
const chosen = BREAKS.filter(({ rule }) => rule.toLowerCase().includes(wanted.toLowerCase()));
const folder = await mkdtemp(join(tmpdir(), 'breaks-'));
const missed: string[] = [];
try {
  for (const name of [...COPIED, ...FILES]) {
    await cp(name, join(folder, name), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  for (const one of chosen) {
    const isFound = await isRed(one);
    if (!isFound) missed.push(one.rule);
    process.stdout.write(`${isFound ? 'found ' : 'MISSED'}  ${one.rule}\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(`${chosen.length - missed.length} of ${chosen.length} breaks found.\n`);
process.exitCode = missed.length > 0 ? 1 : 0;

/** Whether a test is red with the break. */
async function isRed({ file, from, to, tests }: Break): Promise<boolean> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  if (text.split(from).length !== 2)
    throw new Error(`${file} does not have this text once: ${from}`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  const files = tests.map((name) => `test/${name}`);
  try {
    await run('vitest', [...RUN, ...files], { cwd: folder, maxBuffer: 1e8 });
    return false;
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    // A run without a failed test says nothing of the break.
    if (!/Tests .*failed/.test(output.replaceAll(/\x1b\[\d+m/g, ''))) {
      throw new Error(`No test ran for "${tests.join()}": ${output.slice(-2000)}`, {
        cause: error,
      });
    }
    return true;
  } finally {
    await writeFile(path, text);
  }
}
