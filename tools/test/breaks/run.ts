import { execFile } from 'node:child_process';
import { cp, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Break } from './breaks.ts';
import { BREAKS } from './breaks.ts';
import { placeOf } from './find.ts';

// Applies each break to a copy of the project, and expects a red test. `npm run breaks [text]`, for those whose rule has
// the text. With `--fit`, it only says whether the code of each break is still there.

const COPIED = [
  'src',
  'common',
  'test',
  'tools',
  'admin',
  'client',
  'migrations',
  'public',
  'docs',
];
const FILES = ['package.json', 'tsconfig.base.json', 'vitest.config.ts', 'wrangler.toml'];

const run = promisify(execFile);

const words = process.argv.slice(2);
const [wanted = ''] = words.filter((word) => word !== '--fit');
const chosen = BREAKS.filter(({ rule }) => rule.toLowerCase().includes(wanted.toLowerCase()));
if (chosen.length === 0) {
  process.stderr.write(`error: No rule has the text ${JSON.stringify(wanted)}.\n`);
  process.exit(2);
}
const unfit = chosen.flatMap((one) => {
  const place = placeOf(one);
  return 'reason' in place ? `${one.rule}: ${place.reason}` : [];
});
if (unfit.length > 0) {
  process.stderr.write(`error: ${unfit.join('\n')}\n`);
  process.exit(2);
}
if (words.includes('--fit')) process.exit();

const left = chosen.values();
let missed = 0;
// Half of the time of a run is its start, which uses one processor.
await Promise.all(Array.from({ length: availableParallelism() }, applyBreaks));
process.stdout.write(`${chosen.length - missed} of ${chosen.length} breaks found.\n`);
process.exitCode = missed > 0 ? 1 : 0;

/** Applies the breaks that are left, one after the other, to a copy of its own. */
async function applyBreaks(): Promise<void> {
  await using copy = await mkdtempDisposable(join(tmpdir(), 'breaks-'));
  for (const name of [...COPIED, ...FILES]) {
    await cp(name, join(copy.path, name), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(copy.path, 'node_modules'));
  for (const one of left) {
    const begun = Date.now();
    const isFound = await isRed(one, copy.path).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      return false;
    });
    if (!isFound) missed += 1;
    const seconds = Math.round((Date.now() - begun) / 1000);
    process.stdout.write(`${isFound ? 'found ' : 'MISSED'}  ${seconds} s  ${one.rule}\n`);
  }
}

/** Whether a test is red with the break. */
async function isRed(one: Break, folder: string): Promise<boolean> {
  const place = placeOf(one);
  if ('reason' in place) throw new Error(place.reason);
  const path = join(folder, place.file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, place.start) + one.instead + text.slice(place.end));
  // The whole path: a part of one would name files of other folders too.
  // The failure that ends a run of concurrent tests is not counted.
  const words = ['run', '--bail=2', join(folder, `${one.test}.test.ts`)];
  try {
    await run('vitest', words, { cwd: folder, maxBuffer: 1e8 });
    return false;
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    // A run without a failed test says nothing of the break.
    if (!/Tests .*failed/.test(output.replaceAll(/\x1b\[\d+m/g, ''))) {
      throw new Error(`No test ran for "${one.test}": ${output.slice(-2000)}`, {
        cause: error,
      });
    }
    return true;
  } finally {
    await writeFile(path, text);
  }
}
